/** Completion, spelling correction and highlights. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnalyser } from '../analysis/analyse.ts'
import { emptyLexicon } from '../analysis/compounds.ts'
import { runsOf } from '../analysis/tokenize.ts'
import { createTermTest } from '../analysis/term-test.ts'
import type { IndexSchema, Predicate, SearchDocument } from '../port.ts'
import { writeStrings, readStrings, textAt } from '../segment/strings.ts'
import { pack, unpack, type Sections } from '../segment/container.ts'
import { createIndex, type EmbeddedIndex } from '../store/generation-index.ts'
import { similarTerms } from './corrections.ts'
import { mostFrequent } from '../execute/top-counts.ts'
import { createHighlighter } from './highlight.ts'

const schema: IndexSchema = {
  locales: ['de_DE', 'en_GB'],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name', type: 'text', localized: true, weight: 3 },
    { name: 'body', type: 'text', localized: true, weight: 1, long: true },
    { name: 'brand', type: 'keyword' },
  ],
}
const document = (id: number, name: string, body = '', brand = ''): SearchDocument => ({
  id,
  fields: new Map([
    ['name', new Map([['de_DE', [name]]])],
    ['body', new Map([['de_DE', [body]]])],
    ['brand', new Map([['', [brand]]])],
  ]),
})

async function indexOf(...documents: SearchDocument[]) {
  return applied(createIndex({ schema }), documents)
}

async function applied(index: EmbeddedIndex, documents: readonly SearchDocument[]) {
  for (const each of documents) await index.apply({ put: [each], remove: [] }, String(each.id))
  return index
}

describe('type-ahead', () => {
  const documents = [
    document(1, 'Rote Größe', 'alte rote Schuhe', 'Acme'),
    document(2, 'Großer Schuh', 'rote weite Schürze', 'Acorn'),
    document(3, 'Großer Hut', 'geheim'),
  ]
  const texts = async (text: string, more: object = {}) => {
    const index = await indexOf(...documents)
    const { suggestions, corrections } = await index.typeAhead({ text, count: 5, ...more })
    return { suggestions: suggestions.map((each) => each.text), corrections }
  }

  test('the most frequent words come first, in their surface form', async () => {
    expect((await texts('gro')).suggestions).toEqual(['großer', 'größe'])
  })
  test('umlauts may be typed in any spelling', async () => {
    expect((await texts('schue')).suggestions.sort()).toEqual(['schuh', 'schuhe', 'schürze'])
  })
  test('a preceding word may match a compound', async () => {
    const lexicon = new Map([['de', new Set(['dam', 'schuh'])]])
    const index = await applied(createIndex({ schema, lexicon }), [document(1, 'Damenschuhe rot'), document(2, 'Rock')])
    const offered = async (text: string) => (await index.typeAhead({ text, count: 5 })).suggestions
    expect((await offered('schuh ro')).map(({ text }) => text)).toEqual(['schuh rot'])
    expect(await offered('hut ro')).toEqual([])
  })
  test('preceding words must precede the last one, with at most slop words in between', async () => {
    expect((await texts('rote sch')).suggestions).toEqual(['rote schuhe'])
    expect((await texts('rote sch', { slop: 1 })).suggestions.sort()).toEqual(['rote schuhe', 'rote schürze'])
    expect((await texts('schuhe ro')).suggestions).toEqual([])
  })
  test('repeated words do not slow down completion', async () => {
    const index = await indexOf(document(1, `${'rote '.repeat(200)}Schuhe`))
    const offered = async (text: string) => (await index.typeAhead({ text, count: 5, slop: 20 })).suggestions
    const typed = 'rote '.repeat(40)
    expect((await offered(`${typed}schu`)).map(({ text }) => text)).toEqual([`${typed}schuhe`])
    expect(await offered(`alte ${typed}schu`)).toEqual([])
  })
  test('only words of the requested field are offered, and the field is named', async () => {
    expect((await texts('sch', { field: 'name' })).suggestions).toEqual(['schuh'])
    const index = await indexOf(...documents)
    expect((await index.typeAhead({ text: 'hut', count: 5 })).suggestions).toEqual([{ text: 'hut', field: 'name' }])
  })
  test('a keyword field is completed by its values', async () => {
    expect((await texts('ac', { field: 'brand' })).suggestions).toEqual(['Acme', 'Acorn'])
  })
  test('words that occur only in hidden or deleted documents are not offered', async () => {
    const within: Predicate = { kind: 'ids', ids: [1, 2] }
    expect(await texts('geh', { within })).toEqual({ suggestions: [], corrections: [] })
    expect(await texts('gehiem', { within })).toEqual({ suggestions: [], corrections: [] })
    const index = await indexOf(...documents)
    await index.apply({ put: [], remove: [3] }, '4')
    expect((await index.typeAhead({ text: 'geh', count: 5 })).suggestions).toEqual([])
  })
  test('a word that is not a prefix of any term is corrected', async () => {
    expect((await texts('shcuhe')).corrections[0]).toBe('schuhe')
    expect((await texts('rote schuhr')).corrections).toContain('rote schuhe')
    expect((await texts('geheime', {})).corrections).toEqual(['geheim'])
  })
  test('words at distance two are offered only if there are none at distance one', async () => {
    const index = await indexOf(document(1, 'Jacket'), document(2, 'Packet'))
    const correct = async (text: string) => (await index.typeAhead({ text, count: 5 })).corrections
    expect(await correct('jackat')).toEqual(['jacket'])
    expect((await correct('kackat')).toSorted()).toEqual(['jacket', 'packet'])
  })
})

describe('corrections', () => {
  const dictionary = (words: string[]) => {
    const sections: Sections = new Map()
    writeStrings(sections, 'terms', words)
    return readStrings(unpack(pack({ meta: {}, sections })).sections, 'terms')
  }
  test('agree with a full edit distance table', () => {
    const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    const word = fc.string({ unit: letter, minLength: 1, maxLength: 8 })
    const edit = fc.record({ at: fc.nat(8), remove: fc.nat(2), insert: fc.string({ unit: letter, maxLength: 2 }) })
    fc.assert(
      fc.property(
        word,
        fc.array(edit, { maxLength: 40 }),
        fc.array(word, { maxLength: 20 }),
        (typed, edits, others) => {
          const near = edits.map(({ at, remove, insert }) => typed.slice(0, at) + insert + typed.slice(at + remove))
          const words = [...new Set([...near, ...others])].filter((each) => each !== '').sort()
          const terms = dictionary(words)
          const found = similarTerms(typed, 2)(terms).map(({ term, distance }) => [textAt(terms, term), distance])
          const wanted = words
            .map((each) => [each, distanceOf(each, typed)] as const)
            .filter(([, d]) => d > 0 && d <= 2)
          expect(found).toEqual(wanted)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

/** Edit distance with transpositions, by the full table. */
function distanceOf(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (__, j) => i || j))
  for (let j = 0; j <= b.length; j++) table[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    table[i]![0] = i
    for (let j = 1; j <= b.length; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      table[i]![j] = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1]),
        swap ? table[i - 2]![j - 2]! + 1 : Infinity,
      )
    }
  }
  return table[a.length]![b.length]!
}

test('the most frequent terms of a range are selected, with few others', () => {
  const stretch = fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2 ** 29 })))
  fc.assert(
    fc.property(stretch, fc.nat(3), fc.integer({ min: 1, max: 40 }), (counted, from, wanted) => {
      const counts = Uint32Array.from([9, 9, 9, ...counted, 9])
      const to = counted.length + 3
      const words = Array.from({ length: to - from }, (_, i) => from + i)
      const sorted = words.toSorted((a, b) => counts[b]! - counts[a]! || a - b)
      const found = mostFrequent(counts, from, to, wanted)
      expect(found).toEqual(sorted.slice(0, found.length).sort((a, b) => a - b))
      expect(found.length).toBeGreaterThanOrEqual(Math.min(words.length, wanted))
      expect(found.length).toBeLessThanOrEqual(2 * wanted)
    }),
    { numRuns: 500 },
  )
})

describe('highlights', () => {
  const fields = new Map(schema.fields.map((field) => [field.name, field]))
  const mark = (predicate: Predicate, text: string, field = 'name') =>
    createHighlighter({ schema, lexicon: emptyLexicon, analyserOf: createAnalyser }, predicate).highlight(
      fields.get(field)!,
      'de_DE',
      text,
    )
  const name = fields.get('name')!
  const text: Predicate = { kind: 'text', text: 'schuh rot' }

  test('words and their inflected forms are marked', () => {
    expect(mark(text, 'Alte rote Schuhe')).toEqual(['Alte <em>rote</em> <em>Schuhe</em>'])
  })
  test('markup in a text is escaped', () => {
    expect(mark(text, '<b>Schuh</b> & "rot"')).toEqual([
      '&lt;b&gt;<em>Schuh</em>&lt;/b&gt; &amp; &quot;<em>rot</em>&quot;',
    ])
  })
  test('a long text is cut into fragments around the matches', () => {
    const long = `${'vor '.repeat(50)}Schuh ${'nach '.repeat(80)}rot ende`
    const found = mark(text, long)
    expect(found).toHaveLength(2)
    expect(found.every((fragment) => fragment.length < 200 && fragment.includes('<em>'))).toBe(true)
  })
  test('words of negated or other conditions are not marked', () => {
    expect(mark({ kind: 'not', of: text }, 'rote Schuhe')).toEqual([])
    expect(mark({ kind: 'field', field: 'body', comparator: 'EQ', operands: ['rot'] }, 'rote Schuhe')).toEqual([])
    expect(mark({ kind: 'text', text: 'rot', locale: 'en_GB' }, 'rote Schuhe')).toEqual([])
  })
  test('exactly the runs that match are marked, in any spelling', () => {
    const lexicon = new Map([['de', new Set(['dam', 'schuh', 'leder'])]])
    const pieces = [
      'Schuh',
      'schuhe',
      'Damenschuhe',
      'Lederschuh',
      'Öl',
      'oel',
      'l’Öl',
      "d'oel",
      'M8x20',
      '20',
      'AB-20',
      'AB20',
    ]
    const run = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 6 }))
    const texts = fc.array(fc.tuple(run, fc.constantFrom(' ', '-', ',', 'e', '. ')), { maxLength: 8 })
    fc.assert(
      fc.property(texts, fc.constantFrom(...pieces), fc.boolean(), (textParts, looked, splits) => {
        const context = { schema, lexicon: splits ? lexicon : emptyLexicon, analyserOf: createAnalyser }
        const whole = textParts.flat().join('')
        const analyser = createAnalyser('de_DE')
        const wanted = analyser.clauses(looked).flatMap(({ any }) => any.flat())
        const isMarked = (term: string) => wanted.some((each) => createTermTest(analyser, context.lexicon, each)(term))
        const expected = runsOf(whole).filter((each) => analyser.wordsOfRun(each).some(({ term }) => isMarked(term)))
        const fragments = createHighlighter(context, { kind: 'text', text: looked }).highlight(name, 'de_DE', whole)
        const marked = fragments.join(' ').match(/(?<=<em>)[^<]*(?=<)/g) ?? []
        expect(marked).toEqual(expected.map((each) => each.replaceAll("'", '&#39;')))
      }),
      { numRuns: 500 },
    )
  })
  test('the number of query words hardly affects the speed', () => {
    const word = (number: number) => `wort${number.toString(26).replace(/\d/g, 'x')}`
    const looked = Array.from({ length: 4000 }, (_, i) => word(i)).join(' ')
    const others = Array.from({ length: 80_000 }, (_, i) => `${word(i)}z`).join(' ')
    const lexicon = new Map([['de', new Set(['schuh'])]])
    const context = { schema, lexicon, analyserOf: createAnalyser }
    const begun = performance.now()
    const { highlight } = createHighlighter(context, { kind: 'text', text: looked })
    expect(highlight(name, 'de_DE', `${others} ${word(77)}`)).toHaveLength(1)
    expect(performance.now() - begun).toBeLessThan(3000)
  })
  test('highlighting changes nothing but marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (around) => {
        const whole = `${around} Schuh ${around}`
        const [fragment = ''] = mark(text, whole)
        const plain = fragment
          .replace(/<\/?em>/g, '')
          .replace(
            /&(amp|lt|gt|quot|#39);/g,
            (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name]!,
          )
        expect(whole).toContain(plain)
      }),
    )
  })
})
