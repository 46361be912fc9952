/** An index keeps only the active generation in memory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { openIndexes, type IndexSchema, type SearchDocument, type SearchIndex } from '../index.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const schema: IndexSchema = { locales: [], defaultLocale: 'en_GB', fields: [{ name: 'name', type: 'text', weight: 1 }] }
/** With so many words that a few of them take megabytes. */
function document(id: number): SearchDocument {
  const words = Array.from({ length: 4000 }, (_, i) => `w${id}x${i}`)
  return { id, fields: new Map([['name', new Map([['', [words.join(' ')]]])]]) }
}

async function rebuild(index: SearchIndex): Promise<void> {
  const next = await index.rebuild(schema)
  await next.add(Array.from({ length: 10 }, (_, i) => document(i + 1)))
  await next.finish('a')
  await next.activate()
}

test('replaced generations are garbage collected, including the initial one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-letting-go-'))
  const first = await openIndexes({ folder, threads: 0 })
  await rebuild(await first.open('TEST', schema))
  await first.close()

  const indexes = await openIndexes({ folder, threads: 0 })
  const index = await indexes.open('TEST', schema)
  const held = () => {
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const before = held()
  for (let i = 0; i < 4; i++) {
    await index.search({ predicate: { kind: 'text', text: 'w7x3000' }, offset: 0, limit: 10 })
    await rebuild(index)
  }
  await vi.waitFor(() => expect(held() - before).toBeLessThan(index.status().bytes / 2), {
    timeout: 60_000,
    interval: 500,
  })
  await indexes.close()
  await rm(folder, { recursive: true })
})
