import { describe, expect, test } from 'vitest'
import { child, children, required, text, type } from '../schema/describe.ts'
import { BadMessage, defaultLimits, maxFaults, type Fault, type ReadOptions } from './codec.ts'
import { Products } from '../schema/pim.ts'
import { decode, formats } from './formats.ts'
import { xmlReader } from './from-xml.ts'
import { Catalogue, Note } from './xml-sample.arbitrary.ts'

const xmlns = 'xmlns="http://www.apollon.de/omn"'
const message = (content: string, attributes = 'version="1"') =>
  `<catalogue ${xmlns} ${attributes}>${content}</catalogue>`
const part = (content: string, attributes = 'id="1"') =>
  message(`<single><part ${attributes}>${content}</part></single>`)

function read(xml: string | Uint8Array, options?: ReadOptions, size = Number.MAX_SAFE_INTEGER): object {
  const bytes = typeof xml === 'string' ? Buffer.from(xml) : xml
  const reader = xmlReader(Catalogue, options)
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
  return reader.end()
}

function faultsOf(xml: string | Uint8Array, options?: ReadOptions, size?: number): readonly Fault[] {
  try {
    read(xml, options, size)
  } catch (error) {
    if (error instanceof BadMessage) return error.faults
    throw error
  }
  return []
}

const textsOf = (faults: readonly Fault[]) => faults.map(({ path, message }) => `${path}: ${message}`)

const catalogue = (value: object) => ({ version: '1', ...value })
const single = (value: object) => catalogue({ single: { part: { id: 1, ...value } } })

// prettier-ignore
const values: [what: string, xml: string, value: object][] = [
  ['an empty root', message(''), catalogue({})],
  ['a prefix for the namespace', '<o:catalogue xmlns:o="http://www.apollon.de/omn" version="1"><o:title>x</o:title></o:catalogue>', catalogue({ title: 'x' })],
  ['a prefix bound on the way', message('<o:title xmlns:o="http://www.apollon.de/omn">x</o:title>'), catalogue({ title: 'x' })],
  ['a default namespace that changes and returns', `<o:catalogue xmlns:o="http://www.apollon.de/omn" version="1"><single ${xmlns}><part id="1"/></single><o:title>x</o:title></o:catalogue>`, catalogue({ single: { part: { id: 1 } }, title: 'x' })],
  ['unused namespaces', message('<title xmlns:a="urn:a">x</title>', 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1"'), catalogue({ title: 'x' })],
  ['hints at a schema', message('<title xmlns:a="http://www.w3.org/2001/XMLSchema-instance" a:noNamespaceSchemaLocation="y">x</title>', 'xsi:schemaLocation="http://www.apollon.de/omn omn.xsd" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1"'), catalogue({ title: 'x' })],
  ['a leaf', message('<title> a\n b </title>'), catalogue({ title: ' a\n b ' })],
  ['an empty leaf', message('<title/>'), catalogue({ title: '' })],
  ['a leaf of references, comments and CDATA', message('<title>a&amp;<!-- no -->b<![CDATA[<c>]]>&#x1F600;</title>'), catalogue({ title: 'a&b<c>\u{1f600}' })],
  ['every attribute', part('', 'id="9223372036854775807" name="a" size="-1" ratio="0.5" isNew="1" visible="true" since="2024-02-25" kind="big"'),
    catalogue({ single: { part: { id: 9223372036854775807n, name: 'a', size: -1, ratio: 0.5, isNew: true, visible: 'true', since: '2024-02-25', kind: 'big' } } })],
  ['an attribute by its alias', part('', 'id="1" label="a"'), single({ name: 'a' })],
  ['leaves', part('<tags>a</tags><tags/><tags>c</tags>'), single({ tags: ['a', '', 'c'] })],
  ['leaves by alias and name, among others', part('<tag>a</tag><title>t</title><tags>b</tags>'), single({ tags: ['a', 'b'], title: 't' })],
  ['numbers with white space around', part('<weight> 12\n</weight><sizes>1</sizes><sizes> 2 </sizes>'), single({ weight: 12, sizes: [1, 2] })],
  ['an empty child', part('<note/>'), single({ note: {} })],
  ['a child with text', part('<note lang="en"> x </note>'), single({ note: { value: ' x ', lang: 'en' } })],
  ['a child with a number as text', part('<count unit="kg"> 5 </count>'), single({ count: { value: 5, unit: 'kg' } })],
  ['a child without the text it may have', part('<count unit="kg"></count>'), single({ count: { unit: 'kg' } })],
  ['children by XML name and by property name', part('<remark>a</remark><notes>b</notes>'), single({ notes: [{ value: 'a' }, { value: 'b' }] })],
  ['children in themselves', part('<parts id="2"><parts id="3"/></parts><parts id="4"/>'), single({ parts: [{ id: 2, parts: [{ id: 3 }] }, { id: 4 }] })],
  ['an empty container', message('<parts/>'), catalogue({ parts: {} })],
  ['a container with its items', message('\n<parts mode="x">\n <part id="1"/>\r\n\t<note>n</note> <part id="2"/> </parts>\n'), catalogue({ parts: { mode: 'x', part: [{ id: 1 }, { id: 2 }], note: { value: 'n' } } })],
]

// prettier-ignore
const faulty: [what: string, xml: string, faults: string[]][] = [
  ['an unknown element', part('<titel>x</titel>'), ['/catalogue/single/part/titel: unknown element; allowed here: title, weight, tags, sizes, note, remark, count, parts']],
  ['an unknown element with all that is in it', message('<x a="1">text<title/><y><z/></y></x><title>t</title>'), ['/catalogue/x: unknown element; allowed here: title, single, parts, notes']],
  ['an element in a leaf', message('<title>a<b/>c</title>'), ['/catalogue/title/b: unknown element; none is allowed here']],
  ['an unknown attribute', part('', 'id="1" colour="red"'), ['/catalogue/single/part/@colour: unknown attribute; allowed here: id, name, size, ratio, isNew, visible, since, kind']],
  ['an attribute of a leaf', part('<tags>a</tags><tags b="1">c</tags>'), ['/catalogue/single/part/tags[2]/@b: unknown attribute; none is allowed here']],
  ['a prefixed attribute', message('', 'version="1" xmlns:o="http://www.apollon.de/omn" o:version="2"'), ['/catalogue/@o:version: unknown attribute; allowed here: version']],
  ['another attribute of schemas', message('', 'version="1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"'), ['/catalogue/@xsi:nil: unknown attribute; allowed here: version']],
  ['an xml: attribute', part('<note xml:lang="en"/>'), ['/catalogue/single/part/note/@xml:lang: unknown attribute; allowed here: lang']],
  ['an attribute under two names', part('', 'id="1" name="a" label="b"'), ['/catalogue/single/part/@label: this attribute is an alias of another attribute that is present']],
  ['fields that JSON alone has', part('<extra/><anything/>'), ['extra', 'anything'].map((name) => `/catalogue/single/part/${name}: unknown element; allowed here: title, weight, tags, sizes, note, remark, count, parts`)],
  ['a field name that every object has', part('<constructor/><__proto__><a/></__proto__>', 'id="1" toString="x"'), [
    '/catalogue/single/part/@toString: unknown attribute; allowed here: id, name, size, ratio, isNew, visible, since, kind',
    ...['constructor', '__proto__'].map((name) => `/catalogue/single/part/${name}: unknown element; allowed here: title, weight, tags, sizes, note, remark, count, parts`)]],
  ['a repeated leaf', message('<title>a</title><title/>'), ['/catalogue/title: this element may occur only once']],
  ['a repeated leaf after a bad one', part('<weight>x</weight><weight>1</weight>'), [`/catalogue/single/part/weight: 'x' is not a whole number from -9223372036854775808 to 9223372036854775807`, '/catalogue/single/part/weight: this element may occur only once']],
  ['a repeated child', message('<parts/><parts><part id="x"/></parts>'), ['/catalogue/parts: this element may occur only once']],
  ['text among elements', message('<single> a <part id="1"/> b </single>x'), [`/catalogue/single: text is not allowed here: 'a'`, `/catalogue: text is not allowed here: 'x'`]],
  ['text in one element after another', message('<single>a</single><parts>b</parts>'), [`/catalogue/single: text is not allowed here: 'a'`, `/catalogue/parts: text is not allowed here: 'b'`]],
  ['a missing attribute', message('<single><part/></single>'), ['/catalogue/single/part/@id: this attribute is missing']],
  ['a missing attribute of the root', message('', ''), ['/catalogue/@version: this attribute is missing']],
  ['a bad attribute, which is not missing as well', part('', 'id=""'), [`/catalogue/single/part/@id: '' is not a whole number from -9223372036854775808 to 9223372036854775807`]],
  ['a bad attribute by its alias', part('<parts id="1"/><parts id="2" kind="huge"/>'), [`/catalogue/single/part/parts[2]/@kind: 'huge' is not one of 'big', 'small'`]],
  ['a bad leaf', part('<sizes>1</sizes><sizes>x</sizes><sizes>3</sizes><sizes/>'), [`/catalogue/single/part/sizes[2]: 'x' is not a whole number from -2147483648 to 2147483647`, `/catalogue/single/part/sizes[4]: '' is not a whole number from -2147483648 to 2147483647`]],
  ['a bad text', part('<count>x</count>'), [`/catalogue/single/part/count: 'x' is not a whole number from -9223372036854775808 to 9223372036854775807`]],
  ['faults in several items', message('<parts><part id="1"/><part><tags/><parts id="x"/></part><part id="3"><parts id="4"/><parts/></part></parts>'), [
    `/catalogue/parts/part[2]/parts[1]/@id: 'x' is not a whole number from -9223372036854775808 to 9223372036854775807`,
    '/catalogue/parts/part[2]/@id: this attribute is missing',
    '/catalogue/parts/part[3]/parts[2]/@id: this attribute is missing']],
  ['a foreign root', '<x/>', ['/x: this is not a message of Kontor, which begins with <catalogue xmlns="http://www.apollon.de/omn">; convert it, or import its data as CSV, XLSX, BMEcat or GS1 XML']],
  ['another format', '<BMECAT xmlns="http://www.bmecat.org/bmecat/2005" version="2005"><HEADER/></BMECAT>', ['/BMECAT: this is not a message of Kontor, which begins with <catalogue xmlns="http://www.apollon.de/omn">; convert it, or import its data as CSV, XLSX, BMEcat or GS1 XML']],
  ['no namespace', '<catalogue version="1"><title/></catalogue>', ['/catalogue: this element is in no namespace; declare xmlns="http://www.apollon.de/omn"']],
  ['a default namespace that is missing', '<o:catalogue xmlns:o="http://www.apollon.de/omn" version="1"><title/></o:catalogue>', ['/catalogue/title: this element is in no namespace; declare xmlns="http://www.apollon.de/omn"']],
  ['another root', `<pim ${xmlns}/>`, ['/pim: the root element must be <catalogue>']],
  ['another namespace', message('<o:title xmlns:o="urn:other">x</o:title><title xmlns="">y</title><title>z</title>'), [
    `/catalogue/o:title: this element is in the namespace 'urn:other'; declare xmlns="http://www.apollon.de/omn"`,
    '/catalogue/title: this element is in no namespace; declare xmlns="http://www.apollon.de/omn"']],
]

// prettier-ignore
const broken: [what: string, xml: string, faults: string[]][] = [
  ['nothing', '', ['/: the message has no root element (line 1, column 1)']],
  ['a wrong end tag', part('\n<title>x</titel>'), [`/catalogue/single/part/title: <title> must be closed by </title>, not by '</titel>' (line 2, column 9)`]],
  ['a cut', part('').slice(0, -5), [`/catalogue: the message ends within '</catal' (line 1, column 95)`]],
  ['a DTD', `<!DOCTYPE catalogue [<!ENTITY a "b">]>${message('<title>&a;</title>')}`, ['/: a document type declaration (<!DOCTYPE) is not supported; leave it out (line 1, column 1)']],
  ['an entity', message('<title>&a;</title>'), ['/catalogue/title: &a; is unknown: entity definitions are not supported (line 1, column 65)']],
  ['a broken unknown element', message('<x><y></x>'), ['/catalogue/x: unknown element; allowed here: title, single, parts, notes', `/catalogue/x/y: <y> must be closed by </y>, not by '</x>' (line 1, column 64)`]],
  ['a broken item after a faulty one', message('<parts><part/><part id="2"><'), ['/catalogue/parts/part[1]/@id: this attribute is missing', `/catalogue/parts/part[2]: a name is missing (line 1, column 86)`]],
]

describe('the XML reader', () => {
  test.each(values)('reads %s', (_what, xml, value) => {
    expect(read(xml)).toEqual(value)
    expect(read(xml, {}, 1)).toEqual(value)
  })
  test.each(faulty)('reports %s', (_what, xml, faults) => {
    expect(textsOf(faultsOf(xml))).toEqual(faults)
    expect(textsOf(faultsOf(xml, {}, 1))).toEqual(faults)
  })
  test.each(broken)('stops at %s', (_what, xml, faults) => {
    expect(textsOf(faultsOf(xml))).toEqual(faults)
    expect(textsOf(faultsOf(xml, {}, 1))).toEqual(faults)
  })

  test(`reports at most ${maxFaults} faults`, () => {
    const faults = faultsOf(message(`<parts>${'<part/>'.repeat(100)}</parts>`))
    expect(faults).toHaveLength(maxFaults)
    expect(faults.at(-1)!.path).toBe(`/catalogue/parts/part[${maxFaults}]/@id`)
    expect(faultsOf(message(`<parts>${'<part/>'.repeat(100)}`))).toHaveLength(maxFaults)
  })

  test('handles hundreds of thousands of faults quickly', () => {
    const start = performance.now()
    expect(faultsOf(message(`<parts>${'<x/><part y="1"/>x'.repeat(100_000)}</parts>`))).toHaveLength(maxFaults)
    expect(performance.now() - start).toBeLessThan(5000)
  })

  test('reads text next to elements, but ignores white space between them', () => {
    const Mixed = type('mixed', '', { value: text(), note: child(() => Note) })
    const readMixed = (content: string) => {
      const reader = xmlReader(Mixed)
      reader.write(Buffer.from(`<mixed ${xmlns}>${content}</mixed>`))
      return reader.end()
    }
    expect(readMixed('\n <note/>\n')).toEqual({ note: {} })
    expect(readMixed(' a <note/> b')).toEqual({ value: ' a  b', note: {} })
    expect(readMixed(' ')).toEqual({ value: ' ' })
  })

  test('accepts only described names: no input reaches a prototype', () => {
    faultsOf(part('<__proto__><polluted>1</polluted></__proto__>', 'id="1" __proto__="x"'))
    expect(({} as Record<string, unknown>).polluted).toBe(undefined)
  })
})

const rich = `<?xml version="1.0" encoding="ENCODING"?>\r
<!-- ä --><o:catalogue xmlns:o="http://www.apollon.de/omn" ${xmlns} version='a&amp;"ä€\u{1f600}'>\r
  <title>x &lt; &#x1F600; ]] &gt;\r\n\ty\u{1f600}ä</title><?pi ?>
  <o:parts mode="a\tb"><part id="1" name="&#10;"/><!-- - --><part id="2"><tags>a</tags><tags><![CDATA[<]]]]><![CDATA[>]]></tags></part\n ></o:parts>
</o:catalogue>\n<!-- end -->`
const richValue = {
  version: 'a&"ä€\u{1f600}',
  title: 'x < \u{1f600} ]] >\n\ty\u{1f600}ä',
  parts: {
    mode: 'a b',
    part: [
      { id: 1, name: '\n' },
      { id: 2, tags: ['a', '<]]>'] },
    ],
  },
}

function encoded(xml: string, encoding: 'utf-8' | 'utf-16le' | 'utf-16be', mark = ''): Uint8Array {
  const bytes = Buffer.from(mark + xml, encoding === 'utf-8' ? 'utf8' : 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

describe('the encoding of a message', () => {
  const bom = '\ufeff'
  const declared = (encoding: string) => rich.replace('ENCODING', encoding)
  // prettier-ignore
  const readable: [what: string, bytes: Uint8Array, charset?: string][] = [
    ['is UTF-8', encoded(declared('UTF-8'), 'utf-8')],
    ['is UTF-8 with a byte order mark', encoded(declared('utf-8'), 'utf-8', bom)],
    ['is UTF-8 with nothing declared', encoded(rich.slice(rich.indexOf('?>') + 4), 'utf-8')],
    ['is UTF-16, little end first, by its mark', encoded(declared('UTF-16'), 'utf-16le', bom)],
    ['is UTF-16, big end first, by its mark', encoded(declared('UTF-16'), 'utf-16be', bom)],
    ['is UTF-16, little end first, without a mark', encoded(declared('UTF-16'), 'utf-16le')],
    ['is UTF-16, big end first, without a mark', encoded(declared('utf-16be'), 'utf-16be')],
    ['is what the transport says: UTF-8', encoded(declared('UTF-16'), 'utf-8'), 'UTF-8'],
    ['is what the transport says: UTF-16 with a mark', encoded(declared('UTF-8'), 'utf-16le', bom), 'utf-16'],
    ['is what the transport says: UTF-16 without a mark', encoded(declared('UTF-8'), 'utf-16be'), 'utf-16'],
    ['is what the transport says: UTF-16 that does not begin with <', encoded(`\n${rich.slice(rich.indexOf('?>') + 4)}`, 'utf-16be'), 'utf-16'],
    ['is what the transport says: UTF-16LE', encoded(declared('UTF-8'), 'utf-16le'), 'UTF-16LE'],
  ]
  test.each(readable)('%s', (_what, bytes, charset) => {
    for (const size of [1, 2, 3, 7, 1000]) expect(read(bytes, { charset }, size)).toEqual(richValue)
  })
  test.each(readable.slice(0, 7))('%s, wherever the message is cut in two', (_what, bytes, charset) => {
    for (let at = 0; at <= bytes.length; at++) {
      const reader = xmlReader(Catalogue, { charset })
      reader.write(bytes.subarray(0, at))
      reader.write(bytes.subarray(at))
      expect(reader.end()).toEqual(richValue)
    }
  })

  // prettier-ignore
  const unreadable: [what: string, bytes: Uint8Array, charset: string | undefined, fault: string][] = [
    ['cannot be another', encoded(declared('ISO-8859-1'), 'utf-8'), undefined, '/: the encoding ISO-8859-1 is not supported; send UTF-8 or UTF-16 (line 1, column 1)'],
    ['cannot be another by the transport', encoded(declared('UTF-8'), 'utf-8'), 'windows-1252', '/: the encoding windows-1252 is not supported; send UTF-8 or UTF-16 (line 1, column 1)'],
    ['must be the one declared: UTF-8', encoded(declared('UTF-8'), 'utf-16le', bom), undefined, '/: the message declares UTF-8, but is encoded in utf-16le (line 1, column 1)'],
    ['must be the one declared: UTF-16', encoded(declared('UTF-16'), 'utf-8'), undefined, '/: the message declares UTF-16, but is encoded in utf-8 (line 1, column 1)'],
    ['must be kept to: UTF-8', Buffer.concat([Buffer.from(`<catalogue ${xmlns}>`), Buffer.from([0xe4, 0x20])]), undefined, '/: the message is not valid utf-8 (line 1, column 1)'],
    ['must be kept to: no overlong forms', Buffer.from([0x3c, 0xc0, 0xbc]), undefined, '/: the message is not valid utf-8 (line 1, column 1)'],
    ['must be kept to: no halves of pairs in UTF-8', Buffer.from([0x3c, 0xed, 0xa0, 0x80]), undefined, '/: the message is not valid utf-8 (line 1, column 1)'],
    ['must be kept to: no halves of pairs in UTF-16', Buffer.from('<a>\ud800</a>', 'utf16le'), undefined, '/: the message is not valid utf-16le (line 1, column 1)'],
    ['must be kept to: no half character at the end', Buffer.from([...Buffer.from('<'), 0xc3]), undefined, `/: the message is not valid utf-8 (line 1, column 1)`],
    ['must be the one of the transport', encoded(declared('UTF-16'), 'utf-16le', bom), 'utf-8', '/: the message is not valid utf-8 (line 1, column 1)'],
  ]
  test.each(unreadable)('%s', (_what, bytes, charset, fault) => {
    expect(textsOf(faultsOf(bytes, { charset }))).toEqual([fault])
  })
})

describe('a sink', () => {
  function streamed(xml: string, options?: ReadOptions, size?: number) {
    const items: [string, object][] = []
    let shell: object | undefined
    const faults: Fault[] = []
    try {
      shell = read(xml, { ...options, sink: (container, item) => items.push([container, item]) }, size)
    } catch (error) {
      faults.push(...(error as BadMessage).faults)
    }
    return { items, shell, faults: textsOf(faults) }
  }

  test('receives the items of every container, and the shell contains the rest', () => {
    const xml = message(
      '<parts mode="x"><part id="1"/><note>n</note><part id="2"><parts id="3"/></part></parts><title>t</title><notes><note>a</note></notes>',
    )
    const expected = {
      items: [
        ['parts', { id: 1 }],
        ['parts', { id: 2, parts: [{ id: 3 }] }],
        ['notes', { value: 'a' }],
      ],
      shell: catalogue({ parts: { mode: 'x', note: { value: 'n' } }, title: 't', notes: {} }),
      faults: [],
    }
    expect(streamed(xml)).toEqual(expected)
    expect(streamed(xml, {}, 1)).toEqual(expected)
  })

  test('receives an item as soon as it is complete', () => {
    const received: object[] = []
    const reader = xmlReader(Catalogue, { sink: (_container, item) => received.push(item) })
    reader.write(Buffer.from(`<catalogue ${xmlns}><parts><part id="1"></part`))
    expect(received).toEqual([])
    reader.write(Buffer.from('><part id="2"/><part'))
    expect(received).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('does not receive a faulty item, but receives the other items', () => {
    const xml = message(
      '<parts><part id="1"/><part id="2"><x/></part><part/><part id="4"/></parts><parts><part id="5"/></parts>',
    )
    const { items, faults } = streamed(xml)
    expect(items).toEqual([
      ['parts', { id: 1 }],
      ['parts', { id: 4 }],
    ])
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      '/catalogue/parts/part[2]/x',
      '/catalogue/parts/part[3]/@id',
      '/catalogue/parts',
    ])
  })

  test('each container numbers its own items', () => {
    const { faults } = streamed(message('<parts><part id="1"/><part/></parts><notes><note/><note x="1"/></notes>'))
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      '/catalogue/parts/part[2]/@id',
      '/catalogue/notes/note[2]/@x',
    ])
  })

  test('does not receive items of a repeated field: a container occurs only once', () => {
    const Groups = type('groups', '', { group: children(() => type('group', '', { note: children(() => Note) })) })
    const reader = xmlReader(Groups, { sink: () => expect.unreachable() })
    reader.write(Buffer.from(`<groups ${xmlns}><group><note/><note/></group><group><note>a</note></group></groups>`))
    expect(reader.end()).toEqual({ group: [{ note: [{}, {}] }, { note: [{ value: 'a' }] }] })
  })

  test('satisfies a container that requires items', () => {
    const Strict = type('strict', '', { list: child(() => type('list', '', { note: required(children(() => Note)) })) })
    const readStrict = (content: string) => {
      const reader = xmlReader(Strict, { sink: () => {} })
      reader.write(Buffer.from(`<strict ${xmlns}>${content}</strict>`))
      return reader.end()
    }
    expect(readStrict('<list><note/></list>')).toEqual({ list: {} })
    expect(() => readStrict('<list/>')).toThrow('/strict/list/note: this element is missing')
  })

  test('receives only items of the root’s containers', () => {
    const { items, shell } = streamed(message('<single><part id="1"><parts id="2"/></part></single>'))
    expect(items).toEqual([])
    expect(shell).toEqual(single({ parts: [{ id: 2 }] }))
  })
})

describe('the limits of a message', () => {
  const limits = { depth: 5, text: 50, attributes: 4, item: 300 }
  const xs = (count: number) => 'x'.repeat(count)
  const note = `<note lang="${xs(50)}">${xs(50)}</note>`
  const item = (size: number) => `<part id="1"><!--${xs(size - 27)}--></part>`
  const shell = (size: number) => message(`<single/>${' '.repeat(size - message('<single/>').length)}`)
  // prettier-ignore
  const bounds: [what: string, within: string, beyond: string, fault: string][] = [
    ['text', message(`<title>${xs(50)}</title>`), message(`<title>${xs(51)}</title>`), '/catalogue/title: the text is longer than 50 characters'],
    ['text in parts', message(`<title>${xs(45)}<!---->&lt;<![CDATA[xxxx]]></title>`), message(`<title>${xs(45)}<!---->&lt;<![CDATA[xxxxx]]></title>`), '/catalogue/title: the text is longer than 50 characters'],
    ['an attribute', part('', `id="1" name="${xs(50)}"`), part('', `id="1" name="${xs(51)}"`), '/catalogue/single: the attribute name is longer than 50 characters'],
    ['nesting', part('<parts id="2"><parts id="3"/></parts>'), part('<parts id="2"><parts id="3"><title/></parts></parts>'), '/catalogue/single/part/parts[1]/parts[1]: elements are nested more than 5 levels deep'],
    ['an item', message(`<parts>${item(300)}${item(300)}</parts>`), message(`<parts>${item(300)}${item(301)}</parts>`), '/catalogue/parts/part[2]: an item, or the message without its items, is larger than 300 bytes'],
    ['the shell, including other fields of a container', message(`<parts>${note}</parts>${' '.repeat(300 - message(note).length)}`), message(`<parts>${note}</parts>${' '.repeat(301 - message(note).length)}`), '/: an item, or the message without its items, is larger than 300 bytes'],
    ['the shell', shell(300), shell(301), '/: an item, or the message without its items, is larger than 300 bytes'],
  ]
  test.each(bounds)('hold for %s', (_what, within, beyond, fault) => {
    for (const sink of [undefined, () => {}]) {
      expect(textsOf(faultsOf(within, { limits, sink }))).toEqual([])
      expect(textsOf(faultsOf(within, { limits, sink }, 1))).toEqual([])
      expect(textsOf(faultsOf(beyond, { limits, sink }))[0]).toContain(fault)
      expect(textsOf(faultsOf(beyond, { limits, sink }, 1))[0]).toContain(' than ')
    }
  })

  test('ignore content between items', () => {
    const gaps = message(`<parts>${`${' '.repeat(200)}${item(100)}`.repeat(20)}</parts>`)
    expect(faultsOf(gaps, { limits, sink: () => {} })).toEqual([])
  })

  test('are measured in bytes for multi-byte characters', () => {
    const xml = (size: number) => message(`<title>${'\u4e00'.repeat(size)}</title>`)
    const bytes = { ...defaultLimits, item: 3000 }
    expect(faultsOf(xml(900), { limits: bytes })).toEqual([])
    expect(faultsOf(xml(1000), { limits: bytes })).toHaveLength(1)
  })

  test('allow a message of any length, in constant memory', () => {
    const chunk = Buffer.from(`<part id="1"><tags>${xs(1000)}</tags></part>`.repeat(60))
    let items = 0
    const reader = xmlReader(Catalogue, { sink: () => items++, limits: { ...defaultLimits, item: 10_000 } })
    reader.write(Buffer.from(`<catalogue ${xmlns} version="1"><parts>`))
    for (let i = 0; i < 300; i++) reader.write(chunk)
    reader.write(Buffer.from('</parts></catalogue>'))
    expect(reader.end()).toEqual(catalogue({ parts: {} }))
    expect(items).toBe(300 * 60)
  })
})

test('an `either` field is read as an attribute or as an element, but not as both', () => {
  const read = (product: string) =>
    decode(formats.xml, Products, Buffer.from(`<products ${xmlns}>${product}</products>`))
  const expected = { product: [{ name: 'Dinghy', node: '/Standard/Boats' }] }
  expect(read('<product node="/Standard/Boats"><name>Dinghy</name></product>')).toEqual(expected)
  expect(read('<product><name>Dinghy</name><node>/Standard/Boats</node></product>')).toEqual(expected)
  expect(() => read('<product node="/a"><node>/a</node></product>')).toThrow('/products/product[1]/node')
})
