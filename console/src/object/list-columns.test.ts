import { child, leaf, leaves, Name, type } from '@kontor/contract'
import { expect, test } from 'vitest'
import type { Format } from '../ui/format.ts'
import { arrange } from './list.tsx'
import { toColumns } from './list-columns.tsx'

const Boat = type('boat', '', {
  tid: leaf('string'),
  name: child(() => Name),
  forSale: leaf('boolean'),
  flags: leaves('string'),
  built: leaf('date'),
  kind: leaf(['sail', 'motor']),
  size: child(() => type('size', '', { width: leaf('number') })),
})
const format = { dateTime: (value: string) => `on ${value}` } as Format
const wording = { labelOf: (name: string) => `<${name}>`, format, yes: 'Yes', locale: 'de_DE' }
const boat = {
  tid: 'B10',
  name: { itm: [{ value: 'Fjord' }, { value: 'Förde', loc: 'de_DE' }] },
  forSale: true,
  flags: ['NO', 'DE'],
  built: '2026-01-02',
  kind: 'sail' as const,
  size: { width: 3 },
}

test('each field becomes a column with a text for people, structured fields only on request', () => {
  const texts = toColumns(Boat, wording).map(({ id, text }) => [id, text(boat)])
  expect(texts).toEqual([
    ['tid', 'B10'],
    ['name', 'Förde'],
    ['forSale', 'Yes'],
    ['flags', 'NO, DE'],
    ['built', '2026-01-02'],
    ['kind', '<sail>'],
  ])
  const asked = toColumns(Boat, wording, { size: { text: ({ size }) => `${size?.width} m` } })
  expect(asked[0]).toMatchObject({ id: 'size', title: '<size>' })
  expect(asked[0]!.text(boat)).toBe('3 m')
})

test('a date is sorted by its ISO form and displayed in the form of the reader', () => {
  const built = toColumns(Boat, wording).find(({ id }) => id === 'built')!
  expect([built.text(boat), built.show!(boat)]).toEqual(['2026-01-02', 'on 2026-01-02'])
})

test('an absent value is an empty text', () => {
  expect(toColumns(Boat, wording).map(({ text }) => text({}))).toEqual(['', '', '', '', '', ''])
})

test('rows are filtered by any column, and sorted with numbers in their natural order', () => {
  const columns = toColumns(Boat, wording)
  const rows = [boat, { tid: 'B9', flags: ['SE'] }, { tid: 'C1', flags: ['DE'] }]
  const tids = (filter: string, descending?: boolean) =>
    arrange(rows, columns, filter, descending === undefined ? undefined : { column: 'tid', descending }).map(
      ({ tid }) => tid,
    )
  expect(tids('')).toEqual(['B10', 'B9', 'C1'])
  expect(tids(' de')).toEqual(['B10', 'C1'])
  expect(tids('', false)).toEqual(['B9', 'B10', 'C1'])
  expect(tids('b', true)).toEqual(['B10', 'B9'])
})
