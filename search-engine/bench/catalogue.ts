/**
 * Generates a catalogue with 54 fields, five languages and realistic skew. Product i does not depend on the size, so a
 * small catalogue is a prefix of a large one.
 */
import type { FieldDefinition, IndexSchema, Scalar, SearchDocument } from '../src/index.ts'

export const languages = ['de', 'en', 'fr', 'it', 'es'] as const
export const locales: Record<(typeof languages)[number], string> = {
  de: 'de_DE',
  en: 'en_GB',
  fr: 'fr_FR',
  it: 'it_IT',
  es: 'es_ES',
}

const choices = ['brand', 'colour', 'status', 'type', 'size', 'season', 'gender', 'supplier', 'energy']
const flags = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']
const domains = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9', 'd10']
const numbers = ['price', 'weight', 'created', 'modified', 'stock', 'rating', 'n1', 'n2', 'n3', 'n4', 'n5']
const lists = ['countries', 'materials', 'keywords', 'channels']

export const schema: IndexSchema = {
  locales: Object.values(locales),
  defaultLocale: locales.de,
  fields: [
    { name: 'name', type: 'text', localized: true, weight: 3 },
    { name: 'description', type: 'text', localized: true, weight: 1, long: true },
    { name: 'sku', type: 'keyword' },
    { name: 'ean', type: 'keyword' },
    { name: 'cat', type: 'keyword', path: true },
    ...[...choices, ...flags, ...domains, ...lists].map((name): FieldDefinition => ({ name, type: 'keyword' })),
    ...numbers.map((name): FieldDefinition => ({ name, type: 'number' })),
  ],
}

export const channelSchema: IndexSchema = {
  locales: [],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'region', type: 'keyword' },
    { name: 'status', type: 'keyword' },
  ],
}
export const regions = ['EMEA', 'NA', 'APAC', 'LATAM', 'DACH', 'UK', 'FR', 'IT', 'ES', 'NORD']
export const channels = Array.from({ length: 500 }, (_, i) => ({
  id: i + 1,
  region: regions[i % regions.length]!,
  status: i % 3 ? 'active' : 'draft',
}))

/** The columns of a row, as the peer reads them: text, lists joined by `|`, empty if there is no value. */
// prettier-ignore
export const columns = [
  'id', 'sku', 'ean', ...languages.map((language) => `name_${language}`), ...languages.map((language) => `desc_${language}`),
  'brand', 'colour', 'cat', 'price', 'weight', 'created', 'modified', 'status', 'type', 'countries', 'materials', 'size',
  'season', 'gender', 'supplier', 'stock', 'rating', 'energy', 'keywords', ...flags, ...domains, 'n1', 'n2', 'n3', 'n4',
  'n5', 'channels',
]

export type Random = () => number

/** Seeded random numbers in [0, 1). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** Zipf distribution: number n with probability proportional to 1 / n^steepness. */
function zipf(count: number, steepness: number, shift = 1): (random: Random) => number {
  const sums = new Float64Array(count)
  for (let i = 0, sum = 0; i < count; i++) sums[i] = sum += (i + shift) ** -steepness
  return (random) => {
    const wanted = random() * sums[count - 1]!
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

const syllables = {
  de: 'ba be bru da dach fel ge gelb gro haft hal heim ka keit klar lan le licht mo mu nen rei ro rück sal schal sta tor tra ür wan wei zeu'.split(
    ' ',
  ),
  en: 'al ber blow cra den dle ear fle gar gen hall ing ker lan light ly mar ness nor ock pla ring sha sing sto tan ter tow vel way win wor'.split(
    ' ',
  ),
  fr: 'a bel bou can che cou dai é eau elle fre gran im je lai li lou mar ment mi ni oi per plai ré rou sau tan ter tien vi voi'.split(
    ' ',
  ),
  it: 'al ba bel ca chi co del fa fio gio gra la li lo ma mi na no o pa per ra ri ro sa sca so sta ta tro va zia'.split(
    ' ',
  ),
  es: 'al ba blan ca ce cla co da del fi ga gra ja la lla lo ma me mi na ño pa per que ra ri sa so ta tre va zo'.split(
    ' ',
  ),
}
const vocabularySize = 60_000

/** Frequent words are shorter, as in natural languages. */
export const vocabularies = Object.fromEntries(
  languages.map((language, seed) => {
    const random = createRandom(7000 + seed)
    const known = new Set<string>()
    while (known.size < vocabularySize) {
      const parts = known.size < 300 ? 2 : known.size < 8000 ? 3 : 4
      const some = Array.from({ length: parts }, () => syllables[language][Math.floor(random() * 32)]!)
      known.add(some.join(''))
    }
    return [language, [...known]]
  }),
) as Record<(typeof languages)[number], string[]>

const draw = {
  word: zipf(vocabularySize, 1, 3),
  brand: zipf(2000, 0.8),
  colour: zipf(30, 0.9),
  leaf: zipf(1000, 0.5),
  keyword: zipf(5000, 0.9),
  supplier: zipf(500, 0.7),
  channel: zipf(500, 0.6),
  country: zipf(50, 1),
}
const drawDomain = domains.map((_, i) => zipf([10, 20, 40, 80, 120, 200, 300, 500, 800, 1000][i]!, 0.7))
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const several = (count: number, next: () => string) => [...new Set(Array.from({ length: count }, next))].join('|')
const upTo = (random: Random, count: number) => Math.floor(random() * (count + 1))

export function skuOf(i: number): string {
  return `SKU-${((i * 7919 + 13) % 16_777_213).toString(36).toUpperCase().padStart(6, '0')}-${i % 97}`
}

/** The columns of product i. */
export function rowOf(i: number): string[] {
  const random = createRandom(i)
  const leaf = draw.leaf(random)
  /** 30 % of the words depend on the category. */
  const words = (language: (typeof languages)[number], count: number) =>
    Array.from({ length: count }, () => {
      const word = draw.word(random)
      return vocabularies[language][random() < 0.3 ? (word * 7 + leaf * 53 + 40) % vocabularySize : word]!
    }).join(' ')
  const path = [Math.floor(leaf / 100), Math.floor(leaf / 10) % 10, leaf % 10]
  const created = 1_500_000_000 + Math.floor(random() * 250_000_000)
  const status = ['active', 'active', 'active', 'draft', 'approved', 'discontinued']
  const money = (top: number) => (random() * top).toFixed(2)
  return [
    String(i + 1),
    skuOf(i),
    String(4_000_000_000_000 + ((i * 48_271) % 999_999_999_937)),
    ...languages.map((language) => words(language, 3 + upTo(random, 2))),
    ...languages.map((language) => words(language, 12 + upTo(random, 8))),
    `Brand ${String(draw.brand(random)).padStart(4, '0')}`,
    `colour${draw.colour(random)}`,
    path.map((_, depth) => `c${path.slice(0, depth + 1).join('/')}`).join('|'),
    Math.exp(3.2 + 1.1 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())).toFixed(2),
    money(50),
    String(created),
    String(created + Math.floor(random() * 50_000_000)),
    pick(random, status),
    pick(random, ['product', 'article', 'variation']),
    several(1 + upTo(random, 3), () => `C${draw.country(random)}`),
    several(1 + upTo(random, 2), () => `material${Math.floor(random() * random() * 40)}`),
    `size${upTo(random, 19)}`,
    `season${upTo(random, 7)}`,
    pick(random, ['men', 'women', 'unisex', 'kids']),
    `Supplier ${String(draw.supplier(random)).padStart(3, '0')}`,
    String(Math.floor(random() * random() * 5000)),
    String(upTo(random, 50)),
    random() < 0.6 ? '' : pick(random, ['A+++', 'A++', 'A+', 'A', 'B', 'C', 'D', 'E']),
    several(upTo(random, 5), () => `keyword${draw.keyword(random)}`),
    ...flags.map((_, k) => (random() < 0.1 + k * 0.15 ? '1' : '0')),
    ...drawDomain.map((next, k) => (random() < 0.3 + k * 0.04 ? '' : `v${next(random)}`)),
    ...Array.from({ length: 5 }, () => (random() < 0.4 ? '' : money(1000))),
    several(upTo(random, 4), () => String(1 + draw.channel(random))),
  ]
}

const numeric = new Set(numbers)
const at = new Map(columns.map((name, i) => [name, i]))

/** Converts a row to a document. Of a path only the last level is passed; the engine derives its ancestors. */
export function documentOf(row: readonly string[]): SearchDocument {
  const value = (name: string) => row[at.get(name)!]!
  const texts = (prefix: string) => new Map(languages.map((each) => [locales[each], [value(`${prefix}_${each}`)]]))
  const fields = new Map<string, ReadonlyMap<string, readonly Scalar[]>>([
    ['name', texts('name')],
    ['description', texts('desc')],
  ])
  for (const { name, localized, path } of schema.fields) {
    if (localized || value(name) === '') continue
    const values = value(name).split('|')
    fields.set(name, new Map([['', numeric.has(name) ? values.map(Number) : path ? values.slice(-1) : values]]))
  }
  return { id: Number(row[0]), fields }
}
