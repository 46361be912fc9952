/**
 * A segment of recently changed documents, in memory: the documents are stored as they arrived, and a column is built at
 * first use. A document has hundreds of columns, but a search needs only a few, so this makes a change searchable for
 * little more than the cost of storing it. Small deltas are joined by copying; a sealed delta becomes an ordinary
 * segment in a file.
 *
 *   0          8       16            16 + 8 n           + 4 (n + 1)
 *   +----------+-------+-------------+------------------+---------------------------------------+
 *   | KNTRNEW1 | n     | ids         | start of each    | documents (documents.ts), without     |
 *   |          |       | 8 bytes     | document, 4 bytes| line ends                             |
 *   +----------+-------+-------------+------------------+---------------------------------------+
 *
 * A delta is never written to a file: after a restart, changes that were not sealed are read again from the source.
 */
import { hasWords, isNumeric, hasKeywordColumn } from '../comparators.ts'
import type { FieldDefinition, SearchDocument } from '../port.ts'
import { keyOf, keywordValue } from '../values.ts'
import { createSegmentBuilder, fieldAt, type Choice, type SegmentTools } from './build.ts'
import { readSections, type Draft, type Reader } from './container.ts'
import { beforeValues, inOrder, readDocument, valuesAfter, writeDocument } from './documents.ts'
import { readKeywordColumn } from './keyword-column.ts'
import { readNumberColumn } from './number-column.ts'
import { fieldOf, lazily, localeOf, presentName, wordsName, type Segment, type SegmentMeta } from './segment.ts'
import { readTextIndex } from './text-index.ts'

const magic = 'KNTRNEW1'
const headLength = 16

/** Copies bytes that arrived from another process into shared memory. */
export function sharedCopy(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

interface Delta {
  readonly ids: Float64Array
  readonly starts: Uint32Array
  readonly text: Buffer
}

export function isDelta(buffer: SharedArrayBuffer): boolean {
  return Buffer.from(buffer, 0, magic.length).toString('latin1') === magic
}

export function writeDelta(documents: readonly SearchDocument[]): SharedArrayBuffer {
  return pack(inOrder(documents).map((document) => ({ id: document.id, line: Buffer.from(writeDocument(document)) })))
}

/** A delta to be joined, with its deletions. */
interface DeltaPart {
  readonly buffer: SharedArrayBuffer
  isDeleted(doc: number): boolean
}

/** Copies the live documents of several deltas into one. */
export function joinDeltas(sources: readonly DeltaPart[]): SharedArrayBuffer {
  const left = sources.flatMap(({ buffer, isDeleted }) => {
    const delta = readDelta(buffer)
    return Array.from(delta.ids, (id, doc) => ({ id, line: lineOf(delta, doc), doc })).filter(
      ({ doc }) => !isDeleted(doc),
    )
  })
  return pack(left.sort((a, b) => a.id - b.id))
}

/** Builds an ordinary segment from the live documents of several deltas. */
export function buildFromDeltas(tools: SegmentTools, sources: readonly DeltaPart[]): Draft<SegmentMeta> {
  const builder = createSegmentBuilder(tools)
  const delta = readDelta(joinDeltas(sources))
  for (let doc = 0; doc < delta.ids.length; doc++) readDocument(lineOf(delta, doc).toString(), builder)
  return builder.finish()
}

function pack(documents: readonly { readonly id: number; readonly line: Buffer }[]): SharedArrayBuffer {
  const count = documents.length
  const textAt = headLength + 8 * count + 4 * (count + 1)
  const size = documents.reduce((sum, { line }) => sum + line.length, textAt)
  const buffer = new SharedArrayBuffer(size)
  const bytes = Buffer.from(buffer)
  bytes.write(magic, 'latin1')
  bytes.writeUInt32LE(count, magic.length)
  const { ids, starts, text } = readDelta(buffer)
  documents.forEach(({ id, line }, doc) => {
    ids[doc] = id
    text.set(line, starts[doc])
    starts[doc + 1] = starts[doc]! + line.length
  })
  return buffer
}

function readDelta(buffer: SharedArrayBuffer): Delta {
  const [count = 0] = new Uint32Array(buffer, magic.length, 1)
  const startsAt = headLength + 8 * count
  return {
    ids: new Float64Array(buffer as unknown as ArrayBuffer, headLength, count),
    starts: new Uint32Array(buffer as unknown as ArrayBuffer, startsAt, count + 1),
    text: Buffer.from(buffer, startsAt + 4 * (count + 1)),
  }
}

function lineOf({ starts, text }: Delta, doc: number): Buffer {
  return text.subarray(starts[doc], starts[doc + 1])
}

export function openDelta(buffer: SharedArrayBuffer, tools: SegmentTools): Segment {
  const delta = readDelta(buffer)
  const words = lazily((locale) => {
    const textFields = tools.schema.fields.filter((field) => hasWords(field) && fieldAt(tools, field.name, locale))
    const columns = textFields.map(({ name }): ColumnKey => [name, locale])
    return buildColumns(delta, tools, columns, { hasColumn: () => false, hasWords: () => true }, (from) =>
      readTextIndex(from, wordsName(locale)),
    )
  })
  const columns = <T>(is: (field: FieldDefinition) => boolean, read: (from: Reader, name: string) => T) =>
    lazily((name) => {
      const key: ColumnKey = [fieldOf(name), localeOf(name)]
      const field = fieldAt(tools, ...key)
      if (!field || !is(field)) return undefined
      const choice = { hasColumn: () => true, hasWords: () => false }
      return buildColumns(delta, tools, [key], choice, (from) => read(from, name))
    })
  return {
    buffer,
    size: buffer.byteLength,
    fields: tools.schema.fields,
    maxDoc: delta.ids.length,
    ids: delta.ids,
    keywords: columns(hasKeywordColumn, readKeywordColumn),
    numbers: columns(isNumeric, readNumberColumn),
    present: columns(
      (field) => !hasKeywordColumn(field) && !isNumeric(field),
      (from, name) => from.bytes(presentName(name)),
    ),
    words,
    docsByKey: lazily((name) => buildDocsByKey(delta, beforeValues(fieldOf(name), localeOf(name)))),
  }
}

function buildDocsByKey(delta: Delta, mark: Buffer): ReadonlyMap<string, readonly number[]> {
  const docsByKey = new Map<string, number[]>()
  for (let doc = 0; doc < delta.ids.length; doc++) {
    const values = valuesAfter(lineOf(delta, doc), mark) ?? []
    for (const key of new Set(values.map((value) => keyOf(keywordValue(value))))) {
      const docs = docsByKey.get(key)
      if (docs) docs.push(doc)
      else docsByKey.set(key, [doc])
    }
  }
  return docsByKey
}

type ColumnKey = readonly [field: string, locale: string]

/** Builds columns from the values of some fields; undefined if no document has a value. */
function buildColumns<T>(
  delta: Delta,
  tools: SegmentTools,
  columns: readonly ColumnKey[],
  choice: Choice,
  read: (from: Reader) => T,
): T | undefined {
  const builder = createSegmentBuilder(tools, choice)
  const marked = columns.map((column) => ({ column, mark: beforeValues(...column) }))
  let isEmpty = true
  delta.ids.forEach((id, doc) => {
    const line = lineOf(delta, doc)
    builder.begin(id)
    for (const { column, mark } of marked) {
      const values = valuesAfter(line, mark)
      if (!values) continue
      builder.add(...column, values)
      isEmpty = false
    }
  })
  return isEmpty ? undefined : read(readSections(builder.finish().sections))
}
