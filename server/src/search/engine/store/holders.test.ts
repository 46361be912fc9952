import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexSchema } from '../port.ts'
import { createIndex } from './store.ts'
import { holdersOf } from './holders.ts'

const schema: IndexSchema = {
  fields: [{ name: 'refs', type: 'keyword' }],
  locales: ['en_GB'],
  defaultLocale: 'en_GB',
}
const id = fc.integer({ min: 1, max: 30 })
const change = fc.record({ id, refs: fc.option(fc.uniqueArray(id, { maxLength: 3 })) })

test('finds exactly the documents that have one of the values, whatever was put and removed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 12 }), async (batches) => {
      const index = createIndex({ schema })
      const stored = new Map<number, readonly number[]>()
      for (const [at, batch] of batches.entries()) {
        const last = new Map(batch.map((one) => [one.id, one.refs]))
        for (const [one, refs] of last) {
          stored.delete(one)
          if (refs) stored.set(one, refs)
        }
        const put = [...last].flatMap(([one, refs]) =>
          refs ? [{ id: one, fields: new Map([['refs', new Map([['', refs.map(String)]])]]) }] : [],
        )
        const remove = [...last].flatMap(([one, refs]) => (refs ? [] : [one]))
        await index.apply({ put, remove }, String(at))
      }
      for (const wanted of [[1], [2, 3], [31]]) {
        const expected = [...stored].filter(([, refs]) => refs.some((ref) => wanted.includes(ref))).map(([one]) => one)
        const found = holdersOf(index.snapshot().parts, 'refs', wanted.map(String))
        expect(found).toEqual(expected.sort((a, b) => a - b))
      }
    }),
    { numRuns: 200 },
  )
})
