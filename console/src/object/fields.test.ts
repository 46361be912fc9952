import {
  child,
  children,
  deprecated,
  type Infer,
  leaf,
  leaves,
  map,
  Name,
  NewUserAccount,
  required,
  type,
} from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { fieldsOf, humanise, isComplete, withField, withoutEmptyTexts } from './fields.ts'

const Size = type('size', '', { width: leaf('number'), whole: leaf('flag') })
const Boat = type('boat', '', {
  name: required(leaf('string')),
  kind: leaf(['sail', 'motor']),
  built: leaf('date'),
  berths: leaf('integer'),
  forSale: leaf('boolean'),
  flags: leaves('string'),
  names: child(() => Name),
  size: child(() => Size),
  sails: children(() => Size),
  facts: map(),
  old: deprecated(leaf('string')),
})
type Boat = Infer<typeof Boat>

describe('fields of a shape', () => {
  test('each description has the control that fits it, and deprecated fields have none', () => {
    expect(fieldsOf(Boat).map(({ name, control }) => [name, control])).toEqual([
      ['name', 'text'],
      ['kind', 'choice'],
      ['built', 'date'],
      ['berths', 'number'],
      ['forSale', 'checkbox'],
      ['flags', 'list'],
      ['names', 'names'],
      ['size', 'group'],
      ['sails', 'none'],
      ['facts', 'none'],
    ])
  })

  test('the fields that a page mentions come first, hidden ones are left out, all others follow', () => {
    const names = fieldsOf(Boat, { built: {}, name: {}, sails: false, facts: false }).map(({ name }) => name)
    expect(names).toEqual(['built', 'name', 'kind', 'berths', 'forSale', 'flags', 'names', 'size'])
  })

  test('a field that the contract gains appears without a change of the page', () => {
    const Grown = { ...NewUserAccount, fields: { ...NewUserAccount.fields, nickName: leaf('string') } }
    expect(fieldsOf(Grown, { name: {}, password: false }).at(-1)).toMatchObject({ name: 'nickName', control: 'text' })
  })
})

test.each([
  ['name', 'Name'],
  ['mustChangePassword', 'Must change password'],
  ['redirect_uris', 'Redirect uris'],
])('the field %s is labelled %s', (name, label) => {
  expect(humanise(name)).toBe(label)
})

test('a field is set, and removed by undefined', () => {
  const boat: Boat = { name: 'Fjord', berths: 4 }
  expect(withField(boat, 'berths', 6)).toEqual({ name: 'Fjord', berths: 6 })
  expect(withField(boat, 'berths', undefined)).toEqual({ name: 'Fjord' })
})

test('empty texts are not sent, at any depth, but empty lists and objects are', () => {
  const message = { name: 'Fjord', note: ' ', size: { width: '' }, flags: [], itm: [{ value: '', loc: 'de_DE' }] }
  expect(withoutEmptyTexts(message)).toEqual({ name: 'Fjord', size: {}, flags: [], itm: [{ loc: 'de_DE' }] })
})

test('a form is complete when every required field has a value', () => {
  expect(isComplete({ name: ' ', flags: ['x'] }, ['name'])).toBe(false)
  expect(isComplete({ name: 'Fjord', flags: [] }, ['name', 'flags'])).toBe(false)
  expect(isComplete({ name: 'Fjord', flags: ['x'], berths: 0 }, ['name', 'flags', 'berths'])).toBe(true)
})
