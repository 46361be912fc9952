/**
 * The numbers or dates of a field in one locale.
 *
 *   values     at most one per document: 8 bytes by document, NaN = no value; otherwise several, see `offsets`
 *   order      indexes into `values`, without NaN, sorted by value: for range searches and for walking in sort order
 *   owners     several values only: the document of each value
 */
import type { Reader, Sections } from './container.ts'

export interface NumberColumn {
  readonly values: Float64Array
  readonly order: Uint32Array
  readonly offsets?: Uint32Array
  readonly owners?: Uint32Array
}

/** Document d has values[offsets[d]..offsets[d + 1]]. */
interface NumbersByDocument {
  readonly offsets: Uint32Array
  readonly values: Float64Array
}

export function writeNumberColumn(out: Sections, name: string, raw: NumbersByDocument): void {
  const { offsets } = raw
  const count = offsets.length - 1
  let several = false
  for (let doc = 0; doc < count; doc++) several ||= offsets[doc + 1]! - offsets[doc]! > 1
  if (several) {
    const values = raw.values.slice()
    const owners = new Uint32Array(values.length)
    for (let doc = 0; doc < count; doc++) {
      values.subarray(offsets[doc], offsets[doc + 1]).sort()
      owners.fill(doc, offsets[doc], offsets[doc + 1])
    }
    out.set(`${name}.values`, values)
    out.set(`${name}.offsets`, offsets)
    out.set(`${name}.owners`, owners)
    out.set(`${name}.order`, orderOf(values))
  } else {
    const values = new Float64Array(count).fill(NaN)
    for (let doc = 0; doc < count; doc++)
      if (offsets[doc + 1]! > offsets[doc]!) values[doc] = raw.values[offsets[doc]!]!
    out.set(`${name}.values`, values)
    out.set(`${name}.order`, orderOf(values))
  }
}

/** Indexes sorted by value. Equal values keep the order of the documents, which is the order of the IDs. */
function orderOf(values: Float64Array): Uint32Array {
  const indexes = new Uint32Array(values.length)
  let count = 0
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) indexes[count++] = i
  return indexes.slice(0, count).sort((a, b) => values[a]! - values[b]! || a - b)
}

export function readNumberColumn(from: Reader, name: string): NumberColumn {
  return {
    values: from.f64(`${name}.values`),
    order: from.u32(`${name}.order`),
    ...(from.has(`${name}.offsets`)
      ? { offsets: from.u32(`${name}.offsets`), owners: from.u32(`${name}.owners`) }
      : {}),
  }
}

export function numbersByDocument({ values, offsets }: NumberColumn, maxDoc: number): NumbersByDocument {
  if (offsets) return { offsets, values }
  const starts = new Uint32Array(maxDoc + 1)
  const filled: number[] = []
  for (let doc = 0; doc < maxDoc; doc++) {
    if (!Number.isNaN(values[doc]!)) filled.push(values[doc]!)
    starts[doc + 1] = filled.length
  }
  return { offsets: starts, values: Float64Array.from(filled) }
}
