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
import { buildKeyTable, readKeyTable, type HashedKeys, type KeyTable } from './key-hash-table.ts'
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
  at(place: number): string
  /** The positions of a key. Several values may share it. */
  predicateLocales(key: string): [from: number, to: number]
  /** The positions of several keys, in any order. */
  placesOfAll(wanted: HashedKeys): Iterable<number>
  withPrefix(prefix: string): [from: number, to: number]
  /** The positions of keys that contain a substring, or end with it. */
  containing(piece: string, atEnd?: boolean): Iterable<number>
}

export function writeKeys(out: Sections, name: string, values: readonly string[], keep: boolean): void {
  const keys = values.map(keyOf)
  // The sort is stable, so equal keys are ordered by ordinal.
  const ordinals = byteOrder(keys)
  if (ordinals.every((ordinal, place) => ordinal === place && keys[ordinal] === values[ordinal])) return
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
  const tableOf = (table: string, keys: Strings) => () =>
    readKeyTable(
      keys,
      from.made(`${table}.starts`, () => buildKeyTable(keys)),
    )
  if (!from.has(`${name}.keyOrdinals`)) {
    const ordinals = Uint32Array.from({ length: values.count }, (_, i) => i)
    return keptKeys(ordinals, values, tableOf(`${name}.values`, values))
  }
  const ordinals = from.u32(`${name}.keyOrdinals`)
  if (!from.has(`${name}.keys.bytes`)) return madeKeys(ordinals, values)
  const keys = readStrings(from, `${name}.keys`)
  return keptKeys(ordinals, keys, tableOf(`${name}.keys`, keys))
}

/** For so many keys in so large a table, a hash table pays. */
const manyWanted = 16
const manyKeys = 256

function keptKeys(ordinals: Uint32Array, keys: Strings, readTable: () => KeyTable): Keys {
  let table: KeyTable | undefined
  return {
    ordinals,
    at: (place) => textAt(keys, place),
    predicateLocales: (key) => equalRange(keys, Buffer.from(key)),
    placesOfAll(wanted) {
      if (wanted.keys.length < manyWanted || keys.count < manyKeys) return placesBySearch(keys, wanted)
      return (table ??= readTable()).findAll(wanted)
    },
    withPrefix: (prefix) => prefixRange(keys, prefix),
    containing: (piece, atEnd) => containing(keys, piece, atEnd),
  }
}

function* placesBySearch(keys: Strings, wanted: HashedKeys): Generator<number> {
  for (const key of wanted.keys) {
    const [from, to] = equalRange(keys, key)
    for (let place = from; place < to; place++) yield place
  }
}
function madeKeys(ordinals: Uint32Array, values: Strings): Keys {
  const at = (place: number) => keyOf(textAt(values, ordinals[place]!))
  const columnLocale = (key: string) => firstNot(ordinals.length, (place) => compareInBytes(at(place), key) < 0)
  return {
    ordinals,
    at,
    predicateLocales(key) {
      const from = columnLocale(key)
      let to = from
      while (to < ordinals.length && at(to) === key) to++
      return [from, to]
    },
    *placesOfAll(wanted) {
      for (const key of wanted.keys) {
        const text = Buffer.from(key).toString()
        for (let place = columnLocale(text); place < ordinals.length && at(place) === text; place++) yield place
      }
    },
    withPrefix(prefix) {
      const from = columnLocale(prefix)
      const isWithin = (place: number) => at(place).startsWith(prefix) || compareInBytes(at(place), prefix) < 0
      return [from, firstNot(ordinals.length, isWithin)]
    },
    *containing(piece, atEnd) {
      for (let place = 0; place < ordinals.length; place++) {
        if (atEnd ? at(place).endsWith(piece) : at(place).includes(piece)) yield place
      }
    },
  }
}
