/** Reads what text-writer.ts wrote: the term dictionary, groups of terms, and where postings and positions are. */
import type { Reader } from './container.ts'
import { createBlock, type Block } from './postings-block.ts'
import { find, readStrings, textAt, type Strings } from './strings.ts'

export interface TextIndex {
  readonly terms: Strings
  readonly surface: Strings
  /** Terms by stem, except self-stemmed ones; and compounds by the stems of their parts. */
  readonly stems: Groups
  /** By term, 1 if it is its own stem and no other term has this stem. */
  readonly selfStems: Uint8Array
  readonly parts: Groups
  readonly profileStarts: Uint32Array
  readonly profilePairs: Uint32Array
  readonly counts: Uint32Array
  readonly blocks: Uint32Array
  readonly positions: Positions
  readonly tailsAt: Uint32Array
  readonly skipsAt: Uint32Array
  readonly skipDocs: Uint32Array
  readonly skipBlocks: Uint32Array
  readonly lengths: Uint8Array
  /** The smallest length of a document that has any word. */
  readonly shortest: number
  readonly totalLength: number
  /** Scratch buffer for decoding one block at a time. */
  readonly scratch: Block
  /** By the weights of the fields; see `weighProfiles`. */
  readonly profileWeights: Map<string, ProfileWeights>
}

/** Weights by profile, and whether all of them are greater than 0. */
export interface ProfileWeights {
  readonly weights: Float32Array
  readonly isEverywhere: boolean
}

/** Terms that share something; group g has words[at[g]..at[g + 1]]. */
interface Groups {
  readonly names: Strings
  readonly at: Uint32Array
  readonly words: Uint32Array
}

/** Where term positions are stored: by term, and after every full block of postings. */
export interface Positions {
  readonly bytes: Uint8Array
  readonly at: Uint32Array
  readonly skips: Uint32Array
}

/** Sections that only phrases and completion need are read at first access. */
export function readTextIndex(from: Reader, name: string): TextIndex {
  let surface: Strings | undefined
  let positions: Positions | undefined
  let shortest: number | undefined
  const lengths = from.bytes(`${name}.lengths`)
  return {
    terms: readStrings(from, `${name}.terms`),
    get surface() {
      return (surface ??= readStrings(from, `${name}.surface`))
    },
    stems: readGroups(from, `${name}.stems`),
    selfStems: from.has(`${name}.selfStems`) ? from.bytes(`${name}.selfStems`) : new Uint8Array(),
    parts: readGroups(from, `${name}.parts`),
    profileStarts: from.u32(`${name}.profiles.starts`),
    profilePairs: from.u32(`${name}.profiles.pairs`),
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
    scratch: createBlock(),
    profileWeights: new Map(),
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

/** The terms that have a stem. */
export function wordsOf({ terms, stems, selfStems }: TextIndex, stem: string): Uint32Array {
  const matching = wordsIn(stems, stem)
  if (matching.length > 0) return matching
  const word = find(terms, stem)
  return word >= 0 && selfStems[word] ? Uint32Array.of(word) : matching
}

/** The terms of a group. */
export function wordsIn({ names, at, words }: Groups, name: string): Uint32Array {
  const group = find(names, name)
  return group < 0 ? new Uint32Array() : words.subarray(at[group], at[group + 1])
}

/** The number of the posting list of all compounds of a part, read like that of a term; -1 if there is none. */
export function compoundListOf({ terms, parts }: TextIndex, stem: string): number {
  const part = find(parts.names, stem)
  return part < 0 ? -1 : terms.count + part
}

export function surfaceForm(text: TextIndex, term: number): string {
  return textAt(text.surface, term) || textAt(text.terms, term)
}

/** Field, frequency, field, frequency … */
export function profileOf(text: TextIndex, profile: number): Uint32Array {
  return text.profilePairs.subarray(text.profileStarts[profile], text.profileStarts[profile + 1])
}

/** So many combinations of field weights are kept per segment and locale: those of different roles and single fields. */
const mostKept = 16

/**
 * By profile, the sum of `weigh` over its fields. Text in many fields makes tens of thousands of profiles, so the weights
 * are kept: they depend only on the segment and `fieldWeights`, which `weigh` must follow.
 */
export function weighProfiles(
  text: TextIndex,
  fieldWeights: readonly number[],
  weigh: (field: number, count: number) => number,
): ProfileWeights {
  const key = fieldWeights.join()
  const { profileWeights: kept } = text
  const known = kept.get(key)
  kept.delete(key)
  if (!known && kept.size === mostKept) kept.delete(kept.keys().next().value!) // the one used least recently
  const made = known ?? computeWeights(text, weigh)
  kept.set(key, made)
  return made
}

function computeWeights(text: TextIndex, weigh: (field: number, count: number) => number): ProfileWeights {
  const weights = new Float32Array(text.profileStarts.length - 1)
  const { profileStarts: starts, profilePairs: pairs } = text
  for (let profile = 0; profile < weights.length; profile++) {
    for (let i = starts[profile]!; i < starts[profile + 1]!; i += 2)
      weights[profile]! += weigh(pairs[i]!, pairs[i + 1]!)
  }
  return { weights, isEverywhere: weights.every((weight) => weight > 0) }
}

/** The total frequency of a profile. */
export function occurrences(text: TextIndex, profile: number): number {
  const pairs = profileOf(text, profile)
  let sum = 0
  for (let i = 1; i < pairs.length; i += 2) sum += pairs[i]!
  return sum
}
