/** Reads what text-writer.ts wrote: words, groups of words, and where their postings (postings.ts) and positions are. */
import type { Reader } from './container.ts'
import { createBlock, type Block } from './postings-block.ts'
import { find, readStrings, textAt, type Strings } from './strings.ts'

export interface TextIndex {
  readonly terms: Strings
  readonly shown: Strings
  /** Words by their stem, but for those that are alone; and compounds by the stems of their parts. */
  readonly stems: Groups
  /** By word, 1 where it is its own stem and no other word has it. */
  readonly alone: Uint8Array
  readonly parts: Groups
  readonly spreadStarts: Uint32Array
  readonly spreadPairs: Uint32Array
  readonly counts: Uint32Array
  readonly blocks: Uint32Array
  readonly positions: Positions
  readonly tailsAt: Uint32Array
  readonly skipsAt: Uint32Array
  readonly skipDocs: Uint32Array
  readonly skipBlocks: Uint32Array
  readonly lengths: Uint8Array
  /** The least of them, but for documents without any word. */
  readonly shortest: number
  readonly totalLength: number
  /** To read postings into, one block after the other. */
  readonly room: Block
}

/** Words that have something in common; the words of group g are words[at[g]..at[g + 1]]. */
export interface Groups {
  readonly names: Strings
  readonly at: Uint32Array
  readonly words: Uint32Array
}

/** Where words stand: by term, and after every full block of postings. */
export interface Positions {
  readonly bytes: Uint8Array
  readonly at: Uint32Array
  readonly skips: Uint32Array
}

/** What only phrases and completion look at is read when it is asked for. */
export function readTextIndex(from: Reader, name: string): TextIndex {
  let shown: Strings | undefined
  let positions: Positions | undefined
  let shortest: number | undefined
  const lengths = from.bytes(`${name}.lengths`)
  return {
    terms: readStrings(from, `${name}.terms`),
    get shown() {
      return (shown ??= readStrings(from, `${name}.shown`))
    },
    stems: readGroups(from, `${name}.stems`),
    alone: from.has(`${name}.alone`) ? from.bytes(`${name}.alone`) : new Uint8Array(),
    parts: readGroups(from, `${name}.parts`),
    spreadStarts: from.u32(`${name}.spreads.starts`),
    spreadPairs: from.u32(`${name}.spreads.pairs`),
    counts: from.u32(`${name}.counts`),
    blocks: from.u32(`${name}.blocks`),
    get positions() {
      return (positions ??= {
        bytes: from.bytes(`${name}.positions`),
        at: from.u32(`${name}.at.positions`),
        skips: from.u32(`${name}.skips.positions`),
      })
    },
    tailsAt: from.u32(`${name}.at.tails`),
    skipsAt: from.u32(`${name}.at.skips`),
    skipDocs: from.u32(`${name}.skips.docs`),
    skipBlocks: from.u32(`${name}.skips.blocks`),
    lengths,
    get shortest() {
      return (shortest ??= leastFilled(lengths))
    },
    totalLength: from.f64(`${name}.total`)[0]!,
    room: createBlock(),
  }
}

function leastFilled(lengths: Uint8Array): number {
  let least = 255
  for (let doc = 0; doc < lengths.length; doc++) if (lengths[doc]! > 0 && lengths[doc]! < least) least = lengths[doc]!
  return least
}

function readGroups(from: Reader, name: string): Groups {
  return { names: readStrings(from, name), at: from.u32(`${name}.at`), words: from.u32(`${name}.words`) }
}

/** The numbers of the words that have a stem. */
export function wordsOf({ terms, stems, alone }: TextIndex, stem: string): Uint32Array {
  const kin = wordsIn(stems, stem)
  if (kin.length > 0) return kin
  const word = find(terms, stem)
  return word >= 0 && alone[word] ? Uint32Array.of(word) : kin
}

/** The numbers of the words of a group. */
export function wordsIn({ names, at, words }: Groups, name: string): Uint32Array {
  const group = find(names, name)
  return group < 0 ? new Uint32Array() : words.subarray(at[group], at[group + 1])
}

/** The number of the list of all compounds of a part, which is read like that of a word; -1 when there is none. */
export function listOfPart({ terms, parts }: TextIndex, stem: string): number {
  const part = find(parts.names, stem)
  return part < 0 ? -1 : terms.count + part
}

export function shownTerm(text: TextIndex, term: number): string {
  return textAt(text.shown, term) || textAt(text.terms, term)
}

/** Field, count, field, count … */
export function spreadOf(text: TextIndex, spread: number): Uint32Array {
  return text.spreadPairs.subarray(text.spreadStarts[spread], text.spreadStarts[spread + 1])
}

/** By spread, the sum of what `weigh` gives for its fields and how often the word stands there. */
export function weighSpreads(text: TextIndex, weigh: (field: number, count: number) => number): Float32Array {
  const weights = new Float32Array(text.spreadStarts.length - 1)
  const { spreadStarts: starts, spreadPairs: pairs } = text
  for (let spread = 0; spread < weights.length; spread++) {
    for (let i = starts[spread]!; i < starts[spread + 1]!; i += 2) weights[spread]! += weigh(pairs[i]!, pairs[i + 1]!)
  }
  return weights
}

/** How often a word with this spread stands in the document. */
export function occurrences(text: TextIndex, spread: number): number {
  const pairs = spreadOf(text, spread)
  let sum = 0
  for (let i = 1; i < pairs.length; i += 2) sum += pairs[i]!
  return sum
}
