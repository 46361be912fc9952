/**
 * The parts of compounds, gathered while the words of a segment are written: which words have a part, and one list of
 * all documents that have any of these words. Somebody who looks for `schuh` so reads one list more, and not the lists
 * of all shoes there are.
 *
 *   damenschuhe   2 7         dam      2 7
 *   lederschuhe   2 9         led      2 9
 *                             schuh    2 7 9        in document 2 by the spreads of both words added up
 */
import { createDoubles, pushDouble, type Doubles } from './bytes.ts'
import { byteOrder } from './strings.ts'

export interface CompoundLists {
  /** The postings that follow are of this word, which has these parts. Who looks for its stem finds it anyhow. */
  begin(word: number, parts: readonly string[], stem: string): void
  posting(doc: number, spread: number): void
  /** By part, in the order of their bytes. */
  finish(): Part[]
}

interface Part {
  readonly name: string
  readonly words: readonly number[]
  /** Calls for the documents in their order; `add` makes one spread of two. */
  eachPosting(add: (a: number, b: number) => number, put: (doc: number, spread: number) => void): void
}

/** Documents and spreads are fewer than so many each: both fit into one number, by which they are sorted. */
const spreadRoom = 2 ** 26

/** Most words are no compounds. */
const none: readonly Doubles[] = []

export function createCompoundLists(): CompoundLists {
  const gathered = new Map<string, { readonly words: number[]; readonly postings: Doubles }>()
  let open = none

  function partOf(name: string) {
    const part = gathered.get(name) ?? { words: [], postings: createDoubles() }
    gathered.set(name, part)
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
      open = parts.length === 0 ? none : listsOf(word, new Set(parts.filter((part) => part !== stem)))
    },
    posting(doc, spread) {
      for (let i = 0; i < open.length; i++) pushDouble(open[i]!, doc * spreadRoom + spread)
    },
    finish() {
      const names = [...gathered.keys()]
      return Array.from(byteOrder(names), (place) => {
        const name = names[place]!
        const { words, postings } = gathered.get(name)!
        const sorted = postings.data.subarray(0, postings.length).sort()
        return { name, words, eachPosting: (add, put) => unite(sorted, add, put) }
      })
    },
  }
}

/** Postings of one document are one. */
function unite(
  sorted: Float64Array,
  add: (a: number, b: number) => number,
  put: (doc: number, spread: number) => void,
): void {
  for (let i = 0; i < sorted.length;) {
    const doc = Math.floor(sorted[i]! / spreadRoom)
    let spread = sorted[i]! % spreadRoom
    for (i++; i < sorted.length && sorted[i]! < (doc + 1) * spreadRoom; i++)
      spread = add(spread, sorted[i]! % spreadRoom)
    put(doc, spread)
  }
}
