/** The values that products have at all, for the columns of a table: found without reading the products. */
import type { Context } from '../../core/context.ts'
import { plainOf, type StoredValue } from '../../values/api.ts'
import { accessOf } from './products.access.ts'
import type { ProductNeeds } from './products.persist.ts'
import type { LevelNumber } from './products.sql.ts'
import * as rows from './products.used.sql.ts'

interface UsedValue {
  readonly level: LevelNumber
  readonly key: string
  readonly locale: string
}

/**
 * `done`: keys that need not be found any more, by level. Returns the values and the ids of products with links; undefined
 * for a caller who may not see all values, because that is decided value by value. An article or variation also has a value
 * with an empty key.
 */
export const usedValues =
  ({ models }: Pick<ProductNeeds, 'models'>) =>
  async ({ db, caller }: Context, names: rows.Names, done: readonly (readonly string[])[]) => {
    if (accessOf(caller, await models.load(db)).isNarrowed) return undefined
    const [parts, linked] = await Promise.all([rows.findOthers(db, names, done), rows.findLinked(db, names)])
    const values = new Map<string, UsedValue>()
    const note = (value: UsedValue) => values.set(`${value.level} ${value.key}@${value.locale}`, value)
    for (const { level, vals } of parts) {
      if (level > 0) note({ level, key: '', locale: '' })
      for (const key in vals) for (const locale of localesOf(vals[key]!)) note({ level, key, locale })
    }
    return { values: [...values.values()], linked: linked.map(({ id }) => id) }
  }

/** The locales in which a text is not empty; an empty one for a value without locales. */
function localesOf(stored: StoredValue): string[] {
  const plain = plainOf(stored)
  if (typeof plain === 'string' || Array.isArray(plain)) return hasText(plain) ? [''] : []
  return Object.keys(plain).filter((locale) => hasText(plain[locale]!))
}

const hasText = (plain: string | readonly (string | null)[]) =>
  typeof plain === 'string' ? plain !== '' : plain.some((text) => text !== null && text !== '')
