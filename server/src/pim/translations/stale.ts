/**
 * Stale texts: a translation is marked when the text that it was made from is replaced by another or removed, and its own
 * text is not written at the same time. Writing the translation removes the mark, and so does the statement that it is still right.
 *
 * A first text in the source locale marks nothing, because nothing was translated from it yet.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import {
  type Definition,
  isLocalized,
  isProse,
  isSame,
  type Localized,
  plainOf,
  type StoredValue,
} from '../../values/api.ts'
import type { Model } from '../model/model.ts'
import type { Entry } from '../products/products.batch.ts'
import { markStale, type WrittenText } from './stale.sql.ts'

/** Costs nothing unless a localized text was changed. */
export async function noteWritten(db: Db, model: Model, entries: Iterable<Entry>): Promise<void> {
  const written: WrittenText[] = []
  for (const { before, row } of entries) {
    if (!before || before.vals === row.vals) continue
    for (const attr in before.vals) {
      const text = writtenText(before.vals[attr]!, row.vals[attr])
      if (text && isTranslated(model.definition(attr))) written.push({ id: row.id, attr, ...text })
    }
  }
  if (written.length > 0) await markStale(db, written)
}

const isTranslated = (definition: Definition | undefined) =>
  definition !== undefined && isProse({ ...definition, dataType: definition.type })

const nowhere: Localized = {}

function writtenText(before: StoredValue, after: StoredValue | undefined) {
  if (before === after) return undefined
  const [old, now] = [plainOf(before), after === undefined ? nowhere : plainOf(after)]
  if (!isLocalized(old) || !isLocalized(now)) return undefined
  const locales = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const changed = locales.filter((locale) => !isSame(old[locale], now[locale]))
  if (changed.length === 0) return undefined
  const replaced = changed.filter((locale) => old[locale] !== undefined)
  return { replaced, changed, kept: locales.filter((locale) => !changed.includes(locale)) }
}
