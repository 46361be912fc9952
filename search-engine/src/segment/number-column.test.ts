import { expect, test } from 'vitest'
import { pack, type Sections, unpack } from './container.ts'
import { readNumberColumn, writeNumberColumn } from './number-column.ts'

const count = 2000
const columnOf = (valueOf: (doc: number) => number) => ({
  offsets: Uint32Array.from({ length: count + 1 }, (_, i) => i),
  values: Float64Array.from({ length: count }, (_, doc) => valueOf(doc)),
})

test('locales with equal values share a column, and each is read as it was written', () => {
  const out: Sections = new Map()
  writeNumberColumn(
    out,
    'share/en_GB',
    columnOf((doc) => doc % 7),
  )
  const before = pack({ meta: {}, sections: out }).byteLength
  writeNumberColumn(
    out,
    'share/fr_FR',
    columnOf((doc) => doc % 7),
  )
  writeNumberColumn(
    out,
    'other/fr_FR',
    columnOf((doc) => doc % 7),
  )
  const shared = pack({ meta: {}, sections: out })
  writeNumberColumn(
    out,
    'share/de_DE',
    columnOf((doc) => doc % 5),
  )
  const { sections } = unpack(pack({ meta: {}, sections: out }))
  const columnSize = count * 12
  expect(shared.byteLength - before).toBeLessThan(columnSize * 1.1)
  for (const [name, by] of [
    ['share/en_GB', 7],
    ['share/fr_FR', 7],
    ['other/fr_FR', 7],
    ['share/de_DE', 5],
  ] as const) {
    // prettier-ignore
    const { values, order } = readNumberColumn(sections, name)
    expect(values, name).toEqual(columnOf((doc) => doc % by).values)
    expect(order[0], name).toBe(0)
    expect(values[order.at(-1)!], name).toBe(by - 1)
  }
})
