/**
 * Collects the parts of compounds while the terms of a segment are written: the compounds of each part, and one posting
 * list of all documents that contain any of them. A query for `schuh` then reads one additional posting list instead of
 * one per compound.
 *
 *   damenschuhe   2 7         dam      2 7
 *   lederschuhe   2 9         led      2 9
 *                             schuh    2 7 9        in document 2 with the sum of both profiles
 */
import { createDoubles, pushDouble, type Doubles } from './bytes.ts'
import { byteOrder } from './strings.ts'

interface CompoundLists {
  /** The next postings belong to this term, which has these parts. A part that equals its stem needs no entry. */
  begin(word: number, parts: readonly string[], stem: string): void
  posting(doc: number, profile: number): void
  /** Sorted by the bytes of the part. */
  finish(): Part[]
}

interface Part {
  readonly name: string
  readonly words: readonly number[]
  /** Visits the documents in ascending order; `add` sums two profiles. */
  eachPosting(add: (a: number, b: number) => number, put: (doc: number, profile: number) => void): void
}

/** Documents and profiles are below this limit, so that both fit into one double, which is the sort key. */
const profileLimit = 2 ** 26

/** Most terms are not compounds. */
const noLists: readonly Doubles[] = []

export function createCompoundLists(): CompoundLists {
  const builders = new Map<string, { readonly words: number[]; readonly postings: Doubles }>()
  let open = noLists

  function partOf(name: string) {
    const part = builders.get(name) ?? { words: [], postings: createDoubles() }
    builders.set(name, part)
    return part
  }
  const listsOf = (word: number, parts: ReadonlySet<string>) =>
    Array.from(parts, (name) => {
      const { words, postings } = partOf(name)
      words.push(word)
      return postings
    })
  return {
    begin(word, parts, stem) {
      open = parts.length === 0 ? noLists : listsOf(word, new Set(parts.filter((part) => part !== stem)))
    },
    posting(doc, profile) {
      for (let i = 0; i < open.length; i++) pushDouble(open[i]!, doc * profileLimit + profile)
    },
    finish() {
      const names = [...builders.keys()]
      return Array.from(byteOrder(names), (index) => {
        const name = names[index]!
        const { words, postings } = builders.get(name)!
        const sorted = postings.data.subarray(0, postings.length).sort()
        return { name, words, eachPosting: (add, put) => unite(sorted, add, put) }
      })
    },
  }
}

/** Merges the postings of the same document. */
function unite(
  sorted: Float64Array,
  add: (a: number, b: number) => number,
  put: (doc: number, profile: number) => void,
): void {
  for (let i = 0; i < sorted.length;) {
    const doc = Math.floor(sorted[i]! / profileLimit)
    let profile = sorted[i]! % profileLimit
    for (i++; i < sorted.length && sorted[i]! < (doc + 1) * profileLimit; i++)
      profile = add(profile, sorted[i]! % profileLimit)
    put(doc, profile)
  }
}
