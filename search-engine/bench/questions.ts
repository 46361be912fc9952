/** The kinds of queries in the benchmark, each for our engine and for the peer. */
import type { FacetRequest, LogicalQuery, Predicate } from '../src/index.ts'
import { channels, createRandom, regions, rowOf, skuOf, vocabularies, type Random } from './catalogue.ts'

export interface Question {
  readonly query: LogicalQuery
  /** Highlights to compute in the texts of the page. */
  readonly highlight?: Predicate
  readonly peer: readonly (string | number)[]
}
export interface Completion {
  readonly text: string
  /** The intended word, if the text contains a typing error. */
  readonly meant?: string
}

const page = { offset: 0, limit: 20 }
const german = 'de_DE'
const words = vocabularies.de
const text = (...some: string[]): Predicate => ({ kind: 'text', text: some.join(' '), locale: german })
const field = (
  name: string,
  comparator: 'EQ' | 'GE' | 'LE' | 'IN' | 'IS_EMPTY',
  ...operands: (string | number)[]
): Predicate => ({
  kind: 'field',
  field: name,
  comparator,
  operands,
})
const and = (...of: Predicate[]): Predicate => ({ kind: 'and', of })
const facets: FacetRequest[] = ['brand', 'colour', 'cat', 'materials', 'size', 'supplier'].map((name) => ({
  field: name,
  limit: 50,
}))
/** A word with a frequency rank between two others, log-uniformly distributed. */
const wordBetween = (random: Random, low: number, high: number) =>
  words[Math.floor(Math.exp(Math.log(low) + random() * (Math.log(high) - Math.log(low))))]!
const someProduct = (random: Random) => Math.floor(random() * 90_000)

function threeWords(random: Random): string[] {
  const row = rowOf(someProduct(random))
  const some = [...new Set(`${row[3]} ${row[8]}`.split(' '))]
  some.sort((a, b) => words.indexOf(a) - words.indexOf(b))
  return [some[0]!, some[2]!, some[4]!]
}

const joined = (region: string): Predicate => ({
  kind: 'join',
  index: 'CHANNEL',
  of: and(field('region', 'EQ', region), field('status', 'EQ', 'active')),
  from: 'id',
  to: 'channels',
})
const channelsOf = (region: string) =>
  channels.filter((each) => each.region === region && each.status === 'active').map(({ id }) => id)

interface Kind {
  readonly title: string
  /** Target: at least this many times less CPU than the peer. */
  readonly target: number
  ask(random: Random): Question
}

// prettier-ignore
export const kinds: Record<string, Kind> = {
  ft1: { title: 'one word, highlighted', target: 4, ask(random) {
    const word = wordBetween(random, 3, 8000)
    return { query: { ...page, predicate: text(word) }, highlight: text(word), peer: [word, ''] }
  } },
  ft3: { title: 'three words, highlighted', target: 3, ask(random) {
    const some = threeWords(random)
    return { query: { ...page, predicate: text(...some) }, highlight: text(...some), peer: [some.join(' '), ''] }
  } },
  ftf: { title: 'a word, two filters, six facets, highlighted', target: 1.5, ask(random) {
    const word = wordBetween(random, 2, 400)
    const low = Math.floor(5 + random() * 20)
    const predicate = and(text(word), field('status', 'EQ', 'active'), field('price', 'GE', low))
    return { query: { ...page, predicate, facets }, highlight: text(word), peer: [word, low] }
  } },
  grid: { title: 'a category, six facets, by name', target: 2, ask(random) {
    const top = Math.floor(random() * 10)
    const cat = random() < 0.5 ? `c${top}` : `c${top}/${Math.floor(random() * 10)}`
    const predicate = and(field('cat', 'EQ', cat), field('status', 'EQ', 'active'))
    return { query: { ...page, predicate, sort: [{ field: 'name', locale: german }], facets }, peer: [cat] }
  } },
  wname: { title: 'contained in a word of the name', target: 2, ask(random) {
    let word = ''
    while (word.length < 9) word = wordBetween(random, 300, 30_000)
    const piece = word.slice(2, 7)
    const predicate: Predicate = { kind: 'field', field: 'name', comparator: 'TERM_WILDCARD', operands: [`*${piece}*`], locale: german }
    return { query: { ...page, predicate, sort: [{ field: 'id' }] }, peer: [piece] }
  } },
  wsku: { title: 'contained in the number', target: 2, ask(random) {
    const piece = skuOf(someProduct(random)).slice(5, 9)
    const predicate: Predicate = { kind: 'field', field: 'sku', comparator: 'TERM_WILDCARD', operands: [`*${piece}*`] }
    return { query: { ...page, predicate }, peer: [piece] }
  } },
  range: { title: 'a range of prices, by price', target: 4, ask(random) {
    const low = Math.floor(random() * 60)
    const high = low + 5 + Math.floor(random() * 40)
    const predicate = and(field('price', 'GE', low), field('price', 'LE', high))
    return { query: { ...page, predicate, sort: [{ field: 'price' }] }, peer: [low, high] }
  } },
  in100: { title: 'a hundred numbers, by date', target: 4, ask(random) {
    const some = [...new Set(Array.from({ length: 100 }, () => skuOf(someProduct(random))))]
    return { query: { ...page, predicate: field('sku', 'IN', ...some), sort: [{ field: 'modified', descending: true }] }, peer: [some.join(',')] }
  } },
  inb100: { title: 'a hundred brands, by date', target: 4, ask(random) {
    const some = [...new Set(Array.from({ length: 100 }, () => `Brand ${String(Math.floor(random() * 2000)).padStart(4, '0')}`))]
    return { query: { ...page, predicate: field('brand', 'IN', ...some), sort: [{ field: 'modified', descending: true }] }, peer: [some.join(',')] }
  } },
  empty: { title: 'of a supplier, without a value', target: 4, ask(random) {
    const supplier = `Supplier ${String(Math.floor(random() * 500)).padStart(3, '0')}`
    return { query: { ...page, predicate: and(field('supplier', 'EQ', supplier), field('energy', 'IS_EMPTY')) }, peer: [supplier] }
  } },
  deep: { title: 'row 10,000 to 20,000, by price', target: 4, ask(random) {
    const offset = 20 * Math.floor(500 + random() * 500)
    return { query: { offset, limit: 20, predicate: field('status', 'EQ', 'active'), sort: [{ field: 'price' }] }, peer: [offset] }
  } },
  join: { title: 'a word, of channels of a region, highlighted', target: 2, ask(random) {
    const word = wordBetween(random, 3, 2000)
    const region = regions[Math.floor(random() * regions.length)]!
    return { query: { ...page, predicate: and(text(word), joined(region)) }, highlight: text(word), peer: [word, channelsOf(region).join(',')] }
  } },
  joinall: { title: 'of channels of a region, by date', target: 2, ask(random) {
    const region = regions[Math.floor(random() * regions.length)]!
    return { query: { ...page, predicate: joined(region), sort: [{ field: 'modified', descending: true }] }, peer: [channelsOf(region).join(',')] }
  } },
}

export function questionsOf(kind: Kind, count: number, seed: number): Question[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => kind.ask(random))
}

/** Prefixes of words, as they are typed. */
export function prefixes(count: number): Completion[] {
  const random = createRandom(501)
  return Array.from({ length: count }, () => ({
    text: wordBetween(random, 5, 20_000).slice(0, 2 + Math.floor(random() * 4)),
  }))
}

/** Words with a missing, an additional or two transposed letters. */
export function typos(count: number): Completion[] {
  const random = createRandom(502)
  return Array.from({ length: count }, () => {
    let meant = ''
    while (meant.length < 6) meant = wordBetween(random, 20, 20_000)
    const at = 1 + Math.floor(random() * (meant.length - 2))
    const kind = Math.floor(random() * 3)
    const head = meant.slice(0, at)
    if (kind === 0) return { meant, text: head + meant.slice(at + 1) }
    if (kind === 1) return { meant, text: `${head}x${meant.slice(at)}` }
    return { meant, text: meant.slice(0, at - 1) + meant[at] + meant[at - 1] + meant.slice(at + 1) }
  })
}
