/** Products with their values in some languages only. Values without a language stay. */
import type { Val } from '@kontor/contract'
import type { Infer } from '@kontor/contract'
import { Problem } from '../errors.ts'
import type { ProductItem } from './mapping.ts'

export type ValMessage = Infer<typeof Val>
interface Part {
  readonly vals?: { readonly val?: readonly ValMessage[] } | undefined
}

/** The languages in which an export is made, in the order of the system: those asked for, or all. */
export function chosenLocales(asked: readonly string[] | undefined, known: readonly string[]): readonly string[] {
  const unknown = asked?.find((locale) => !known.includes(locale))
  if (unknown !== undefined)
    throw new Problem(
      'invalid',
      `locales: unknown locale ${unknown.slice(0, 50)}; expected some of ${known.join(', ')}`,
    )
  return asked ? known.filter((locale) => asked.includes(locale)) : known
}

export function inLocales(product: ProductItem, locales: readonly string[]): ProductItem {
  const articles = product.articles?.article?.map((article) => {
    const variant = article.variants?.variant?.map((one) => withVals(one, locales))
    return { ...withVals(article, locales), ...(variant && { variants: { variant } }) }
  })
  return { ...withVals(product, locales), ...(articles && { articles: { article: articles } }) }
}

function withVals<T extends Part>(part: T, locales: readonly string[]): T {
  if (!part.vals?.val) return part
  const val = part.vals.val.flatMap((one) => inSome(one, locales) ?? [])
  return { ...part, vals: { ...part.vals, val } }
}

function inSome(val: ValMessage, locales: readonly string[]): ValMessage | undefined {
  const isMeant = ({ loc }: { readonly loc?: string | undefined }) => loc === undefined || locales.includes(loc)
  const { itm, i18N, ...others } = plain(val)
  if ((itm ?? []).every(isMeant) && (i18N ?? []).every(isMeant)) return val
  const left = { itm: itm?.filter(isMeant) ?? [], i18N: i18N?.filter(isMeant) ?? [] }
  if (left.itm.length === 0 && left.i18N.length === 0) return undefined
  return { ...others, ...(left.itm.length > 0 && { itm: left.itm }), ...(left.i18N.length > 0 && { i18N: left.i18N }) }
}

/** A value in its stored form has getters, which are not copied with it. */
export const plain = (val: ValMessage & { inLong?(): ValMessage }): ValMessage => val.inLong?.() ?? val
