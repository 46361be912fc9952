import * as fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IndexSchema } from '../port.ts'
import { createFiles } from './files.ts'
import { idsWithValue } from './value-lookup.ts'
import { mappingOf } from './mapping.ts'
import { createIndex } from './generation-index.ts'

const schema: IndexSchema = {
  fields: [{ name: 'refs', type: 'keyword' }],
  locales: ['en_GB'],
  defaultLocale: 'en_GB',
}
const id = fc.integer({ min: 1, max: 30 })
const change = fc.record({ id, refs: fc.option(fc.uniqueArray(id, { maxLength: 3 })) })
const batch = fc.record({ changes: fc.array(change, { maxLength: 12 }), isSealed: fc.boolean() })

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kontor-holders-'))
})
afterAll(() => rm(root, { recursive: true }))
let count = 0

test('finds exactly the documents with one of the values, after any puts, removals and seals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 12 }), async (batches) => {
      const files = await createFiles(join(root, String(++count)), mappingOf(schema), new Map())
      const index = createIndex({ schema, files })
      const stored = new Map<number, readonly number[]>()
      for (const [at, { changes, isSealed }] of batches.entries()) {
        const last = new Map(changes.map((one) => [one.id, one.refs]))
        for (const [one, refs] of last) {
          stored.delete(one)
          if (refs) stored.set(one, refs)
        }
        const put = [...last].flatMap(([one, refs]) =>
          refs ? [{ id: one, fields: new Map([['refs', new Map([['', refs.map(String)]])]]) }] : [],
        )
        const remove = [...last].flatMap(([one, refs]) => (refs ? [] : [one]))
        await index.apply({ put, remove }, String(at))
        if (isSealed) await index.seal()
      }
      for (const wanted of [[1], [2, 3], [31]]) {
        const expected = [...stored].filter(([, refs]) => refs.some((ref) => wanted.includes(ref))).map(([one]) => one)
        const found = idsWithValue(index.snapshot().parts, 'refs', wanted.map(String))
        expect(found).toEqual(expected.sort((a, b) => a - b))
      }
    }),
    { numRuns: 100 },
  )
})
