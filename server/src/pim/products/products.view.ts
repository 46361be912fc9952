/**
 * Products in replies, with the values that they inherit.
 *
 * A value that an object does not have itself comes from the article, else the product, else the default of the attribute.
 * It is marked with inheritance="inherited" and its origin. A value is inherited as a whole, not by locale. Inherited
 * values are not stored, so a change above is visible below at once.
 */
import {
  type Article,
  type Infer,
  type Links,
  type Meta,
  type Product,
  productTypes,
  type Variant,
} from '@kontor/contract'
import type { Rights } from '../../core/access/permissions.ts'
import type { Model } from '../model/model.ts'
import {
  type Origin,
  type StoredValue,
  type StoredValues,
  toPrinted,
  toVal,
  type ValMessage,
  visibleOf,
} from '../../values/api.ts'
import type { NodeRules } from './products.rules.ts'
import type { LevelNumber, ViewRow } from './products.sql.ts'

type LinksMessage = Infer<typeof Links>

export interface ViewOptions {
  readonly rules: NodeRules
  /** Undefined when the caller may see everything. */
  readonly rights: Rights | undefined
  readonly linksOf: (id: number) => LinksMessage | undefined
}

/** A stored value, with the object it comes from. */
interface Handed {
  readonly value: StoredValue
  readonly origin: string
}
/** The values that an object has in the end, own and inherited, by key. */
export type Inheritance = ReadonlyMap<string, Handed>
export const nothingAbove: Inheritance = new Map()

export function toProduct(
  model: Model,
  options: ViewOptions,
  product: ViewRow,
  members: readonly ViewRow[],
): Infer<typeof Product> {
  const node = model.node(product.nodeId!)
  const below = members.length === 0 ? nothingAbove : handDown(options.rules, nothingAbove, product)
  const articles = members.filter(({ level }) => level === 1)
  const variants = Map.groupBy(
    members.filter(({ level }) => level === 2),
    ({ parentId }) => parentId,
  )
  return {
    ...toObject(options, product, nothingAbove),
    ...(articles.length > 0 && {
      articles: { article: articles.map((article) => toArticle(options, article, variants.get(article.id), below)) },
    }),
    ...(node && { node: node.path, clazz: node.path.split('/')[1]! }),
    tid: product.tid,
  }
}

function toArticle(
  options: ViewOptions,
  article: ViewRow,
  variants: readonly ViewRow[] | undefined,
  above: Inheritance,
): Infer<typeof Article> {
  const below = variants ? handDown(options.rules, above, article) : nothingAbove
  return {
    ...toObject(options, article, above),
    ...(variants && {
      variants: { variant: variants.map((variant) => ({ ...toObject(options, variant, below), tid: variant.tid })) },
    }),
    tid: article.tid,
  }
}

function toObject({ rules, rights, linksOf }: ViewOptions, row: ViewRow, above: Inheritance): Infer<typeof Variant> {
  const val = valuesOf(rules, row, above, rights)
  const links = linksOf(row.id)
  return { name: row.name, ...(links && { links }), meta: metaOf(row), ...(val.length > 0 && { vals: { val } }) }
}

/** Own values, inherited ones, defaults. */
export function valuesOf(
  rules: NodeRules,
  { level, vals }: Pick<ViewRow, 'level' | 'vals'>,
  above: Inheritance,
  rights: Rights | undefined,
): ValMessage[] {
  const messages: ValMessage[] = []
  const add = (key: string, value: StoredValue, from?: Origin) => {
    const rule = rules.viewRule(key)
    if (rule) messages.push(from || rights ? toVal(rule, value, from) : toPrinted(rule, value))
  }
  for (const key in vals) add(key, vals[key]!)
  for (const [key, { value, origin }] of above) {
    if (!(key in vals) && rules.inherits(key, level)) add(key, value, { origin, inheritance: 'inherited' })
  }
  const defaults = rules.defaults(level)
  for (const key in defaults) if (!(key in vals)) add(key, defaults[key]!, byDefault)
  return rights ? messages.flatMap((val) => visibleOf(val, rights) ?? []) : messages
}
const byDefault: Origin = { origin: 'default', inheritance: 'inherited' }

/** The values that an object hands down: its own win over its defaults, and those over inherited ones. */
export function handDown(rules: NodeRules, above: Inheritance, { level, vals }: ViewRow): Inheritance {
  const handed = new Map(above)
  const add = (values: StoredValues, origin: string) => {
    for (const key in values) handed.set(key, { value: values[key]!, origin })
  }
  add(rules.defaults(level), 'default')
  add(vals, productTypes[level])
  return handed
}

export function metaOf(row: ViewRow): Infer<typeof Meta> {
  const itm = [
    { value: String(row.id), key: 'id' },
    { value: toIso(row.createdAt), key: 'creationDate' },
    { value: toIso(row.modifiedAt), key: 'modificationDate' },
    { value: toIso(row.valueModifiedAt), key: 'valueModificationDate' },
    { value: itemTypes[row.level], key: 'itemType' },
    { value: row.createdBy, key: 'creationUser' },
    { value: row.modifiedBy, key: 'modificationUser' },
  ]
  return { itm }
}
/** `2024-02-25 08:00:00.1+00` -> `2024-02-25T08:00:00.100Z` */
function toIso(date: string): string {
  const fraction = date.slice(20, date.indexOf('+', 19)).slice(0, 3)
  return `${date.slice(0, 10)}T${date.slice(11, 19)}.${date[19] === '.' ? fraction.padEnd(3, '0') : '000'}Z`
}
export const itemTypes: Record<LevelNumber, string> = { 0: 'product', 1: 'article', 2: 'variation' }
