/**
 * A product in the editor: the product, its articles and its variations as a flat list of items; their changes become
 * one message.
 */
import type { Article, Infer, Product, Variant } from '@kontor/contract'
import { type Changes, columnKey, keyOfVal, toVals, type ValMessage } from '../../../object/values/draft.ts'
import type { Attribute } from '../../../object/values/attribute.ts'

export type ProductMessage = Infer<typeof Product>
type ArticleMessage = Infer<typeof Article>
type VariantMessage = Infer<typeof Variant>

/** p: product, a: article, v: variation. */
export type Level = 'p' | 'a' | 'v'
export interface Item {
  readonly level: Level
  readonly tid: string
  readonly name: string
  readonly parent?: Item
  readonly message: ProductMessage | ArticleMessage | VariantMessage
  /** Own and inherited values by key, as the server returns them. */
  readonly vals: ReadonlyMap<string, ValMessage>
  readonly children: readonly Item[]
}

export function toItem(product: ProductMessage): Item {
  const root = makeItem('p', product, undefined)
  const articles = (product.articles?.article ?? []).map((article) => {
    const item = makeItem('a', article, root)
    const variants = (article.variants?.variant ?? []).map((variant) => makeItem('v', variant, item))
    return Object.assign(item, { children: variants })
  })
  return Object.assign(root, { children: articles })
}

/** An item that is not stored yet. */
export const newItem = (level: Level, parent: Item | undefined): Item => makeItem(level, {}, parent)

function makeItem(level: Level, message: Item['message'], parent: Item | undefined): Item {
  const vals = new Map((message.vals?.val ?? []).map((val) => [keyOfVal(val), val]))
  return {
    level,
    tid: message.tid ?? '',
    name: message.name ?? '',
    ...(parent && { parent }),
    message,
    vals,
    children: [],
  }
}

/** The item and its descendants. */
export const allOf = (item: Item): Item[] => [item, ...item.children.flatMap(allOf)]

/** The ancestors of the item, nearest first. */
export const ancestorsOf = ({ parent }: Item): Item[] => (parent ? [parent, ...ancestorsOf(parent)] : [])

/** Includes the level, because tids are unique only within a level. */
export const itemKey = ({ level, tid }: Pick<Item, 'level' | 'tid'>) => `${level}:${tid}`

/** A table has a value when one of its columns has. */
export const hasValue = ({ vals }: Item, { key, columns }: Pick<Attribute, 'key' | 'columns'>) =>
  vals.has(key) || columns.some((column) => vals.has(columnKey(key, column)))

export const isInherited = (val: ValMessage | undefined) => val?.inheritance === 'inherited'

export type Draft = ReadonlyMap<string, Changes>

/** Only the changed items, nested below their ancestors. */
export function toMessage(
  root: Item,
  draft: Draft,
  attributeOf: (key: string) => Attribute | undefined,
): ProductMessage {
  const head = (item: Item) => {
    const changes = draft.get(itemKey(item))
    return { tid: item.tid, ...(changes && { vals: { val: toVals(changes, attributeOf) } }) }
  }
  const isTouched = (item: Item): boolean => draft.has(itemKey(item)) || item.children.some(isTouched)
  const articles = root.children.filter(isTouched).map((article) => {
    const variants = article.children.filter(isTouched).map(head)
    return { ...head(article), ...(variants.length > 0 && { variants: { variant: variants } }) }
  })
  return { ...head(root), ...(articles.length > 0 && { articles: { article: articles } }) }
}

/**
 * The part of an item's name that its parent does not have: "XS" instead of "Sailing jacket Kalmar 2, signal red, XS". Names of
 * variations often repeat those of the article and the product, and are cut before the part that differs.
 */
export function ownName({ name, parent }: Pick<Item, 'name' | 'parent'>): string {
  for (let above = parent; above; above = above.parent) {
    if (!name.toLocaleLowerCase().startsWith(above.name.toLocaleLowerCase())) continue
    const rest = name
      .slice(above.name.length)
      .replace(/^[\s,;:/|()–—-]+/, '')
      .replace(/[\s(]+$/, '')
    if (rest !== '') return rest.endsWith(')') && !rest.includes('(') ? rest.slice(0, -1) : rest
  }
  return name
}
