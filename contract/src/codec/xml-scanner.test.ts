/** The XML scanner: tables of accepted and refused texts, and a comparison with another strict parser (saxes). */
import * as fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { defaultLimits, type Limits } from './codec.ts'
import { XmlScanner } from './xml-scanner.ts'

const home = 'urn:home'

type Event = { open: string; attributes: Record<string, string> } | { text: string } | 'close'

function addText(events: Event[], text: string): void {
  const last = events.at(-1)
  if (typeof last === 'object' && 'text' in last) last.text += text
  else events.push({ text })
}

/** The events of the scanner for a text in these pieces. Throws if the text is refused. */
function scan(pieces: Iterable<string>, limits: Limits = defaultLimits): Event[] {
  const events: Event[] = []
  const scanner = new XmlScanner(
    {
      open(name, _foreign, { count, names, values }) {
        const attributes = Array.from({ length: count }, (_, i) => [names[i]!.raw, values[i]!])
        events.push({ open: name.raw, attributes: Object.fromEntries(attributes) })
      },
      text: (source, from, to) => addText(events, source.slice(from, to)),
      close: () => void events.push('close'),
      encoding: () => undefined,
      fail(message) {
        throw new Error(message)
      },
    },
    limits,
    home,
  )
  for (const piece of pieces) scanner.write(piece)
  scanner.end()
  return events
}

function fault(xml: string, limits?: Limits): string {
  try {
    scan([xml], limits)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

const a = (...content: Event[]): Event[] => [{ open: 'a', attributes: {} }, ...content, 'close']
const attributed = (value: string): Event[] => [{ open: 'a', attributes: { b: value } }, 'close']

// prettier-ignore
const accepted: [xml: string, events: Event[]][] = [
  ['<a/>', a()],
  ['<a></a>', a()],
  ['<a\n></a\t>', a()],
  ['<?xml version="1.0"?><a/>', a()],
  [`<?xml version='1.0'\tencoding = 'utf-8' standalone="yes" ?>\n<a/>`, a()],
  ['<!-- - --><a/><!----><?p?>\n', a()],
  ['<?p?><?q a="<&"?><a/>', a()],
  ['<a>text</a>', a({ text: 'text' })],
  ['<a>x > y ] ]] ]>\t\n</a>', a({ text: 'x > y ] ]] ]>\t\n' })],
  ['<a>1\r\n2\r3\r\r\n4</a>', a({ text: '1\n2\n3\n\n4' })],
  ['<a>&lt;&gt;&amp;&quot;&apos;</a>', a({ text: `<>&"'` })],
  ['<a>&#9;&#xD;&#10;&#x1F600;&#55295;&#xfffd;&#0065;</a>', a({ text: '\t\r\n\u{1f600}\ud7ff\ufffdA' })],
  ['<a>x<!-- c -->y<?p i?>z</a>', a({ text: 'xyz' })],
  ['<a><![CDATA[<b>&amp;]]]]><![CDATA[>\r\n]]></a>', a({ text: '<b>&amp;]]>\n' })],
  ['<a><![CDATA[]]></a>', a()],
  ['<a b="1"/>', attributed('1')],
  ['<a b\n=\t"1" />', attributed('1')],
  [`<a b='"'></a>`, attributed('"')],
  [`<a b="'>"/>`, attributed(`'>`)],
  ['<a b=" x\t\n\r\n\ry "/>', attributed(' x    y ')],
  ['<a b="&#9;&#10;&#13;&lt;&amp;&quot;"/>', attributed('\t\n\r<&"')],
  ['<größe-\u{20000}.1/>', [{ open: 'größe-\u{20000}.1', attributes: {} }, 'close']],
  ['<a xmlns="urn:x" xmlns:p="urn:y"/>', a()],
  ['<p:a xmlns:p="urn:y" p:b="1" b="2"/>', [{ open: 'p:a', attributes: { 'p:b': '1', b: '2' } }, 'close']],
  ['<a xml:b="x"/>', [{ open: 'a', attributes: { 'xml:b': 'x' } }, 'close']],
  ['<__proto__ constructor="1"/>', [{ open: '__proto__', attributes: { constructor: '1' } }, 'close']],
]

// prettier-ignore
const refused: [xml: string, message: string][] = [
  ['', 'the message has no root element (line 1, column 1)'],
  [' \n', 'the message has no root element (line 2, column 1)'],
  ['<!-- only -->', 'the message has no root element (line 1, column 14)'],
  ['<a>', 'the message ends before </a> (line 1, column 4)'],
  ['<a', `the message ends within '<a' (line 1, column 1)`],
  ['<a>\n<b c="', `the message ends within '<b c="' (line 2, column 1)`],
  ['<a/><b/>', 'there is a second root element (line 1, column 5)'],
  ['<a/>x', 'there is text outside of the root element (line 1, column 5)'],
  ['x<a/>', 'there is text outside of the root element (line 1, column 1)'],
  ['<a/>&#32;', 'there is text outside of the root element (line 1, column 5)'],
  ['<![CDATA[ ]]><a/>', 'there is text outside of the root element (line 1, column 1)'],
  ['<a/></a>', 'there is an end tag outside of the root element (line 1, column 5)'],
  ['<a></b>', `<a> must be closed by </a>, not by '</b>' (line 1, column 4)`],
  ['<a></ab>', `'>' is missing after </a (line 1, column 7)`],
  ['<a></ a>', `<a> must be closed by </a>, not by '</ a>' (line 1, column 4)`],
  ['<ab></a>', `<ab> must be closed by </ab>, not by '</a>' (line 1, column 5)`],
  ['<a></a b="1">', `'>' is missing after </a (line 1, column 8)`],
  ['<>', 'a name is missing (line 1, column 2)'],
  ['< a/>', 'a name is missing (line 1, column 2)'],
  ['<1/>', `'1' is not a name (line 1, column 2)`],
  ['<a:/>', `'a:' is not a name (line 1, column 2)`],
  ['<:a/>', `':a' is not a name (line 1, column 2)`],
  ['<a:b:c/>', `'a:b:c' is not a name (line 1, column 2)`],
  ['<a\u00d7/>', `'a\u00d7' is not a name (line 1, column 2)`],
  ['<a b/>', `'=' is missing after the attribute name b (line 1, column 5)`],
  ['<a b=1/>', 'the value of the attribute b is not in quotation marks (line 1, column 6)'],
  ['<a b="1"c="2"/>', `white space or '>' is missing in the tag <a (line 1, column 9)`],
  ['<a b="<"/>', `'<' must be written as &lt; in an attribute value (line 1, column 7)`],
  ['<a b="1\n<c/>', `'<' must be written as &lt; in an attribute value (line 2, column 1)`],
  ['<a b="1" b="1"/>', '<a> has the attribute b more than once (line 1, column 1)'],
  ['<a / >', `'>' is missing after '/' (line 1, column 4)`],
  ['<a "b"/>', 'a name is missing (line 1, column 4)'],
  ['<a>]]></a>', `']]>' must be written as ]]&gt; in text (line 1, column 4)`],
  ['<a>&</a>', `'&' must be written as &amp; (line 1, column 4)`],
  ['<a>& b;</a>', `'&' must be written as &amp; (line 1, column 4)`],
  ['<a>&amp</a>', `'&' must be written as &amp; (line 1, column 4)`],
  ['<a b="&"/>', `'&' must be written as &amp; (line 1, column 7)`],
  ['<a>&nbsp;</a>', '&nbsp; is unknown: entity definitions are not supported (line 1, column 4)'],
  ['<a b="&copy;"/>', '&copy; is unknown: entity definitions are not supported (line 1, column 7)'],
  ['<a>&#0;</a>', '&#0; is not a character that XML allows (line 1, column 4)'],
  ['<a>&#x1F;</a>', '&#x1F; is not a character that XML allows (line 1, column 4)'],
  ['<a>&#xD800;</a>', '&#xD800; is not a character that XML allows (line 1, column 4)'],
  ['<a>&#xFFFE;</a>', '&#xFFFE; is not a character that XML allows (line 1, column 4)'],
  ['<a>&#x110000;</a>', '&#x110000; is not a character that XML allows (line 1, column 4)'],
  ['<a>&#99999999999999999999;</a>', '&#99999999999999999999; is not a character that XML allows (line 1, column 4)'],
  ['<a>&#;</a>', `'&' must be written as &amp; (line 1, column 4)`],
  ['<a>&#X41;</a>', '&#X41; is not a character that XML allows (line 1, column 4)'],
  ['<a>\u0000</a>', 'the character U+0000 is not allowed in XML (line 1, column 4)'],
  ['<a>\n\u001f', 'the character U+001F is not allowed in XML (line 2, column 1)'],
  ['<a b="\uffff"/>', 'the character U+FFFF is not allowed in XML (line 1, column 7)'],
  ['<!-- \u0001 --><a/>', 'the character U+0001 is not allowed in XML (line 1, column 6)'],
  ['<!-- -- --><a/>', `'--' is not allowed in a comment (line 1, column 6)`],
  ['<!-- ---><a/>', `'--' is not allowed in a comment (line 1, column 6)`],
  ['<!DOCTYPE a><a/>', 'a document type declaration (<!DOCTYPE) is not supported; leave it out (line 1, column 1)'],
  ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'a document type declaration (<!DOCTYPE) is not supported; leave it out (line 1, column 1)'],
  ['<!ENTITY b "c"><a/>', `'<!ENTITY ' is not allowed here (line 1, column 1)`],
  ['<a><![cdata[x]]></a>', `'<![cdata[' is not allowed here (line 1, column 4)`],
  [' <?xml version="1.0"?><a/>', 'the XML declaration is allowed only at the very beginning (line 1, column 2)'],
  ['<a><?XML?></a>', 'the XML declaration is allowed only at the very beginning (line 1, column 4)'],
  ['<?xml version="1.1"?><a/>', 'only XML 1.0 is supported (line 1, column 1)'],
  ['<?xml version="2.0"?><a/>', 'the XML declaration is not well formed (line 1, column 1)'],
  ['<?xml encoding="UTF-8"?><a/>', 'the XML declaration is not well formed (line 1, column 1)'],
  ['<?xml version="1.0" standalone="maybe"?><a/>', 'the XML declaration is not well formed (line 1, column 1)'],
  ['<?XML version="1.0"?><a/>', 'the XML declaration is not well formed (line 1, column 1)'],
  ['<? p?><a/>', 'a name is missing (line 1, column 3)'],
  ['<?p:q?><a/>', 'a processing instruction needs a name without colon (line 1, column 1)'],
  ['<?p+?><a/>', 'white space is missing after <?p (line 1, column 4)'],
  ['<p:a/>', `the prefix of 'p:a' is not bound to a namespace (line 1, column 1)`],
  ['<a p:b="1"/>', `the prefix of 'p:b' is not bound to a namespace (line 1, column 1)`],
  ['<a><b xmlns:p="urn:p"/><p:c/></a>', `the prefix of 'p:c' is not bound to a namespace (line 1, column 24)`],
  ['<a xmlns:p=""/>', `the prefix 'p' cannot be bound to an empty namespace (line 1, column 1)`],
  ['<a xmlns:xmlns="urn:x"/>', `xmlns:xmlns cannot be bound to 'urn:x' (line 1, column 1)`],
  ['<a xmlns:xml="urn:x"/>', `xmlns:xml cannot be bound to 'urn:x' (line 1, column 1)`],
  ['<a xmlns="http://www.w3.org/2000/xmlns/"/>', `xmlns cannot be bound to 'http://www.w3.org/2000/xmlns/' (line 1, column 1)`],
]

describe('the scanner', () => {
  test.each(accepted)('accepts %j', (xml, events) => {
    expect(scan([xml])).toEqual(events)
    expect(scan(xml)).toEqual(events)
  })
  test.each(refused)('refuses %j', (xml, message) => {
    expect(fault(xml)).toBe(message)
    expect(() => scan(xml)).toThrow()
  })
})

test('the scanner distinguishes thousands of names', () => {
  const names = Array.from({ length: 3000 }, (_, i) => `n${i.toString(36)}`)
  const xml = `<a>${[...names, ...names].map((name) => `<${name} ${name}=""/>`).join('')}</a>`
  const opened = scan([xml]).flatMap((event) => (event !== 'close' && 'open' in event ? [event] : []))
  expect(opened.slice(1)).toEqual([...names, ...names].map((name) => ({ open: name, attributes: { [name]: '' } })))
})

/** Cases in which saxes is more lenient than the specification or than our scanner. */
const stricter = /^(white space is missing after <\?|only XML 1\.0 |'\S+:\S+' is not a name)/

/** The events of saxes in our notation, or undefined if it refuses the text. */
function scanBySaxes(xml: string): Event[] | undefined {
  const events: Event[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ name, attributes }) => {
    const own = Object.values(attributes).filter((attribute) => !/^xmlns(:|$)/.test(attribute.name))
    events.push({
      open: name,
      attributes: Object.fromEntries(own.map((attribute) => [attribute.name, attribute.value])),
    })
  })
  parser.on('text', (text) => events.length > 0 && addText(events, text))
  parser.on('cdata', (text) => text !== '' && addText(events, text))
  parser.on('closetag', () => events.push('close'))
  try {
    parser.write(xml).close()
  } catch {
    return undefined
  }
  return events.slice(0, events.lastIndexOf('close') + 1)
}

const rich = `<?xml version="1.0" encoding="UTF-8" standalone='no'?>
<!-- a - comment --><?pi some "thing"?>
<pim xmlns="urn:home" xmlns:p='urn:home' schemaVersion="5.6.0">\r\n  <meta><itm key="a&amp;b" pos='1'>x &lt; y &#x1F600; ]] ></itm></meta>
\t<p:products mode = "delta"><product tid="ä€\u{1f600}" xmlns:q="urn:q"\n q:x="1"><name><![CDATA[<b>]]]]><![CDATA[>&amp;]]></name><empty/></product
></p:products><!----><größe.1-x _a="&quot;&#9;'"></größe.1-x>
</pim><!-- end --><?last?>
`
const inserts =
  `< > & ; " ' / = ? ! ]]> -- --> <!-- <![CDATA[ <? ?> &# &#x0; &amp; : xmlns:z="" <a/> </pim> \0 \r \ufffe`.split(' ')
const mutations = fc.array(
  fc.tuple(
    fc.constantFrom('flip', 'delete', 'double', 'cut', 'insert'),
    fc.nat(),
    fc.nat(40),
    fc.constantFrom(...inserts),
  ),
  { minLength: 1, maxLength: 3 },
)

/** A valid document with a few characters changed, deleted, doubled, cut off or inserted. */
const damaged = mutations.map((mutations) => {
  let bytes = [...new TextEncoder().encode(rich)]
  for (const [kind, place, size, insert] of mutations) {
    const at = place % bytes.length
    if (kind === 'flip') bytes[at]! ^= 1 << (size % 8)
    else if (kind === 'delete') bytes.splice(at, size)
    else if (kind === 'double') bytes.splice(at, 0, ...bytes.slice(at, at + size))
    else if (kind === 'insert') bytes.splice(at, 0, ...new TextEncoder().encode(insert))
    else bytes = bytes.slice(0, at + 1)
  }
  return new Uint8Array(bytes)
})

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

test('the scanner agrees with saxes about damaged documents in pieces of any size', () => {
  fc.assert(
    fc.property(damaged, fc.integer({ min: 1, max: 50 }), (bytes, size) => {
      const xml = textOf(bytes)
      fc.pre(xml !== undefined)
      const pieces = Array.from({ length: Math.ceil(xml.length / size) }, (_, i) => xml.slice(i * size, (i + 1) * size))
      const theirs = scanBySaxes(xml)
      const ours = fault(xml)
      if (ours === 'accepted') {
        expect(scan([xml])).toEqual(theirs)
        expect(scan(pieces)).toEqual(theirs)
      } else {
        if (!stricter.test(ours)) expect([ours, theirs]).toEqual([ours, undefined])
        expect(() => scan(pieces)).toThrow()
      }
    }),
    { numRuns: 3000 },
  )
})

describe('a hostile message', () => {
  const limits = { depth: 4, text: 1000, attributes: 20, item: 5000 }
  const attributes = (count: number) => Array.from({ length: count }, (_, i) => ` a${i}=""`).join('')

  // prettier-ignore
  const bounds: [what: string, within: string, beyond: string, message: string][] = [
    ['nesting', '<a><a><a><a/></a></a></a>', '<a><a><a><a><a/></a></a></a></a>', 'elements are nested more than 4 levels deep (line 1, column 13)'],
    ['attributes', `<a${attributes(20)}/>`, `<a${attributes(21)}/>`, 'an element has more than 20 attributes (line 1, column 1)'],
    ['an attribute', `<a b="${'x'.repeat(1000)}"/>`, `<a b="${'x'.repeat(1001)}"/>`, 'the attribute b is longer than 1000 characters (line 1, column 1)'],
    ['a name', `<${'x'.repeat(128)}/>`, `<${'x'.repeat(129)}/>`, 'a name is longer than 128 characters (line 1, column 2)'],
    ['an attribute name', `<a ${'x'.repeat(128)}="1"/>`, `<a ${'x'.repeat(129)}="1"/>`, 'a name is longer than 128 characters (line 1, column 4)'],
  ]
  test.each(bounds)('is refused beyond the limit on %s', (_what, within, beyond, message) => {
    expect(fault(within, limits)).toBe('accepted')
    expect(fault(beyond, limits)).toBe(message)
    expect(() => scan(within, limits)).not.toThrow()
    expect(() => scan(beyond, limits)).toThrow()
  })

  test('cannot buffer more than the limit of an item', () => {
    expect(() => scan(`<a>${' '.repeat(9000)}<!--${'x'.repeat(4990)}--></a>`, limits)).not.toThrow()
    expect(() => scan(`<a><!--${'x'.repeat(6000)}--></a>`, limits)).toThrow('is longer than 5000 characters')
    expect(() => scan(`<a b="${'x'.repeat(6000)}"/>`, limits)).toThrow('is longer than 5000 characters')
  })

  const many = 300_000
  /** Texts in pieces of one character, or of the given repeated ones. */
  function* bytewise(...parts: (string | [string, number])[]) {
    for (const part of parts)
      if (typeof part === 'string') yield* part
      else for (let i = 0; i < part[1]; i++) yield part[0]
  }
  const whole = (...parts: (string | [string, number])[]) => [
    parts.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join(''),
  ]
  // prettier-ignore
  const tiresome: [what: string, pieces: () => Iterable<string>][] = [
    ['many comments', () => whole('<a>', ['<!---->', many], '</a>')],
    ['many comments of which each may be the end', () => whole('<a>', ['<!-- - - >-->', many / 10], '</a>')],
    ['many references', () => whole('<a b="', ['&#65;', many], '">', ['&amp;', many], '</a>')],
    ['many brackets', () => whole('<a>', [']', many], '</a>')],
    ['many line ends', () => whole('<a>', ['\r', many], ['\r\n', many], '</a>')],
    ['many namespace declarations', () => whole('<a>', ['<b xmlns:p="urn:p" xmlns="urn:q"/>', many / 5], '</a>')],
    ['many characters of an attribute, one by one', () => bytewise('<a b="', ['x', many], '"/>')],
    ['many line ends of an attribute, one by one', () => bytewise('<a b="', ['\n', many], '"/>')],
    ['many spaces in a tag, one by one', () => bytewise('<a', [' ', many], '/>')],
    ['many spaces in an end tag, one by one', () => bytewise('<a></a', [' ', many], '>')],
    ['many characters of text, one by one', () => bytewise('<a>', ['x', many], '</a>')],
    ['many brackets, one by one', () => bytewise('<a>', [']', many], '</a>')],
    ['many CR, one by one', () => bytewise('<a>', ['\r', many], '</a>')],
    ['many characters of a comment, one by one', () => bytewise('<!-- ', ['- ', many / 2], '--><a/>')],
    ['many characters of a CDATA section, one by one', () => bytewise('<a><![CDATA[', [']', many], ']]></a>')],
    ['many characters of an instruction, one by one', () => bytewise('<?p ', ['?', many], '?><a/>')],
    ['many characters after a quotation mark in a tag', () => bytewise('<a>', ['<b c="', 1], ['>', many], '"/></a>')],
  ]
  test.each(tiresome)('of %s takes time proportional to its length', (_what, pieces) => {
    const start = performance.now()
    expect(() => scan(pieces())).not.toThrow()
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  // prettier-ignore
  const endless: [what: string, begin: string, more: string, message: string][] = [
    ['nesting', '', '<a>', 'nested'],
    ['attributes', '<a', ' b="1" c="2"', 'longer than'],
    ['a name', '<', 'a', 'is longer than'],
    ['an attribute name', '<a ', 'a', 'is longer than'],
    ['a reference', '<a>&', '#', `'&' must be written`],
    ['a number of a reference', '<a>&#', '0', `'&' must be written`],
  ]
  test.each(endless)('of endless %s is refused early', (_what, begin, more, message) => {
    const start = performance.now()
    expect(() => scan(bytewise(begin, [more.repeat(1000), 100_000]))).toThrow(new RegExp(message))
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})
