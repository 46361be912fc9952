/**
 * A segment of documents that have just come: they are kept as they were written, and a column is made of them when it
 * is first asked for. A change can so be found for the price of writing it down, although a document has hundreds of
 * columns; a search asks for a few. Small segments are joined by copying, and become an ordinary one in its file.
 *
 *   0          8       16            16 + 8 n           + 4 (n + 1)
 *   +----------+-------+-------------+------------------+---------------------------------------+
 *   | KNTRNEW1 | n     | ids         | where a document | documents (documents.ts), without the |
 *   |          |       | 8 bytes     | begins, 4 bytes  | ends of lines                         |
 *   +----------+-------+-------------+------------------+---------------------------------------+
 *
 * It is never in a file: what has not been sealed is read again from the source.
 */
import type { Lexicon } from '../analysis/compounds.ts'
import { hasWords, isNumeric, isWhole } from '../comparators.ts'
import type { Scalar, SearchDocument } from '../port.ts'
import { createSegmentBuilder, fieldAt, metaOf, type Choice, type Gathered, type Workshop } from './build.ts'
import { readerOf, type Draft, type Sections } from './container.ts'
import { inOrder, readDocument, writeDocument } from './documents.ts'
import { readKeywordColumn } from './keyword-column.ts'
import { readNumberColumn } from './number-column.ts'
import { compoundsIn, lazily, placeName, wordsName, type Segment, type SegmentMeta } from './segment.ts'
import { readTextIndex } from './text-index.ts'

const magic = 'KNTRNEW1'
const headLength = 16

interface Fresh {
  readonly ids: Float64Array
  readonly starts: Uint32Array
  readonly text: Buffer
}

export function isFresh(buffer: SharedArrayBuffer): boolean {
  return Buffer.from(buffer, 0, magic.length).toString('latin1') === magic
}

export function writeFresh(documents: readonly SearchDocument[]): SharedArrayBuffer {
  return layOut(inOrder(documents).map((document) => ({ id: document.id, line: Buffer.from(writeDocument(document)) })))
}

/** A part of an index that is to become one with others. */
interface Joined {
  readonly buffer: SharedArrayBuffer
  isDeleted(doc: number): boolean
}

/** What is left of several, in one. */
export function joinFresh(sources: readonly Joined[]): SharedArrayBuffer {
  const left = sources.flatMap(({ buffer, isDeleted }) => {
    const fresh = readFresh(buffer)
    return Array.from(fresh.ids, (id, doc) => ({ id, line: lineOf(fresh, doc), doc })).filter(
      ({ doc }) => !isDeleted(doc),
    )
  })
  return layOut(left.sort((a, b) => a.id - b.id))
}

/** What is left of several, as an ordinary segment. */
export function buildFresh(workshop: Workshop, sources: readonly Joined[]): Draft<SegmentMeta> {
  const builder = createSegmentBuilder(workshop)
  const fresh = readFresh(joinFresh(sources))
  for (let doc = 0; doc < fresh.ids.length; doc++) readDocument(lineOf(fresh, doc).toString(), builder)
  return builder.finish()
}

function layOut(documents: readonly { readonly id: number; readonly line: Buffer }[]): SharedArrayBuffer {
  const count = documents.length
  const textAt = headLength + 8 * count + 4 * (count + 1)
  const size = documents.reduce((sum, { line }) => sum + line.length, textAt)
  const buffer = new SharedArrayBuffer(size)
  const bytes = Buffer.from(buffer)
  bytes.write(magic, 'latin1')
  bytes.writeUInt32LE(count, magic.length)
  const { ids, starts, text } = readFresh(buffer)
  documents.forEach(({ id, line }, doc) => {
    ids[doc] = id
    text.set(line, starts[doc])
    starts[doc + 1] = starts[doc]! + line.length
  })
  return buffer
}

function readFresh(buffer: SharedArrayBuffer): Fresh {
  const [count = 0] = new Uint32Array(buffer, magic.length, 1)
  const startsAt = headLength + 8 * count
  return {
    ids: new Float64Array(buffer as unknown as ArrayBuffer, headLength, count),
    starts: new Uint32Array(buffer as unknown as ArrayBuffer, startsAt, count + 1),
    text: Buffer.from(buffer, startsAt + 4 * (count + 1)),
  }
}

function lineOf({ starts, text }: Fresh, doc: number): Buffer {
  return text.subarray(starts[doc], starts[doc + 1])
}

export function openFresh(buffer: SharedArrayBuffer, lexicon: Lexicon, workshop: Workshop): Segment {
  const fresh = readFresh(buffer)
  const { ids } = fresh
  let read: Documents | undefined
  const documents = () => (read ??= readDocuments(fresh, workshop))
  const has = (kind: keyof Gathered) => (name: string) => documents().names[kind].has(name)
  const make = (choice: Choice) => readerOf(sectionsOf(workshop, ids, documents(), choice))
  const column = (place: string) => make({ hasColumn: (name) => name === place, hasWords: () => false })
  const words = lazily(has('words'), (locale) =>
    readTextIndex(make({ hasColumn: () => false, hasWords: (name) => name === locale }), wordsName(locale)),
  )
  return {
    buffer,
    get meta() {
      return documents().meta
    },
    maxDoc: ids.length,
    ids,
    keywords: lazily(has('keywords'), (place) => readKeywordColumn(column(place), place)),
    numbers: lazily(has('numbers'), (place) => readNumberColumn(column(place), place)),
    present: lazily(has('present'), (place) => column(place).bytes(`${place}.present`)),
    words,
    compoundsOf: compoundsIn(words, lexicon),
  }
}

interface Documents {
  /** Field, locale, values; by document. */
  readonly entries: readonly (readonly Entry[])[]
  /** The columns that can be made of them. */
  readonly names: { readonly [K in keyof Gathered]: ReadonlySet<string> }
  readonly meta: SegmentMeta
}
type Entry = readonly [field: string, locale: string, values: readonly Scalar[]]

function readDocuments(fresh: Fresh, workshop: Workshop): Documents {
  const names = {
    keywords: new Set<string>(),
    numbers: new Set<string>(),
    present: new Set<string>(),
    words: new Set<string>(),
  }
  const entries = Array.from(fresh.ids, (_, doc) => {
    const own: Entry[] = []
    readDocument(lineOf(fresh, doc).toString(), { begin() {}, add: (...entry) => void own.push(entry) })
    return own
  })
  for (const [name, locale] of entries.flat()) {
    const field = fieldAt(workshop, name, locale)
    if (!field) continue
    names[isNumeric(field) ? 'numbers' : isWhole(field) ? 'keywords' : 'present'].add(placeName(name, locale))
    if (hasWords(field)) names.words.add(locale)
  }
  return { entries, names, meta: metaOf(workshop.schema, entries.length, names) }
}

/** Some columns alone, made as a builder makes all of them. */
function sectionsOf(workshop: Workshop, ids: Float64Array, { entries }: Documents, choice: Choice): Sections {
  const builder = createSegmentBuilder(workshop, choice)
  entries.forEach((own, doc) => {
    builder.begin(ids[doc]!)
    for (const [field, locale, values] of own) builder.add(field, locale, values)
  })
  return builder.finish().sections
}
