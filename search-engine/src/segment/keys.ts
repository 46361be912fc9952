/**
 * The comparison keys of a column's values, sorted by their bytes. EQ, IN, prefixes, suffixes and patterns use them.
 *
 *   keyOrdinals   by key position, the ordinal of its value
 *   keys          the keys. Omitted for text fields, which are usually searched by words; there a key is computed from
 *                 its value when needed
 *
 * Both are omitted if every value equals its key and the order is the same, as with numbers.
 */
import { keyOf } from '../values.ts'
import type { Reader, Sections } from './container.ts'
import { createKeyTable, type HashedKeys, type KeyTable } from './key-hash-table.ts'
import {
  byteOrder,
  compareInBytes,
  containing,
  equalRange,
  firstNot,
  prefixRange,
  readStrings,
  textAt,
  writeStrings,
  type Strings,
} from './strings.ts'

export interface Keys {
  readonly ordinals: Uint32Array
  at(position: number): string
  /** The positions of a key. Several values may share it. */
  positionsOf(key: string): [from: number, to: number]
  /** The positions of several keys, in any order. */
  positionsOfAll(targets: HashedKeys): Iterable<number>
  withPrefix(prefix: string): [from: number, to: number]
  /** The positions of keys that contain a substring, or end with it. */
  containing(piece: string, atEnd?: boolean): Iterable<number>
}

export function writeKeys(out: Sections, name: string, values: readonly string[], keep: boolean): void {
  const keys = values.map(keyOf)
  // The sort is stable, so equal keys are ordered by ordinal.
  const ordinals = byteOrder(keys)
  if (ordinals.every((ordinal, position) => ordinal === position && keys[ordinal] === values[ordinal])) return
  out.set(`${name}.keyOrdinals`, ordinals)
  if (keep) {
    writeStrings(
      out,
      `${name}.keys`,
      Array.from(ordinals, (ordinal) => keys[ordinal]!),
    )
  }
}

export function readKeys(from: Reader, name: string, values: Strings): Keys {
  if (!from.has(`${name}.keyOrdinals`)) {
    const ordinals = Uint32Array.from({ length: values.count }, (_, i) => i)
    return storedKeys(ordinals, values)
  }
  const ordinals = from.u32(`${name}.keyOrdinals`)
  if (!from.has(`${name}.keys.bytes`)) return computedKeys(ordinals, values)
  const keys = readStrings(from, `${name}.keys`)
  return storedKeys(ordinals, keys)
}

/** From this many keys, in a table of this size, a hash table is faster than binary search. */
const minHashedKeys = 16
const minHashedTable = 256

function storedKeys(ordinals: Uint32Array, keys: Strings): Keys {
  let table: KeyTable | undefined
  return {
    ordinals,
    at: (position) => textAt(keys, position),
    positionsOf: (key) => equalRange(keys, Buffer.from(key)),
    positionsOfAll(targets) {
      if (targets.keys.length < minHashedKeys || keys.count < minHashedTable) return positionsBySearch(keys, targets)
      return (table ??= createKeyTable(keys)).findAll(targets)
    },
    withPrefix: (prefix) => prefixRange(keys, prefix),
    containing: (piece, atEnd) => containing(keys, piece, atEnd),
  }
}

function* positionsBySearch(keys: Strings, targets: HashedKeys): Generator<number> {
  for (const key of targets.keys) {
    const [from, to] = equalRange(keys, key)
    for (let position = from; position < to; position++) yield position
  }
}
function computedKeys(ordinals: Uint32Array, values: Strings): Keys {
  const at = (position: number) => keyOf(textAt(values, ordinals[position]!))
  const positionOf = (key: string) => firstNot(ordinals.length, (position) => compareInBytes(at(position), key) < 0)
  return {
    ordinals,
    at,
    positionsOf(key) {
      const from = positionOf(key)
      let to = from
      while (to < ordinals.length && at(to) === key) to++
      return [from, to]
    },
    *positionsOfAll(targets) {
      for (const key of targets.keys) {
        const text = Buffer.from(key).toString()
        for (let position = positionOf(text); position < ordinals.length && at(position) === text; position++)
          yield position
      }
    },
    withPrefix(prefix) {
      const from = positionOf(prefix)
      const isWithin = (position: number) => at(position).startsWith(prefix) || compareInBytes(at(position), prefix) < 0
      return [from, firstNot(ordinals.length, isWithin)]
    },
    *containing(piece, atEnd) {
      for (let position = 0; position < ordinals.length; position++) {
        if (atEnd ? at(position).endsWith(piece) : at(position).includes(piece)) yield position
      }
    },
  }
}
