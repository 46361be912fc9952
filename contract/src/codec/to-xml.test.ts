import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Infer } from '../schema/describe.ts'
import { xmlReader } from './from-xml.ts'
import { xmlWriter } from './to-xml.ts'
import { anyValue, Catalogue } from './xml-sample.arbitrary.ts'

type Catalogue = Infer<typeof Catalogue>

const begin = '<?xml version="1.0" encoding="UTF-8"?>\n<catalogue xmlns="http://www.apollon.de/omn"'

function written(shell: object, ...items: [container: string, item: object][]): string {
  const writer = xmlWriter(Catalogue)
  return writer.start(shell) + items.map(([container, item]) => writer.item(container, item)).join('') + writer.end()
}

/** The content of the root element. */
const content = (shell: object, ...items: [string, object][]) =>
  written({ version: '1', ...shell }, ...items)
    .replace(`${begin} version="1">`, '')
    .replace('</catalogue>', '')

// prettier-ignore
const messages: [shell: object, items: [string, object][], content: string][] = [
  [{}, [], ''],
  [{ title: 'a' }, [], '<title>a</title>'],
  [{ title: '' }, [], '<title></title>'],
  [{ title: undefined, single: null }, [], ''],
  [{ title: `<&>"'\t\n\r ]]>` }, [], `<title>&lt;&amp;&gt;"'\t\n&#13; ]]&gt;</title>`],
  [{ single: { part: { id: 1 } } }, [], '<single><part id="1"/></single>'],
  [{ single: { part: { id: 9223372036854775807n } } }, [], '<single><part id="9223372036854775807"/></single>'],
  [{ single: { part: { id: -5, name: `<&>"'\t\n\r` } } }, [], `<single><part id="-5" name="&lt;&amp;&gt;&quot;'&#9;&#10;&#13;"/></single>`],
  [{ single: { part: { id: 1, isNew: false, visible: 'true', ratio: 1e21 } } }, [], '<single><part id="1" ratio="1e+21" isNew="false" visible="true"/></single>'],
  [{ single: { part: { id: 1, tags: ['a', '', '\u{1f600}'], sizes: [] } } }, [], '<single><part id="1"><tags>a</tags><tags></tags><tags>\u{1f600}</tags></part></single>'],
  [{ single: { part: { id: 1, note: {} } } }, [], '<single><part id="1"><note/></part></single>'],
  [{ single: { part: { id: 1, note: { value: '' } } } }, [], '<single><part id="1"><note/></part></single>'],
  [{ single: { part: { id: 1, notes: [{ value: 'a', lang: 'en' }] } } }, [], '<single><part id="1"><remark lang="en">a</remark></part></single>'],
  [{ single: { part: { id: 1, parts: [{ id: 2, parts: [{ id: 3 }] }] } } }, [], '<single><part id="1"><parts id="2"><parts id="3"/></parts></part></single>'],
  [{ single: { part: { id: 1, extra: { a: 'b' }, anything: [1] } } }, [], '<single><part id="1"/></single>'],
  [{ single: { part: { id: 1, unknown: 'a' } } }, [], '<single><part id="1"/></single>'],
  [{ parts: {} }, [], '<parts/>'],
  [{ parts: { mode: 'full', part: [{ id: 1 }] } }, [], '<parts mode="full"><part id="1"/></parts>'],
  [{}, [['parts', { id: 1 }], ['parts', { id: 2 }]], '<parts><part id="1"/><part id="2"/></parts>'],
  [{ parts: { mode: 'full', note: { value: 'x' } } }, [['parts', { id: 1 }]], '<parts mode="full"><note>x</note><part id="1"/></parts>'],
  [{ parts: { part: [{ id: 1 }] } }, [['parts', { id: 2 }]], '<parts><part id="1"/><part id="2"/></parts>'],
  [{ notes: { note: [{ value: 'n' }] } }, [['parts', { id: 1 }]], '<parts><part id="1"/></parts><notes><note>n</note></notes>'],
  [{ parts: {}, notes: {} }, [['notes', { value: 'n' }]], '<notes><note>n</note></notes><parts/>'],
  [{ title: 't' }, [['parts', { id: 1 }], ['notes', { value: 'n' }]], '<title>t</title><parts><part id="1"/></parts><notes><note>n</note></notes>'],
]

// prettier-ignore
const refused: [shell: object, items: [string, object][], message: string][] = [
  [{ title: 'a\u0001' }, [], '/catalogue/title: XML cannot carry the character U+0001'],
  [{ version: '\ud800' }, [], '/catalogue/@version: XML cannot carry the character U+D800'],
  [{ single: { part: { id: 1, tags: ['a', 'b\uffff'] } } }, [], '/catalogue/single/part/tags[2]: XML cannot carry the character U+FFFF'],
  [{ single: { part: { id: 1, notes: [{ value: 'a' }, { value: '\u0000' }] } } }, [], '/catalogue/single/part/remark[2]: XML cannot carry the character U+0000'],
  [{ parts: { mode: '\u0002' } }, [], '/catalogue/parts/@mode: XML cannot carry the character U+0002'],
  [{ parts: { note: { lang: '\u0002' } } }, [['parts', { id: 1 }]], '/catalogue/parts/note/@lang: XML cannot carry the character U+0002'],
  [{}, [['parts', { id: 1 }], ['parts', { id: 2, name: '\udc00' }]], '/catalogue/parts/part[2]/@name: XML cannot carry the character U+DC00'],
  [{ parts: { part: [{ id: 1 }] } }, [['parts', { id: 2, title: '\u001f' }]], '/catalogue/parts/part[2]/title: XML cannot carry the character U+001F'],
  [{}, [['single', {}]], `catalogue has no container 'single'`],
  [{}, [['constructor', {}]], `catalogue has no container 'constructor'`],
  [{}, [['parts', { id: 1 }], ['notes', {}], ['parts', { id: 2 }]], `the container 'parts' was closed by an item of another one`],
]

describe('the XML writer', () => {
  test('writes the declaration, the root and its namespace', () => {
    expect(written({ version: '1' })).toBe(`${begin} version="1"></catalogue>`)
  })
  test.each(messages)('writes %o with the items %o', (shell, items, expected) => {
    expect(content(shell, ...items)).toBe(expected)
  })
  test.each(refused)('refuses %o with the items %o', (shell, items, message) => {
    expect(() => content(shell, ...items)).toThrow(message)
  })
})

/** The value that is read, from bytes in chunks of a size, in UTF-8 or UTF-16. */
function read(xml: string, size: number, encoding: 'utf8' | 'utf16le'): object {
  const text = encoding === 'utf8' ? xml : xml.replace('encoding="UTF-8"', 'encoding="UTF-16"')
  const bytes = Buffer.from(text, encoding)
  const reader = xmlReader(Catalogue)
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
  return reader.end()
}

const sizes = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.constant(100_000))

test('any value that is written is read as the same value', () => {
  fc.assert(
    fc.property(anyValue(Catalogue), sizes, fc.constantFrom('utf8', 'utf16le'), (value, size, encoding) => {
      expect(read(written(value), size, encoding)).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

test('any value that is written and read item by item is read as the same value', () => {
  fc.assert(
    fc.property(anyValue(Catalogue), (value: Catalogue) => {
      const { part: parts = [], ...restOfParts } = value.parts ?? {}
      const { note: notes = [] } = value.notes ?? {}
      const shell = { ...value, ...(value.parts && { parts: restOfParts }), ...(value.notes && { notes: {} }) }
      const items = [
        ...parts.map((part): [string, object] => ['parts', part]),
        ...notes.map((note): [string, object] => ['notes', note]),
      ]
      const xml = written(shell, ...items)
      expect(read(xml, 100, 'utf8')).toEqual(value)

      const received: [string, object][] = []
      const reader = xmlReader(Catalogue, { sink: (container, item) => received.push([container, item]) })
      reader.write(Buffer.from(xml))
      expect(reader.end()).toEqual(shell)
      expect(received).toEqual(items)
    }),
    { numRuns: 500 },
  )
})
