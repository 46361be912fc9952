/** Analysis of words and inflected forms, per language, with cases that are often wrong. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collatedOrder, createCollations } from '../collation.ts'
import { createAnalyser, type Clause } from './analyse.ts'
import { emptyLexicon, learnLexicon, partsOf } from './compounds.ts'
import { fold } from './fold.ts'
import { stem, stemmedLanguages, sharedPrefix } from './stem.ts'
import { createTermTest } from './term-test.ts'

const terms = (locale: string, text: string) =>
  createAnalyser(locale)
    .words(text)
    .map(({ term }) => term)

/** Whether a query finds a document with this text, ignoring fields and positions. */
function finds(locale: string, query: string, text: string, lexicon = emptyLexicon): boolean {
  const analyser = createAnalyser(locale)
  const words = terms(locale, text)
  const matches = ({ any }: Clause) =>
    any.some((all) => all.every((wanted) => words.some(createTermTest(analyser, lexicon, wanted))))
  return analyser.clauses(query).every(matches)
}

// prettier-ignore
const found: [locale: string, query: string, text: string][] = [
  ['de_DE', 'Häuser',       'ein Haus'],
  ['de_DE', 'Haeuser',      'Häuser'],
  ['de_DE', 'Haus',         'Haeuser'],
  ['de_DE', 'Größe',        'Groesse 40'],
  ['de_DE', 'Groesse',      'GRÖSSE'],
  ['de_DE', 'groß',         'große Größen'],
  ['de_DE', 'STRASSE',      'Straße'],
  ['de_DE', 'Straße',       'strasse'],
  ['de_DE', 'Müller',       'Mueller'],
  ['de_DE', 'Schuh',        'rote Schuhe'],
  ['de_DE', 'neue Mauer',   'neuer Mauern'],
  ['de_DE', 'Verkäuferin',  'Verkäuferinnen'],
  ['en_GB', 'shoe',         'red shoes'],
  ['en_GB', 'boxes',        'a box'],
  ['en_GB', 'battery',      'batteries'],
  ['en_GB', 'running',      'run'],
  ['en_GB', 'sized',        'sizes'],
  ['en_GB', 'men',          'Men’s shoes'],
  ['fr_FR', 'eau',          "bouteille d'eau"],
  ['fr_FR', "l'eau",        'eau'],
  ['fr_FR', 'été',          'collection ete'],
  ['fr_FR', 'œuvre',        'oeuvre'],
  ['fr_FR', 'oeuvres',      'œuvre'],
  ['fr_FR', 'chevaux',      'cheval'],
  ['fr_FR', 'bleues',       'bleu'],
  ['fr_FR', 'château',      'chateaux'],
  ['it_IT', 'scarpa',       'scarpe'],
  ['it_IT', 'bianche',      'bianco'],
  ['it_IT', 'acqua',        "dell'acqua"],
  ['es_ES', 'zapato',       'zapatos rojos'],
  ['es_ES', 'nino',         'niños'],
  ['es_ES', 'luz',          'luces'],
  ['es_ES', 'camión',       'camiones'],
  ['nl_NL', 'schoen',       'schoenen'],
  ['nl_NL', 'boom',         'bomen'],
  ['nl_NL', 'huizen',       'huis'],
  ['sv_SE', 'smorgas',      'Smörgås'],
  ['',      'Mueller',      'Müller'],
  ['',      'AB-1234/5',    'Art. AB-1234/5, neu'],
  ['',      'AB12345',      'AB-1234/5'],
  ['',      'ab-12345',     'AB12345'],
  ['',      '1234',         'AB-1234/5'],
  ['',      'AB-1234/5',    'AB 1234 5'],
  ['',      'M8',           'Schraube M8x20'],
  ['',      '20',           'M8x20'],
  ['',      'm8x20',        'M8x20'],
  ['',      '2024-05-01',   'ab 2024-05-01'],
  ['',      '1,5',          '1.5 l'],
  ['',      '1.234,50',     '1,234.50'],
  ['',      'm2',           '5 m²'],
  ['',      'finest',       'ﬁnest'],
]
test.each(found)('in %s, %s finds %s', (locale, query, text) => {
  expect(finds(locale, query, text)).toBe(true)
})

// prettier-ignore
const missed: [locale: string, query: string, text: string][] = [
  ['de_DE', 'Hase',  'Haus'],
  ['fr_FR', 'et',    'été'],
  ['de_DE', 'Schuh', 'Damenschuhe'],
  ['',      'AB-99', 'AB-1234/5'],
  ['en_GB', 'bus',   'bu'],
]
test.each(missed)('in %s, %s does not find %s', (locale, query, text) => {
  expect(finds(locale, query, text)).toBe(false)
})

describe('compounds', () => {
  const often = ['damen', 'schuhe', 'leder', 'arbeit', 'kleidung'].map((word) => ({
    language: 'de',
    stem: stem(word, 'de'),
    documents: 5,
  }))
  const lexicon = learnLexicon([...often, { language: 'de', stem: 'tasch', documents: 4 }])

  test.each([
    ['damenschuhe', ['dam', 'schuh']],
    ['lederschuh', ['led', 'schuh']],
    ['arbeitskleidung', ['arbeit', 'kleidung']],
    ['damenlederschuhe', ['dam', 'led', 'schuh']],
    ['schuhe', []],
    ['damentasche', []],
    ['ab12schuhe', []],
  ])('%s has the parts %j', (word, parts) => {
    expect(partsOf(word, 'de', lexicon)).toEqual(parts)
  })
  test('a compound is found by its parts once they are words of the catalogue', () => {
    expect(finds('de_DE', 'Schuh', 'Damenschuhe', lexicon)).toBe(true)
    expect(finds('de_DE', 'Damenschuh', 'Damenschuhe', lexicon)).toBe(true)
  })
  test.each(['', ...stemmedLanguages])('a word begins with the shared prefix of its stem: %s', (language) => {
    const beginning = fc.string({ unit: fc.constantFrom(...'abcdehilmnorstuvxyz'), maxLength: 5 })
    const ending = fc.constantFrom(
      '',
      'innen',
      'ern',
      'sses',
      'ies',
      'eaux',
      'aux',
      'euse',
      'elle',
      'ing',
      'che',
      'ces',
      'heden',
      'aav',
    )
    fc.assert(
      fc.property(beginning, ending, (begun, ended) => {
        const word = begun + ended
        expect(word.startsWith(sharedPrefix(stem(word, language), language))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
  test('overlong strings are not split, and the check is fast', () => {
    const begun = performance.now()
    expect(partsOf('schuh'.repeat(50_000), 'de', lexicon)).toEqual([])
    expect(performance.now() - begun).toBeLessThan(1000)
  })
  test('words in fewer than five documents do not split compounds', () => {
    expect(learnLexicon([{ language: 'de', stem: 'schuh', documents: 4 }]).get('de')?.size).toBe(0)
  })
})

test('a code is indexed whole, joined and by its parts', () => {
  expect(terms('', 'AB-1234/5')).toEqual(['ab', '1234', '5', 'ab-1234/5', 'ab12345'])
})
test('there are no stop words', () => {
  expect(terms('en_GB', 'to be or not to be')).toHaveLength(6)
  expect(terms('fr_FR', 'en été')).toEqual(['en', 'ete'])
})
test('quotes make a phrase, and an unpaired quote is ignored', () => {
  const clauses = createAnalyser('').clauses('rot "alte Schuhe" 5"')
  expect(clauses.map(({ any, phrase }) => [any[0]!.map(({ term }) => term).join(' '), phrase ?? false])).toEqual([
    ['rot', false],
    ['alte schuhe', true],
    ['5', false],
  ])
})
test('folding and stemming are idempotent', () => {
  for (const language of [...stemmedLanguages, '']) {
    for (const word of ['Größe', 'œuvre', 'Häuser', 'niños', 'château', 'schoenen', 'Straße', 'Ærø']) {
      expect(fold(fold(word, language), language)).toBe(fold(word, language))
      expect(stem(fold(word, language), language).length).toBeGreaterThan(1)
    }
  }
})

describe('order', () => {
  const order = (locale: string, ...texts: string[]) =>
    Array.from(collatedOrder(texts, createCollations()(locale)), (index) => texts[index])
  test.each([
    ['en_GB', ['10 mm', '9 mm'], ['9 mm', '10 mm']],
    ['de_DE', ['Zebra', 'Ärger', 'Apfel'], ['Apfel', 'Ärger', 'Zebra']],
    ['sv_SE', ['Ärger', 'Zebra', 'Apfel'], ['Apfel', 'Zebra', 'Ärger']],
    ['es_ES', ['oso', 'ñu', 'nube'], ['nube', 'ñu', 'oso']],
    ['nonsense!', ['b', 'a'], ['a', 'b']],
  ])('%s sorts %j as %j', (locale, texts, sorted) => {
    expect(order(locale, ...texts)).toEqual(sorted)
  })
})
