import { expect, test } from 'vitest'
import { toAttribute } from './attribute.ts'

const definition = {
  tid: 'colour',
  type: 'text',
  name: { itm: [{ value: 'Farbe', loc: 'de_DE' }] },
  required: 'required' as const,
  localized: 'true' as const,
  domainVals: { domainVal: [{ tid: 'red', itm: [{ value: 'Rot', loc: 'de_DE' }] }, { tid: 'blue' }] },
}

test('an attribute has labels in the content language, and keys where there are none', () => {
  const { label, options } = toAttribute(definition, 'de_DE')
  expect(label).toBe('Farbe')
  expect(options).toEqual([
    { value: 'red', label: 'Rot' },
    { value: 'blue', label: 'blue' },
  ])
})

test('without a node, the definition decides', () => {
  expect(toAttribute(definition, 'de_DE')).toMatchObject({ required: true, localized: true, levels: 'pav' })
})

test('a node overrides the definition', () => {
  const node = {
    key: 'colour',
    restriction: 'optional',
    localized: 'false',
    level: 'a',
    option: 'READONLY',
    domainVals: { domainVal: [{ tid: 'green' }] },
  } as const
  expect(toAttribute(definition, 'de_DE', { ...node, domainVals: { domainVal: [{ tid: 'green' }] } })).toMatchObject({
    required: false,
    localized: false,
    levels: 'a',
    readOnly: true,
    options: [{ value: 'green', label: 'green' }],
  })
})

test('the columns of a table are its references', () => {
  const table = { tid: 'sizes', type: 'table', references: { itm: [{ value: 'width' }, { key: 'height' }] } }
  expect(toAttribute(table, 'en_GB').columns).toEqual(['width', 'height'])
})
