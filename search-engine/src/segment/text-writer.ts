/**
 * Writes the words of all fields in one locale. Who feeds it brings terms in the order of their bytes, and of each
 * term the documents in their order.
 *
 *   terms       the words, folded; `shown` how a word was written where that differs
 *   stems       the stems, and of each the words it groups: a query for one word is a query for its group
 *   alone       by term, 1 where it is its own stem and no other word has it, as codes and numbers are: these are not among
 *               the stems. Left out where no word is
 *   parts       the stems that words are made of, and of each those words; their lists (compound-lists.ts) stand behind
 *               those of the words and are read like these, but have no positions
 *   spreads     how a word is spread over the fields of a document: {name: 1}, {name: 1, body: 2} ...; there are few of
 *               them, so one number per posting tells the fields, the counts and, by weight, the score
 *   blocks      by term, 128 postings each: a word that tells how (postings-block.ts), the documents, as gaps (packed.ts) or
 *               as bits (dense.ts), and the spreads
 *   tails       by term, where the less than 128 that are left (tail.ts) stand among the blocks
 *   positions   by term, by document, by field of the spread, by occurrence: varint gap to the position before
 *   skips       one entry for every block: its last document, where it begins, where the positions go on behind it
 *   lengths     by document: how many words, in steps of a sixteenth of an octave
 */
import { analysedLanguage, type Analyser } from '../analysis/analyse.ts'
import { partsOf, type Lexicon } from '../analysis/compounds.ts'
import { createBytes, createNumbers, finish, finishNumbers, push, putBytes } from './bytes.ts'
import { createCompoundLists } from './compound-lists.ts'
import type { Sections } from './container.ts'
import { blockSize } from './packed.ts'
import { putBlock } from './postings-block.ts'
import { byteOrder, compareInBytes, firstNot, writeStrings } from './strings.ts'
import { putTail } from './tail.ts'

export interface TextWriter {
  /** The number of a spread, given as field, count, field, count … with fields ascending. */
  spread(pairs: readonly number[]): number
  /** The number of the commonest spread: once, in one field. */
  single(field: number): number
  /** How often a word with this spread stands in the document. */
  occurrencesOf(spread: number): number
  beginTerm(term: string, shown: string): void
  posting(doc: number, spread: number, positions: Uint8Array, from: number, to: number): void
  /** `lengths`: words by document. */
  finish(out: Sections, name: string, lengths: Uint32Array): void
}

/** `stem` and `locale`: what groups words; by the lexicon they are split. */
export function createTextWriter({ locale, stem }: Pick<Analyser, 'locale' | 'stem'>, lexicon: Lexicon): TextWriter {
  const language = analysedLanguage(locale)
  const terms: string[] = []
  const shown: string[] = []
  const stems = createKin()
  const compounds = createCompoundLists()
  const spreads = createSpreads()
  const blocks = createNumbers()
  const positions = createBytes()
  const at = { tails: createNumbers(), positions: createNumbers(), skips: createNumbers() }
  const counts = createNumbers()
  const skips = { docs: createNumbers(), blocks: createNumbers(), positions: createNumbers() }
  /** The postings that fill no block yet. */
  const gaps = new Uint32Array(blockSize)
  const waiting = new Uint32Array(blockSize)
  let previous = 0
  let inList = 0

  function endBlock(): void {
    push(skips.blocks, blocks.length)
    putBlock(blocks, gaps, waiting)
    push(skips.docs, previous)
    push(skips.positions, positions.length)
  }
  function beginList(): void {
    endList()
    push(at.positions, positions.length)
    push(at.skips, skips.docs.length)
    previous = 0
    inList = 0
  }
  function endList(): void {
    if (at.skips.length === 0) return
    push(at.tails, blocks.length)
    if (inList % blockSize > 0) putTail(blocks, gaps, waiting, inList % blockSize)
    push(counts, inList)
  }
  function put(doc: number, spread: number): void {
    const place = inList++ % blockSize
    gaps[place] = doc - previous
    waiting[place] = spread
    previous = doc
    if (place === blockSize - 1) endBlock()
  }
  return {
    spread: spreads.numberOf,
    single: spreads.single,
    occurrencesOf: spreads.occurrencesOf,
    beginTerm(term, written) {
      const word = terms.push(term) - 1
      shown.push(written === term ? '' : written)
      const own = stem(term)
      if (own !== term) stems.add(word, own)
      compounds.begin(word, partsOf(term, language, lexicon), own)
      beginList()
    },
    posting(doc, spread, source, from, to) {
      compounds.posting(doc, spread)
      putBytes(positions, source, from, to)
      put(doc, spread)
    },
    finish(out, name, lengths) {
      const parts = compounds.finish()
      for (const { eachPosting } of parts) {
        beginList()
        eachPosting(spreads.sumOf, put)
      }
      endList()
      push(blocks, 0) // tails are read two words at a time
      push(at.skips, skips.docs.length)
      writeStrings(out, `${name}.terms`, terms)
      writeStrings(out, `${name}.shown`, shown)
      const { groups, alone } = stems.finish(terms)
      writeGroups(out, `${name}.stems`, groups)
      if (alone.includes(1)) out.set(`${name}.alone`, alone)
      writeGroups(out, `${name}.parts`, parts)
      spreads.write(out, name)
      out.set(`${name}.counts`, finishNumbers(counts))
      out.set(`${name}.blocks`, finishNumbers(blocks))
      out.set(`${name}.positions`, finish(positions))
      for (const [stream, starts] of Object.entries(at)) out.set(`${name}.at.${stream}`, finishNumbers(starts))
      for (const [stream, entries] of Object.entries(skips)) out.set(`${name}.skips.${stream}`, finishNumbers(entries))
      out.set(`${name}.lengths`, Uint8Array.from(lengths, encodeLength))
      out.set(`${name}.total`, Float64Array.of(lengths.reduce((sum, length) => sum + length, 0)))
    },
  }
}

function createSpreads() {
  const numbers = new Map<string, number>()
  /** Most words stand once in one field: found without making a key. */
  const single: number[] = []
  const starts = createNumbers()
  const pairs = createNumbers()
  const occurrences: number[] = []
  push(starts, 0)
  function add(spread: readonly number[]): number {
    for (const number of spread) push(pairs, number)
    push(starts, pairs.length)
    return occurrences.push(spread.reduce((sum, number, i) => (i % 2 ? sum + number : sum), 0)) - 1
  }
  const once = (field: number) => (single[field] ??= add([field, 1]))
  function numberOf(spread: readonly number[]): number {
    if (spread.length === 2 && spread[1] === 1) return once(spread[0]!)
    const key = spread.join()
    const number = numbers.get(key) ?? add(spread)
    numbers.set(key, number)
    return number
  }
  return {
    single: once,
    occurrencesOf: (spread: number) => occurrences[spread]!,
    numberOf,
    /** Of a word that stands where two others do. */
    sumOf(a: number, b: number): number {
      const counts = new Map<number, number>()
      for (const spread of [a, b]) {
        for (let i = starts.data[spread]!; i < starts.data[spread + 1]!; i += 2)
          counts.set(pairs.data[i]!, (counts.get(pairs.data[i]!) ?? 0) + pairs.data[i + 1]!)
      }
      return numberOf([...counts].sort(([x], [y]) => x - y).flat())
    },
    write(out: Sections, name: string): void {
      out.set(`${name}.spreads.starts`, finishNumbers(starts))
      out.set(`${name}.spreads.pairs`, finishNumbers(pairs))
    },
  }
}

interface Group {
  readonly name: string
  readonly words: readonly number[]
}

/** Words by their stem. Most are their own, codes above all, and nothing is noted of these until all terms are there. */
function createKin() {
  const byStem = new Map<string, number[]>()
  return {
    /** A word that is not its own stem. */
    add(word: number, stem: string): void {
      const words = byStem.get(stem)
      if (words) words.push(word)
      else byStem.set(stem, [word])
    },
    /** The groups in the order of their stems, and by term, of all that stand in that order, 1 where it is in none. */
    finish(terms: readonly string[]): { groups: Group[]; alone: Uint8Array } {
      const alone = new Uint8Array(terms.length).fill(1)
      for (const words of byStem.values()) for (const word of words) alone[word] = 0
      const names = [...byStem.keys()]
      const groups = Array.from(byteOrder(names), (place): Group => {
        const name = names[place]!
        const words = byStem.get(name)!
        const word = firstNot(terms.length, (i) => compareInBytes(terms[i]!, name) < 0)
        if (terms[word] !== name || !alone[word]) return { name, words }
        alone[word] = 0
        return { name, words: [...words, word].sort((a, b) => a - b) }
      })
      return { groups, alone }
    },
  }
}

function writeGroups(out: Sections, name: string, groups: readonly Group[]): void {
  const starts = createNumbers()
  const words = createNumbers()
  for (const group of groups) {
    push(starts, words.length)
    for (const word of group.words) push(words, word)
  }
  push(starts, words.length)
  writeStrings(
    out,
    name,
    groups.map((group) => group.name),
  )
  out.set(`${name}.at`, finishNumbers(starts))
  out.set(`${name}.words`, finishNumbers(words))
}

function encodeLength(words: number): number {
  return Math.min(255, Math.round(Math.log2(words + 1) * 16))
}
export function decodeLength(code: number): number {
  return 2 ** (code / 16) - 1
}
