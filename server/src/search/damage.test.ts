/** A file of an index is damaged while the index serves: the damage is reported, and the index is rebuilt by itself. */
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { createModel, productCalls } from '../../test/catalogue.ts'
import { fullText, search, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer({ KONTOR_LOG_LEVEL: 'error' })
const { call, find, wait } = searchCalls(api)
const products = productCalls(api)
const many = 2000
/** A word of its own for every number: its digits as letters, none of which is folded. */
const word = (n: number) => `bi${[...String(n)].map((digit) => 'bcdfghklmn'[Number(digit)]).join('')}zu`
/** So many that the file of the index is a large one, of which only what is searched is read. */
const wordsOf = (i: number) => Array.from({ length: 25 }, (_, n) => word(i * 25 + n)).join(' ')

const command = (name: string) => call('/index', { index: 'PRODUCT', command: name }, { token: api.adminToken })
const rebuilt = () => vi.waitFor(async () => expect((await command('STATE')).event).toBe('END'), 60_000)
const count = async (text?: string) => {
  const { totalHitCount, exactHitCount } = await find('PRODUCT', text === undefined ? undefined : fullText(text))
  return exactHitCount ? totalHitCount : 'not all yet'
}

/** Overwrites the second half of the largest file of the index that serves. */
function damage(): void {
  const folder = join(api.config.data, 'search', 'PRODUCT')
  const generation = join(folder, readFileSync(join(folder, 'CURRENT'), 'utf8'))
  const files = readdirSync(generation).map((name) => join(generation, name))
  const largest = files.toSorted((a, b) => statSync(b).size - statSync(a).size)[0]!
  const { size } = statSync(largest)
  expect(size).toBeGreaterThan(1 << 20)
  const file = openSync(largest, 'r+')
  writeSync(file, Buffer.alloc(size / 2, 7), 0, size / 2, size / 2)
  closeSync(file)
}

beforeAll(async () => {
  await createModel(api)
  for (let from = 0; from < many; from += 1000) {
    const batch = Array.from({ length: 1000 }, (_, i) => ({
      tid: `P${from + i}`,
      name: wordsOf(from + i),
      node: '/Standard/Jackets',
    }))
    const stored = await products.persist(...batch)
    await wait('PRODUCT', stored.at(-1)!.id)
  }
  await command('REBUILD')
  await rebuilt()
})

test('a search that finds the damage is refused, and the index is rebuilt with all changes made meanwhile', async () => {
  damage()
  const reply = await api.post(search, { context: { index: 'PRODUCT' }, query: fullText(word(5)) })
  expect([reply.status, reply.json.code]).toEqual([503, '1013'])
  expect(api.log.map(({ msg }) => msg)).toContain('a search index failed in the background')
  const [late] = await products.persist({ tid: 'late', name: 'afterthought', node: '/Standard/Jackets' })
  await call('/documents/wait', { index: 'PRODUCT', documents: [late!.id], maxWait: 60_000 })
  expect([await count('afterthought'), await count(word(5)), await count()]).toEqual([1, 1, many + 1])
})
