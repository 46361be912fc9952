/**
 * Writes the terms of all fields in one locale. The caller passes terms in byte order and, for each term, its documents
 * in ascending order.
 *
 *   terms       the term dictionary; `surface` has the surface form where it differs
 *   stems       the stems, and the terms of each: a query for a word is a query for its group
 *   selfStems   by term, 1 if it is its own stem and no other term has this stem, as with codes and numbers. These are
 *               not listed among the stems. Omitted if there are none
 *   parts       the stems of compound parts, and the compounds of each. Their posting lists (compound-lists.ts) follow
 *               those of the terms and are read in the same way, but have no positions
 *   profiles    the frequency of a term by field of a document: {name: 1}, {name: 1, body: 2} ... There are few distinct
 *               ones, so one number per posting encodes the fields, the frequencies and, by weight, the score
 *   blocks      by term, 128 postings each (postings-block.ts): documents and profiles
 *   tails       by term, the offset of the remaining postings, fewer than 128 (postings-tail.ts), among the blocks
 *   positions   by term, document, field of the profile and occurrence: varint gap to the previous position
 *   skips       skip data, one entry per block: last document, offset of the block, offset of the next positions
 *   lengths     by document: number of words, on a logarithmic scale with 16 steps per factor of two
 */
import { analysedLanguage, type Analyser } from '../analysis/analyse.ts'
import { partsOf, type Lexicon } from '../analysis/compounds.ts'
import { createBytes, createNumbers, finish, finishNumbers, push, putBytes, type Bytes } from './bytes.ts'
import { createCompoundLists } from './compound-lists.ts'
import type { Sections } from './container.ts'
import { blockSize } from './bit-packing.ts'
import { putBlock } from './postings-block.ts'
import { byteOrder, compareInBytes, firstNot, writeStrings } from './strings.ts'
import { putTail } from './postings-tail.ts'

export interface TextWriter {
  /** Interns a profile, given as field, frequency, field, frequency … with fields ascending. */
  profile(pairs: readonly number[]): number
  /** The most common profile: once, in one field. */
  single(field: number): number
  /** The total frequency of a profile. */
  occurrencesOf(profile: number): number
  beginTerm(term: string, surface: string): void
  posting(doc: number, profile: number, positions: Uint8Array, from: number, to: number): void
  /** `lengths`: number of words by document. */
  finish(out: Sections, name: string, lengths: Uint32Array): void
}

/** The analyser groups terms by stem; the lexicon splits compounds. */
export function createTextWriter({ locale, stem }: Pick<Analyser, 'locale' | 'stem'>, lexicon: Lexicon): TextWriter {
  const language = analysedLanguage(locale)
  const terms: string[] = []
  const surface: string[] = []
  const stems = createStemGroups()
  const compounds = createCompoundLists()
  const profiles = createProfiles()
  const positions = createBytes()
  const lists = createListWriter(positions)
  return {
    profile: profiles.numberOf,
    single: profiles.single,
    occurrencesOf: profiles.occurrencesOf,
    beginTerm(term, surfaceForm) {
      const word = terms.push(term) - 1
      surface.push(surfaceForm === term ? '' : surfaceForm)
      const own = stem(term)
      if (own !== term) stems.add(word, own)
      compounds.begin(word, partsOf(term, language, lexicon), own)
      lists.begin()
    },
    posting(doc, profile, source, from, to) {
      compounds.posting(doc, profile)
      putBytes(positions, source, from, to)
      lists.put(doc, profile)
    },
    finish(out, name, lengths) {
      const parts = compounds.finish()
      for (const { eachPosting } of parts) {
        lists.begin()
        eachPosting(profiles.sumOf, lists.put)
      }
      writeStrings(out, `${name}.terms`, terms)
      writeStrings(out, `${name}.surface`, surface)
      const { groups, selfStems } = stems.finish(terms)
      writeGroups(out, `${name}.stems`, groups)
      if (selfStems.includes(1)) out.set(`${name}.selfStems`, selfStems)
      writeGroups(out, `${name}.parts`, parts)
      profiles.write(out, name)
      lists.write(out, name)
      out.set(`${name}.positions`, finish(positions))
      out.set(`${name}.lengths`, Uint8Array.from(lengths, encodeLength))
      out.set(`${name}.total`, Float64Array.of(lengths.reduce((sum, length) => sum + length, 0)))
    },
  }
}

/** Writes posting lists one after the other: full blocks, the tail, and skip data. */
function createListWriter(positions: Bytes) {
  const blocks = createNumbers()
  const counts = createNumbers()
  const at = { tails: createNumbers(), positions: createNumbers(), skips: createNumbers() }
  const skips = { docs: createNumbers(), blocks: createNumbers(), positions: createNumbers() }
  /** Postings of the current, incomplete block. */
  const gaps = new Uint32Array(blockSize)
  const profiles = new Uint32Array(blockSize)
  let previous = 0
  let listLength = 0

  function endBlock(): void {
    push(skips.blocks, blocks.length)
    putBlock(blocks, gaps, profiles)
    push(skips.docs, previous)
    push(skips.positions, positions.length)
  }
  function endList(): void {
    if (at.skips.length === 0) return
    push(at.tails, blocks.length)
    if (listLength % blockSize > 0) putTail(blocks, gaps, profiles, listLength % blockSize)
    push(counts, listLength)
  }
  return {
    begin(): void {
      endList()
      push(at.positions, positions.length)
      push(at.skips, skips.docs.length)
      previous = 0
      listLength = 0
    },
    put(doc: number, profile: number): void {
      const index = listLength++ % blockSize
      gaps[index] = doc - previous
      profiles[index] = profile
      previous = doc
      if (index === blockSize - 1) endBlock()
    },
    write(out: Sections, name: string): void {
      endList()
      push(blocks, 0) // tails are read two words at a time
      push(at.skips, skips.docs.length)
      out.set(`${name}.counts`, finishNumbers(counts))
      out.set(`${name}.blocks`, finishNumbers(blocks))
      for (const [stream, starts] of Object.entries(at)) out.set(`${name}.at.${stream}`, finishNumbers(starts))
      for (const [stream, entries] of Object.entries(skips)) out.set(`${name}.skips.${stream}`, finishNumbers(entries))
    },
  }
}

function createProfiles() {
  const numbers = new Map<string, number>()
  /** Most terms occur once in one field; found without building a key. */
  const single: number[] = []
  const starts = createNumbers()
  const pairs = createNumbers()
  const occurrences: number[] = []
  push(starts, 0)
  function add(profile: readonly number[]): number {
    for (const number of profile) push(pairs, number)
    push(starts, pairs.length)
    return occurrences.push(profile.reduce((sum, number, i) => (i % 2 ? sum + number : sum), 0)) - 1
  }
  const once = (field: number) => (single[field] ??= add([field, 1]))
  function numberOf(profile: readonly number[]): number {
    if (profile.length === 2 && profile[1] === 1) return once(profile[0]!)
    const key = profile.join()
    const number = numbers.get(key) ?? add(profile)
    numbers.set(key, number)
    return number
  }
  return {
    single: once,
    occurrencesOf: (profile: number) => occurrences[profile]!,
    numberOf,
    /** The profile of a term that occurs wherever two others do. */
    sumOf(a: number, b: number): number {
      const counts = new Map<number, number>()
      for (const profile of [a, b]) {
        for (let i = starts.data[profile]!; i < starts.data[profile + 1]!; i += 2)
          counts.set(pairs.data[i]!, (counts.get(pairs.data[i]!) ?? 0) + pairs.data[i + 1]!)
      }
      return numberOf([...counts].sort(([x], [y]) => x - y).flat())
    },
    write(out: Sections, name: string): void {
      out.set(`${name}.profiles.starts`, finishNumbers(starts))
      out.set(`${name}.profiles.pairs`, finishNumbers(pairs))
    },
  }
}

interface Group {
  readonly name: string
  readonly words: readonly number[]
}

/** Terms by stem. Most terms are their own stem, especially codes, and need no entry until all terms are known. */
function createStemGroups() {
  const byStem = new Map<string, number[]>()
  return {
    /** Adds a term that differs from its stem. */
    add(word: number, stem: string): void {
      const words = byStem.get(stem)
      if (words) words.push(word)
      else byStem.set(stem, [word])
    },
    /** The groups in the order of their stems, and by term 1 if it is in no group. */
    finish(terms: readonly string[]): { groups: Group[]; selfStems: Uint8Array } {
      const selfStems = new Uint8Array(terms.length).fill(1)
      for (const words of byStem.values()) for (const word of words) selfStems[word] = 0
      const names = [...byStem.keys()]
      const groups = Array.from(byteOrder(names), (index): Group => {
        const name = names[index]!
        const words = byStem.get(name)!
        const word = firstNot(terms.length, (i) => compareInBytes(terms[i]!, name) < 0)
        if (terms[word] !== name || !selfStems[word]) return { name, words }
        selfStems[word] = 0
        return { name, words: [...words, word].sort((a, b) => a - b) }
      })
      return { groups, selfStems }
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
