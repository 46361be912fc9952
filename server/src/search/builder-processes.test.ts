/** A rebuild whose documents are read and built by processes of their own. */
import { expect, test } from 'vitest'
import { createModel, productCalls } from '../../test/catalogue.ts'
import { fullText, searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'

const api = withServer({ KONTOR_SEARCH_THREADS: '1' })
const { call, find, rebuild, wait } = searchCalls(api)
const products = productCalls(api)
const many = 300
const named = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => ({ tid: `P${i}`, name: `${name} ${i}`, node: '/Standard/Jackets' }))

test('a rebuild is correct if rows are stored in another order than they were created', async () => {
  await createModel(api)
  await products.persist(...named(many, 'jacket'))
  // Rows that were changed are behind the others in the table.
  const changed = await products.persist(...named(many / 2, 'coat'))
  await wait('PRODUCT', ...changed.map(({ id }) => id))
  await rebuild('PRODUCT')

  const again = await products.persist(...named(many / 2, 'anorak'))
  await wait('PRODUCT', ...again.map(({ id }) => id))
  const count = async (text?: string) => (await find('PRODUCT', text ? fullText(text) : undefined)).totalHitCount
  expect([await count(), await count('coat'), await count('anorak')]).toEqual([many, 0, many / 2])
})

test('a rebuild of the history completes if texts were searched for repeatedly', async () => {
  for (const text of ['one', 'two', 'three', 'one']) await call('/history', { text })
  await rebuild('HISTORY')
  expect((await call('/history/query', {})).histories).toEqual(['one', 'three', 'two'])
})
