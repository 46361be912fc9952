/**
 * Collects the columns of a segment, document by document in ascending order, and writes them. Used by build.ts (from
 * documents) and merge.ts (from other segments).
 */
import type { Collation } from '../collation.ts'
import { createDoubles, createNumbers, finishNumbers, push, pushDouble, type Numbers } from './bytes.ts'
import type { Integers, Sections } from './container.ts'
import { writeKeywordColumn } from './keyword-column.ts'
import { writeNumberColumn } from './number-column.ts'
import { presentName } from './segment.ts'
import { createValueTable } from './value-table.ts'

export interface KeywordBuilder {
  idOf(value: string): number
  add(doc: number, id: number): void
  write(out: Sections, name: string, maxDoc: number, collation: Collation): void
}

/** `isText`: fewer sections are written for text fields, see keyword-column.ts and keys.ts. */
export function createKeywordBuilder(isText: boolean): KeywordBuilder {
  const table = createValueTable()
  const builders = createOrdinalBuilder()
  return {
    idOf: table.numberOf,
    add: builders.add,
    write(out, name, maxDoc, collation) {
      writeKeywordColumn(out, name, { values: table.values(), ...builders.finish(maxDoc) }, collation, isText)
    },
  }
}

/** Value ordinals by document: one number per document, as narrow as possible, until a document has a second value. */
function createOrdinalBuilder() {
  let single: Integers = new Uint8Array(16)
  let documents = 0
  let several: { readonly owners: Numbers; readonly ids: Numbers } | undefined

  function addSingle(doc: number, id: number): void {
    if (doc >= single.length) single = resized(single, Math.max(doc + 1, Math.ceil(single.length * 1.5)))
    if (id + 1 >= 2 ** (8 * single.BYTES_PER_ELEMENT)) single = widened(single, id + 1)
    single[doc] = id + 1
    documents = doc + 1
  }
  function asList() {
    const list = { owners: createNumbers(), ids: createNumbers() }
    for (let doc = 0; doc < documents; doc++) {
      if (single[doc] === 0) continue
      push(list.owners, doc)
      push(list.ids, single[doc]! - 1)
    }
    single = new Uint8Array(0)
    return list
  }
  return {
    add(doc: number, id: number): void {
      if (!several && doc < documents) several = asList()
      if (!several) return addSingle(doc, id)
      push(several.owners, doc)
      push(several.ids, id)
    },
    finish(maxDoc: number): { offsets: Uint32Array; ids: Uint32Array } {
      const { owners, ids } = several ?? asList()
      return { offsets: offsetsOf(owners, maxDoc), ids: finishNumbers(ids) }
    },
  }
}

function resized(array: Integers, length: number): Integers {
  const larger = new (array.constructor as new (length: number) => Integers)(length)
  larger.set(array)
  return larger
}
function widened(array: Integers, largest: number): Integers {
  return largest <= 0xffff ? Uint16Array.from(array) : Uint32Array.from(array)
}

export interface NumberBuilder {
  add(doc: number, value: number): void
  write(out: Sections, name: string, maxDoc: number): void
}

export function createNumberBuilder(): NumberBuilder {
  const owners = createNumbers()
  const values = createDoubles()
  return {
    add(doc, value) {
      push(owners, doc)
      pushDouble(values, value)
    },
    write(out, name, maxDoc) {
      writeNumberColumn(out, name, { offsets: offsetsOf(owners, maxDoc), values: values.data.slice(0, values.length) })
    },
  }
}

export interface PresenceBuilder {
  add(doc: number): void
  write(out: Sections, name: string, maxDoc: number): void
}

/** Long texts: stores only whether a document has a value. */
export function createPresenceBuilder(): PresenceBuilder {
  const owners = createNumbers()
  return {
    add: (doc) => push(owners, doc),
    write(out, name, maxDoc) {
      const present = new Uint8Array(maxDoc)
      for (let i = 0; i < owners.length; i++) present[owners.data[i]!] = 1
      out.set(presentName(name), present)
    },
  }
}

export function writeIds(out: Sections, ids: Float64Array): void {
  out.set('ids', ids.every((id) => id >>> 0 === id) ? Uint32Array.from(ids) : ids)
}

/** Start offset of each document's entries. `owners` is in ascending order. */
function offsetsOf(owners: Numbers, maxDoc: number): Uint32Array {
  const offsets = new Uint32Array(maxDoc + 1)
  for (let i = 0; i < owners.length; i++) offsets[owners.data[i]! + 1]!++
  for (let doc = 0; doc < maxDoc; doc++) offsets[doc + 1]! += offsets[doc]!
  return offsets
}
