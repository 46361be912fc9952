/**
 * Products as other areas see them: their values, with inherited and default ones, and the attributes that their
 * classification node requires.
 */
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import type { EffectiveAttribute } from '../model/effective.ts'
import { type ValMessage, type ValueRule, visibleOf, type Words } from '../../values/api.ts'
import { accessOf } from './products.access.ts'
import { aboveOf } from './products.documents.ts'
import type { ProductNeeds } from './products.persist.ts'
import { handDown, type Inheritance, nothingAbove } from './products.view.ts'
import { findAnywhere } from './products.sql.ts'

export interface ProductView {
  readonly id: number
  readonly tid: string
  /** The rule for storing a value; or the reason why it cannot be stored. */
  storable(key: string): ValueRule | Problem
  /** The rule for a value in replies; undefined if its attribute was deleted or the caller may not see it. */
  viewRule(key: string): ValueRule | undefined
  /** The part of a value that the caller may see; undefined for nothing. */
  visible(val: ValMessage): ValMessage | undefined
  /** The values by key, each with the level that it comes from. */
  readonly values: Inheritance
  /** The attribute by its key, if its node has it for objects of this level. */
  attribute(key: string): EffectiveAttribute | undefined
  /** Whether the caller may see the value of the key in the locale. */
  shows(key: string, locale: string | undefined): boolean
  /** The forbidden words of glossaries. */
  readonly words: Words
  readonly level: number
  readonly name: string
  /** The attributes that its node requires. */
  readonly required: readonly EffectiveAttribute[]
  /** The ids of the objects above: product, article, node, and the nodes above that. */
  above(): readonly number[]
}
/** Loads the products, articles and variations that the caller may read; at most two statements besides the model's. */
export type ProductViews = (
  ctx: Pick<Context, 'db' | 'caller'>,
  ids: readonly number[],
  tids?: readonly string[],
) => Promise<ReadonlyMap<number, ProductView>>

export function productViews({ models, rules }: Pick<ProductNeeds, 'models' | 'rules'>): ProductViews {
  return async ({ db, caller }, ids, tids = []) => {
    if (ids.length + tids.length === 0) return new Map()
    const model = await models.load(db)
    const asked = await findAnywhere(db, { ids: [...new Set(ids)], tids })
    const above = asked.flatMap(({ level, parentId, rootId }) => (level === 0 ? [] : [parentId, rootId!]))
    const others = above.length > 0 ? await findAnywhere(db, { ids: [...new Set(above)], tids: [] }) : []
    const byId = new Map([...others, ...asked].map((row) => [row.id, row]))
    const access = accessOf(caller, model)
    return new Map(
      asked.flatMap((row) => {
        const product = row.level === 0 ? row : byId.get(row.rootId!)!
        if (!access.may('read', product.nodeId!)) return []
        const rights = access.rights(product.nodeId!)
        const own = rules(model, product.nodeId!)
        const required = own.required(row.level)
        const attribute = (key: string) => own.attribute(row.level, key)
        const viewRule = (key: string) => {
          const rule = own.viewRule(key)
          return rule && rights && !rights.attribute(rule.key).visible ? undefined : rule
        }
        const storable = (key: string) => {
          const rule = own.storable(row.level, key)
          return rule instanceof Problem || viewRule(key) ? rule : new Problem('invalid', 'has no definition')
        }
        const visible = (val: ValMessage) => (rights ? visibleOf(val, rights) : val)
        const steps = row.level === 0 ? [] : new Set([product, byId.get(row.parentId)!])
        const handed = [...steps].reduce<Inheritance>((above, step) => handDown(own, above, step), nothingAbove)
        const inherited = new Map([...handed].filter(([key]) => own.inherits(key, row.level)))
        const values = handDown(own, inherited, row)
        const above = () => aboveOf(model, model.node(product.nodeId!)!, steps)
        const shows = (key: string, locale: string | undefined) => rights?.attribute(key, locale).visible ?? true
        const { id, tid, name, level } = row
        const { words } = model
        const view = {
          id,
          tid,
          name,
          level,
          storable,
          viewRule,
          visible,
          shows,
          words,
          values,
          attribute,
          required,
          above,
        }
        return [[row.id, view] as const]
      }),
    )
  }
}
