/** Writing and reading posting lists: rare and frequent terms, full blocks and tails. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyLexicon } from '../analysis/compounds.ts'
import { hitsOfBits } from '../execute/hits.ts'
import { readSections, type Sections } from './container.ts'
import { markContaining, readProfilesOf, notFound } from './postings-lookup.ts'
import { createBlock } from './postings-block.ts'
import { blocksOf, Cursor, markPostings, noMoreDocs, readPostings } from './postings.ts'
import { readTextIndex } from './text-index.ts'
import { createTextWriter } from './text-writer.ts'

/** Documents of a term with their profiles; the typical gap changes along the list. */
const postings = fc
  .array(fc.record({ count: fc.nat(300), largestGap: fc.constantFrom(1, 2, 8, 30, 500), seed: fc.nat(1e6) }), {
    maxLength: 4,
  })
  .map((stretches) => {
    let doc = -1
    return stretches.flatMap(({ count, largestGap, seed }) =>
      Array.from({ length: count }, (_, i) => {
        const mixed = Math.imul(seed + i + 1, 0x9e3779b1) >>> 8
        return { doc: (doc += 1 + (mixed % largestGap)), profile: (mixed >>> 4) % (largestGap === 2 ? 40 : 3) }
      }),
    )
  })

/** One full block and no tail. */
const justFull = Array.from({ length: 128 }, (_, doc) => ({ doc, profile: doc % 3 }))

function writePostings(terms: readonly { doc: number; profile: number }[][]) {
  const writer = createTextWriter({ locale: '', stem: (term) => term }, emptyLexicon)
  for (let i = 0; i < 40; i++) writer.profile([i, 1])
  terms.forEach((of, term) => {
    writer.beginTerm(`t${String(term).padStart(3, '0')}`, '')
    for (const { doc, profile } of of) writer.posting(doc, profile, Uint8Array.of(profile), 0, 1)
  })
  const out: Sections = new Map()
  writer.finish(out, 'words', new Uint32Array(1))
  return readTextIndex(readSections(out), 'words')
}

test('postings are read as they were written: by block, one by one, by seeking, and many at a time', () => {
  fc.assert(
    fc.property(fc.array(postings, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 400 }), (terms, step) => {
      const text = writePostings(terms)
      terms.forEach((expected, term) => {
        const block = createBlock()
        const inBlocks = []
        for (let number = 0; number < blocksOf(text, term); number++) {
          const count = readPostings(text, term, number, block)
          for (let i = 0; i < count; i++) inBlocks.push({ doc: block.docs[i], profile: block.profiles[i] })
        }
        expect(inBlocks).toEqual(expected)

        const marked = new Uint32Array(20_000)
        markPostings(
          text,
          term,
          Uint8Array.from({ length: 40 }, (_, profile) => profile % 2),
          marked,
        )
        const odd = expected.filter(({ profile }) => profile % 2 === 1)
        expect([...hitsOfBits(marked).docs]).toEqual(odd.map(({ doc }) => doc))

        const all = new Cursor(text, term)
        const walked = []
        for (let doc = all.next(); doc !== noMoreDocs; doc = all.next()) walked.push({ doc, profile: all.profile })
        expect(walked).toEqual(expected)

        const profiles = new Map(expected.map(({ doc, profile }) => [doc, profile]))
        const wanted: number[] = []
        for (let doc = 0; doc < (expected.at(-1)?.doc ?? 0) + 2 * step; doc += 1 + (doc % step)) wanted.push(doc)
        const sought = new Cursor(text, term)
        const missed: number[] = []
        for (const doc of wanted) {
          const profile = profiles.get(doc)
          const isRight = sought.seek(doc) ? sought.profile === profile : profile === undefined
          // Each posting has one position, equal to the number of its profile, which is that of its field.
          const positions = profile === undefined || doc % 9 ? '' : String([...sought.positions()])
          if (!isRight || (positions && positions !== `${profile},${profile}`)) missed.push(doc)
        }
        expect(missed).toEqual([])

        const documents = { docs: Uint32Array.from(wanted), count: wanted.length }
        const found = new Uint8Array(wanted.length)
        markContaining(text, term, documents, found)
        expect([...found]).toEqual(wanted.map((doc) => Number(profiles.has(doc))))
        const there = new Int32Array(wanted.length)
        readProfilesOf(text, term, documents, there)
        expect([...there]).toEqual(wanted.map((doc) => profiles.get(doc) ?? notFound))
      })
    }),
    { numRuns: 40, examples: [[[justFull], 5]] },
  )
})
