/** The XML Schema is well formed, complete and self-contained. Messages are not validated against it here. */
import { SaxesParser, type SaxesAttributeNS } from 'saxes'
import { expect, test } from 'vitest'
import { ErrorResponse, Pim } from './schema/envelope.ts'
import { requestTypes, typesWithin } from './schema/types.ts'
import { xsd } from './xsd.ts'

interface Declaration {
  tag: string
  /** Name of the enclosing complex type. */
  within: string
  attributes: Record<string, string>
}

function declarations(schema: string): Declaration[] {
  const found: Declaration[] = []
  const open: Declaration[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (element) => {
    const values = Object.values(element.attributes as Record<string, SaxesAttributeNS>)
    const attributes = Object.fromEntries(values.map(({ name, value }) => [name, value]))
    const within = open.findLast(({ tag }) => tag === 'complexType')?.attributes['name'] ?? ''
    open.push({ tag: element.local, within, attributes })
    found.push(open.at(-1)!)
  })
  parser.on('closetag', () => void open.pop())
  parser.write(schema).close()
  return found
}

const all = declarations(xsd())
const names = (tag: string, within: string) =>
  all
    .filter((one) => one.tag === tag && one.within === within && one.attributes['name'])
    .map((one) => one.attributes['name'])
const roots = [Pim, ErrorResponse, ...requestTypes]

test('the envelope, the error envelope and every request are global elements', () => {
  expect(names('element', '')).toEqual(roots.map((type) => type.name))
})

test.each(typesWithin(roots).map((type) => [type.name, type] as const))(
  '%s is a complex type with all its fields',
  (name, type) => {
    expect(names('complexType', '').filter((other) => other === name)).toHaveLength(1)
    const elements = names('element', name)
    const attributes = names('attribute', name)
    for (const [property, field] of Object.entries(type.fields)) {
      if (field.kind === 'attr') expect(attributes).toContain(property)
      else if (field.kind !== 'text') expect(elements).toContain(field.xml ?? property)
      for (const alias of field.aliases ?? []) expect(elements).toContain(alias)
    }
  },
)

test('every referenced type is defined', () => {
  const defined = all
    .filter(({ tag }) => tag === 'complexType' || tag === 'simpleType')
    .map(({ attributes }) => attributes['name'])
  const used = all
    .flatMap(({ attributes }) => [attributes['type'], attributes['base']])
    .filter((type) => type !== undefined)
  expect(used.filter((type) => !type.startsWith('xs:') && !defined.includes(type))).toEqual([])
})
