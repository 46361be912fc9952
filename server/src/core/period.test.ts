import { expect, test } from 'vitest'
import { withServer } from '../../test/server.ts'

const api = withServer()

const queries = { 'pim/products': 'productQuery', 'dam/assets': 'assetQuery', 'peo/peos': 'peoQuery' }

test.each(Object.entries(queries))('%s: a period that ends before it begins is refused', async (path, name) => {
  const query = (modifiedFrom: string, modifiedUntil: string) =>
    api.post(`/api/core/v1/${path}/query`, { modifiedFrom, modifiedUntil })
  for (const [from, until] of [
    ['2024-02-26T00:00:00.000', '2024-02-25T00:00:00.000'],
    ['2024-02-25T10:00:00.000Z', '2024-02-25T11:00:00.000+02:00'],
    ['2024-02-25T08:00:00', '2024-02-25'],
  ] as const) {
    const { status, text } = await query(from, until)
    expect([status, text]).toEqual([400, expect.stringContaining(`/${name}/modifiedFrom: ${from} is after`)])
  }
  for (const [from, until] of [
    ['2024-02-25T00:00:00.000', '2024-02-25T00:00:00.000'],
    ['2024-02-25T10:00:00.000+02:00', '2024-02-25T09:00:00.000Z'],
    ['2024-02-25', '2024-02-26'],
  ] as const)
    expect((await query(from, until)).status).not.toBe(400)
})
