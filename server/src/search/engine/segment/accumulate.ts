/**
 * Gathers what a segment is made of, document by document in ascending order, and writes it. Both makers of segments use
 * it: build.ts from documents, merge.ts from other segments.
 */
import type { Collation } from '../collation.ts'
import { createDoubles, createNumbers, push, pushDouble, type Numbers } from './bytes.ts'
import type { Sections } from './container.ts'
import { writeKeywordColumn } from './keyword-column.ts'
import { writeNumberColumn } from './number-column.ts'
import { createValueTable } from './value-table.ts'

export interface KeywordGatherer {
  idOf(value: string): number
  add(doc: number, id: number): void
  write(out: Sections, name: string, maxDoc: number, collation: Collation): void
}

/** `isText`: less is kept of whole texts, see keyword-column.ts and keys.ts. */
export function gatherKeywords(isText: boolean): KeywordGatherer {
  const table = createValueTable()
  const owners = createNumbers()
  const added = createNumbers()
  return {
    idOf: table.numberOf,
    add(doc, id) {
      push(owners, doc)
      push(added, id)
    },
    write(out, name, maxDoc, collation) {
      const raw = {
        values: table.values(),
        offsets: offsetsOf(owners, maxDoc),
        ids: added.data.slice(0, added.length),
      }
      writeKeywordColumn(out, name, raw, collation, isText)
    },
  }
}

export interface NumberGatherer {
  add(doc: number, value: number): void
  write(out: Sections, name: string, maxDoc: number): void
}

export function gatherNumbers(): NumberGatherer {
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

export interface PresenceGatherer {
  add(doc: number): void
  write(out: Sections, name: string, maxDoc: number): void
}

/** Long texts: only whether there is one. */
export function gatherPresence(): PresenceGatherer {
  const owners = createNumbers()
  return {
    add: (doc) => push(owners, doc),
    write(out, name, maxDoc) {
      const present = new Uint8Array(maxDoc)
      for (let i = 0; i < owners.length; i++) present[owners.data[i]!] = 1
      out.set(`${name}.present`, present)
    },
  }
}

export function writeIds(out: Sections, ids: Float64Array): void {
  out.set('ids', ids.every((id) => id >>> 0 === id) ? Uint32Array.from(ids) : ids)
}

/** Where the entries of each document begin; the owners are in ascending order. */
function offsetsOf(owners: Numbers, maxDoc: number): Uint32Array {
  const offsets = new Uint32Array(maxDoc + 1)
  for (let i = 0; i < owners.length; i++) offsets[owners.data[i]! + 1]!++
  for (let doc = 0; doc < maxDoc; doc++) offsets[doc + 1]! += offsets[doc]!
  return offsets
}
