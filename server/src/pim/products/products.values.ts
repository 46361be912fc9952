/**
 * Products as other areas build on them: what each says in the end, with what it inherits and its defaults, and what its
 * classification node demands of it.
 */
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import type { EffectiveAttribute } from '../model/effective.ts'
import { type ValMessage, type ValueRule, visibleOf } from '../../values/api.ts'
import { accessOf } from './products.access.ts'
import { aboveOf } from './products.documents.ts'
import type { ProductNeeds } from './products.persist.ts'
import { handDown, type Inheritance, nothingAbove } from './products.show.ts'
import { findAnywhere } from './products.sql.ts'

export interface ProductView {
  readonly id: number
  readonly tid: string
  /** What may be said of an attribute in its place; or why nothing can. */
  storable(key: string): ValueRule | Problem
  /** How a value is shown; undefined where its attribute is gone, or not for the caller to see. */
  shown(key: string): ValueRule | undefined
  /** What the caller may see of a value; undefined for nothing. */
  seen(val: ValMessage): ValMessage | undefined
  /** What it says, by the key of the value, and which level or default says so. */
  readonly values: Inheritance
  /** The attributes that it must have, by its node. */
  readonly required: readonly EffectiveAttribute[]
  /** Ids of what it stands in: product and article, and its node with those above. */
  above(): readonly number[]
}
/** Products, articles and variations that the caller may read, by id or tid; two statements at most besides the model's. */
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
        const shown = (key: string) => {
          const rule = own.shown(key)
          return rule && rights && !rights.attribute(rule.table ?? rule.attr).visible ? undefined : rule
        }
        const storable = (key: string) => {
          const rule = own.storable(row.level, key)
          return rule instanceof Problem || shown(key) ? rule : new Problem('invalid', 'has no definition')
        }
        const seen = (val: ValMessage) => (rights ? visibleOf(val, rights) : val)
        const steps = row.level === 0 ? [] : new Set([product, byId.get(row.parentId)!])
        const handed = [...steps].reduce<Inheritance>((above, step) => handDown(own, above, step), nothingAbove)
        const inherited = new Map([...handed].filter(([key]) => own.inherits(key, row.level)))
        const values = handDown(own, inherited, row)
        const above = () => aboveOf(model, model.node(product.nodeId!)!, steps)
        return [[row.id, { id: row.id, tid: row.tid, storable, shown, seen, values, required, above }] as const]
      }),
    )
  }
}
