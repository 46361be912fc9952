import { expect, test } from 'vitest'
import { areas } from '../endpoints/areas.ts'
import { check } from '../codec/validate.ts'
import { typeSchema } from '../openapi/json-schema.ts'
import { xsd } from '../xsd.ts'
import { AttrDefinition } from './pim.ts'
import { actionTypes, attributeTypes, dataTypes } from './words.ts'

test('the words that a text should be are listed in OpenAPI and XSD', () => {
  expect(typeSchema(AttrDefinition).properties!['type']).toMatchObject({ type: 'string', enum: attributeTypes })
  expect(xsd()).toMatch(
    /<xs:union memberTypes="xs:string">\s*<xs:simpleType>\s*<xs:restriction base="xs:string">\s*<xs:enumeration value="text"\/>/,
  )
})

test('a reader accepts other texts too, so that the rules of the resource can judge them', () => {
  expect(check(AttrDefinition, { tid: 'a', type: 'Real' })).toMatchObject({ value: { type: 'Real' }, faults: [] })
})

test('every data type that a resource takes in actions is in the enumeration', () => {
  const taken = areas.flatMap(({ resources }) =>
    Object.values(resources).flatMap(({ dataType, actionTypes: others = [] }) => [dataType, ...others]),
  )
  expect(taken.filter((type) => !actionTypes.includes(type))).toEqual([])
  expect(new Set(dataTypes).size).toBe(dataTypes.length)
})
