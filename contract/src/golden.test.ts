/**
 * The format of each type. golden/json contains one example with all fields for every type of message and every request;
 * golden/xml and golden/compact contain the same examples in the other two formats (`vitest -u` writes them). The writers
 * must produce exactly these files, and the readers must return the same values.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decode, encode, formats } from './codec/formats.ts'
import { ErrorResponse, Pim } from './schema/envelope.ts'
import { requestTypes, typesWithin } from './schema/types.ts'

const examples = typesWithin([Pim, ErrorResponse, ...requestTypes])
const golden = (path: string) => new URL(`golden/${path}`, import.meta.url)
const asBytes = (text: string) => new TextEncoder().encode(text)

// Indented for readability, with one element or property per line. The meaning is the same.
const indented = (json: string) => `${JSON.stringify(JSON.parse(json), null, 2)}\n`
const betweenElements = /(?<=>)(?=<[^/])|(?<=<\/[^>]*>|\/>)(?=<\/)/
function indentedXml(xml: string): string {
  let depth = 0
  const lines = xml
    .replace('?>\n', '?>')
    .split(betweenElements)
    .map((line) => {
      if (line.startsWith('</')) depth--
      const indent = '  '.repeat(depth)
      if (/^<[^/?]/.test(line) && !/<\/|\/>/.test(line)) depth++
      return indent + line
    })
  return `${lines.join('\n')}\n`
}

describe.each(examples.map((type) => ({ name: type.name, type })))('$name', ({ name, type }) => {
  const json = readFileSync(golden(`json/${name}.json`), 'utf8')
  const value = JSON.parse(json)

  test('the example uses every field', () => {
    expect(Object.keys(value).sort()).toEqual(Object.keys(type.fields).sort())
  })

  test('JSON is written and read as the golden file says', () => {
    expect(indented(encode(formats.json, type, value))).toBe(json)
    expect(decode(formats.json, type, asBytes(json))).toEqual(value)
  })

  test('XML is written and read as the golden file says', async () => {
    const xml = indentedXml(encode(formats.xml, type, value))
    await expect(xml).toMatchFileSnapshot(`golden/xml/${name}.xml`)
    expect(decode(formats.xml, type, asBytes(xml))).toEqual(value)
  })

  test('compact JSON is written and read as the golden file says', async () => {
    const compact = indented(encode(formats.compact, type, value))
    await expect(compact).toMatchFileSnapshot(`golden/compact/${name}.json`)
    expect(decode(formats.compact, type, asBytes(compact))).toEqual(value)
    expect(decode(formats.compact, type, asBytes(json)), 'plain JSON is read too').toEqual(value)
  })
})

test('every golden file belongs to a type', () => {
  const names = examples.map((type) => type.name).sort()
  for (const [folder, ending] of [
    ['json', '.json'],
    ['xml', '.xml'],
    ['compact', '.json'],
  ] as const)
    expect(readdirSync(golden(folder)).sort()).toEqual(names.map((name) => name + ending).sort())
})
