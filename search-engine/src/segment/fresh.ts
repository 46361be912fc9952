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
import { hasWords, isNumeric, isWhole } from '../comparators.ts'
import type { FieldDefinition, SearchDocument } from '../port.ts'
import { keyOf, wholeValue } from '../values.ts'
import { createSegmentBuilder, fieldAt, type Choice, type Workshop } from './build.ts'
import { readerOf, type Draft, type Reader } from './container.ts'
import { beforeValues, inOrder, readDocument, valuesBehind, writeDocument } from './documents.ts'
import { readKeywordColumn } from './keyword-column.ts'
import { readNumberColumn } from './number-column.ts'
import { fieldOf, lazily, localeOf, presentName, wordsName, type Segment, type SegmentMeta } from './segment.ts'
import { readTextIndex } from './text-index.ts'

const magic = 'KNTRNEW1'
const headLength = 16

/** As it arrives in another process. */
export function sharedCopy(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

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

export function openFresh(buffer: SharedArrayBuffer, workshop: Workshop): Segment {
  const fresh = readFresh(buffer)
  const words = lazily((locale) => {
    const worded = workshop.schema.fields.filter((field) => hasWords(field) && fieldAt(workshop, field.name, locale))
    const places = worded.map(({ name }): Place => [name, locale])
    return makeOf(fresh, workshop, places, { hasColumn: () => false, hasWords: () => true }, (from) =>
      readTextIndex(from, wordsName(locale)),
    )
  })
  const columns = <T>(is: (field: FieldDefinition) => boolean, read: (from: Reader, place: string) => T) =>
    lazily((name) => {
      const place: Place = [fieldOf(name), localeOf(name)]
      const field = fieldAt(workshop, ...place)
      if (!field || !is(field)) return undefined
      const choice = { hasColumn: () => true, hasWords: () => false }
      return makeOf(fresh, workshop, [place], choice, (from) => read(from, name))
    })
  return {
    buffer,
    size: buffer.byteLength,
    fields: workshop.schema.fields,
    maxDoc: fresh.ids.length,
    ids: fresh.ids,
    keywords: columns(isWhole, readKeywordColumn),
    numbers: columns(isNumeric, readNumberColumn),
    present: columns(
      (field) => !isWhole(field) && !isNumeric(field),
      (from, name) => from.bytes(presentName(name)),
    ),
    words,
    holders: lazily((name) => holdersIn(fresh, beforeValues(fieldOf(name), localeOf(name)))),
  }
}

function holdersIn(fresh: Fresh, mark: Buffer): ReadonlyMap<string, readonly number[]> {
  const holders = new Map<string, number[]>()
  for (let doc = 0; doc < fresh.ids.length; doc++) {
    const values = valuesBehind(lineOf(fresh, doc), mark) ?? []
    for (const key of new Set(values.map((value) => keyOf(wholeValue(value))))) {
      const docs = holders.get(key)
      if (docs) docs.push(doc)
      else holders.set(key, [doc])
    }
  }
  return holders
}

type Place = readonly [field: string, locale: string]

/** What the values at some places come to, made as a builder makes it of all; nothing where no document has any. */
function makeOf<T>(
  fresh: Fresh,
  workshop: Workshop,
  places: readonly Place[],
  choice: Choice,
  read: (from: Reader) => T,
): T | undefined {
  const builder = createSegmentBuilder(workshop, choice)
  const marked = places.map((place) => ({ place, mark: beforeValues(...place) }))
  let isEmpty = true
  fresh.ids.forEach((id, doc) => {
    const line = lineOf(fresh, doc)
    builder.begin(id)
    for (const { place, mark } of marked) {
      const values = valuesBehind(line, mark)
      if (!values) continue
      builder.add(...place, values)
      isEmpty = false
    }
  })
  return isEmpty ? undefined : read(readerOf(builder.finish().sections))
}
