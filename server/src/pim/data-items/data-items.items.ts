/** Finds data items by their identity, and builds them with the values that they inherit. */
import { type DataItem, type DataItemsResponse, type Infer, productTypes } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Context } from '../../core/context.ts'
import { Problem, problems, sentenceOf } from '../../errors.ts'
import { keyOf, type ValMessage } from '../../values/api.ts'
import type { Model } from '../model/model.ts'
import { accessOf, type ProductAccess } from '../products/products.access.ts'
import type { ProductNeeds } from '../products/products.persist.ts'
import { lackOf } from '../products/products.rules.ts'
import { handDown, type Inheritance, nothingAbove, valuesOf } from '../products/products.view.ts'
import * as rows from '../products/products.sql.ts'
import { informationTypes, toAttributeValue, toMeta } from './data-items.shape.ts'

type Item = Infer<typeof DataItem>
type State = NonNullable<Infer<typeof DataItemsResponse>['states']>[number]

/** Finds the items of the identities that the caller may read. */
export async function findItems(
  ctx: Context,
  needs: ProductNeeds,
  identities: readonly string[],
  groups?: readonly string[],
) {
  const model = await needs.models.load(ctx.db)
  const found = await findRows(ctx.db, identities)
  const unknown = groups?.find((tid) => !model.groups.some((group) => group.tid === tid))
  if (unknown !== undefined) throw new Problem('invalid', `/dataItemGetByIdsRequest/groups: no group of attributes has the tid ${unknown}`) // prettier-ignore
  const wanted = groups && new Set(groups)
  const access = accessOf(ctx.caller, model)
  const items = new Items(needs, model, access, await withAbove(ctx.db, [...found.values()]), wanted)
  const row = (identity: string) => {
    const one = found.get(identity)
    return one && items.isReadable(one) ? one : undefined
  }
  return { row, items }
}

const typeNames = new Map<string, rows.LevelNumber>([
  ['product', 0],
  ['article', 1],
  ['variation', 2],
  ['variant', 2],
])

/** The row of each identity that has one. */
async function findRows(db: Db, identities: readonly string[]): Promise<Map<string, rows.ViewRow>> {
  const asked = identities.map((identity) => ({ identity, ...parse(identity) }))
  const tids = asked.flatMap(({ tid, whole }) => [tid, whole])
  const ids = asked.flatMap(({ whole }) => (/^\d{1,15}$/.test(whole) ? [Number(whole)] : []))
  const found = await rows.findAnywhere(db, { ids, tids })
  const byTid = new Map(found.map((row) => [`${row.level} ${row.tid}`, row]))
  const byId = new Map(found.map((row) => [String(row.id), row]))
  const every = [0, 1, 2]
  return new Map(
    asked.flatMap(({ identity, level, tid, whole }) => {
      const named = level === undefined ? undefined : byTid.get(`${level} ${tid}`)
      const plain = every.map((one) => byTid.get(`${one} ${whole}`)).find(Boolean)
      const row = named ?? plain ?? byId.get(whole)
      return row ? [[identity, row] as const] : []
    }),
  )
}

function parse(identity: string): { level: rows.LevelNumber | undefined; tid: string; whole: string } {
  const at = identity.indexOf(':')
  const level = typeNames.get(identity.slice(0, Math.max(at, 0)).toLowerCase())
  return { level, tid: level === undefined ? identity : identity.slice(at + 1), whole: identity }
}

/** The rows, with the products and articles above them. */
async function withAbove(db: Db, found: readonly rows.ViewRow[]): Promise<rows.ViewRow[]> {
  const known = new Set(found.map(({ id }) => id))
  const ids = found.flatMap(({ level, rootId, parentId }) => (level === 0 ? [] : [rootId!, parentId]))
  const missing = [...new Set(ids)].filter((id) => !known.has(id))
  return missing.length === 0 ? [...found] : [...found, ...(await rows.findAnywhere(db, { ids: missing, tids: [] }))]
}

export const missing = (identity: string): State => {
  const { level, tid } = parse(identity)
  const { code, description } = problems.notFound
  const dataType = level === undefined ? {} : { dataType: productTypes[level] }
  return { status: 'notFound', ...dataType, tid, issues: [{ code, description, content: identity }] }
}

/** Rows as data items, each with the values that it inherits from the rows above it. */
export class Items {
  readonly byId: ReadonlyMap<number, rows.ViewRow>
  private readonly needs: ProductNeeds
  private readonly model: Model
  private readonly access: ProductAccess
  private readonly groups: ReadonlySet<string> | undefined

  /** `groups`: the groups of attributes whose values are wanted; all values by default. */
  constructor(
    needs: ProductNeeds,
    model: Model,
    access: ProductAccess,
    known: readonly rows.ViewRow[],
    groups?: ReadonlySet<string>,
  ) {
    this.needs = needs
    this.model = model
    this.access = access
    this.groups = groups
    this.byId = new Map(known.map((row) => [row.id, row]))
  }

  /** A copy with more rows. */
  with(more: readonly rows.ViewRow[]): Items {
    return new Items(this.needs, this.model, this.access, [...this.byId.values(), ...more], this.groups)
  }

  isReadable(row: rows.ViewRow): boolean {
    return this.access.may('read', this.rootOf(row).nodeId!)
  }

  /** The row with its values, without children. */
  item(row: rows.ViewRow): Item {
    const { nodeId } = this.rootOf(row)
    const node = this.model.node(nodeId!)
    const rules = this.rulesOf(row)
    const rights = this.access.rights(nodeId!)
    const mayEdit = this.access.may('update', nodeId!)
    const values = this.byGroup(valuesOf(rules, row, this.above(row), rights)).map((val) => {
      const group = this.groupOf(val)
      const rule = mayEdit ? rules.storable(row.level, keyOf(val)) : undefined
      return { ...toAttributeValue(val, rule, rights), ...(group !== undefined && { group }) }
    })
    return {
      tID: row.tid,
      name: row.name,
      informationType: informationTypes[row.level],
      ...(node && { node: node.path, class: node.path.split('/')[1]! }),
      meta: toMeta(row),
      ...(values.length > 0 && { values }),
    }
  }

  /** From the product down to the row, and from there to everything below it. */
  lineage(row: rows.ViewRow, members: readonly rows.ViewRow[]): Item {
    const childrenOf = Map.groupBy(members, ({ parentId }) => parentId)
    const whole = (one: rows.ViewRow): Item => {
      const children = (one.level === 2 ? [] : (childrenOf.get(one.id) ?? [])).map(whole)
      return { ...this.item(one), ...(children.length > 0 && { children }) }
    }
    let item = whole(row)
    for (let at = this.parentOf(row); at; at = this.parentOf(at)) item = { ...this.item(at), children: [item] }
    return item
  }

  state(row: rows.ViewRow): State {
    const above: rows.ViewRow['vals'][] = []
    for (let at = this.parentOf(row); at; at = this.parentOf(at)) above.push(at.vals)
    const lacking = this.rulesOf(row).lacking(row.level, row.vals, above)
    const rights = this.access.rights(this.rootOf(row).nodeId!)
    const visible = lacking.filter(({ key }) => !rights || rights.attribute(key).visible)
    const issues = visible.map((one) => ({
      code: problems.invalid.code,
      description: sentenceOf(lackOf(one)),
      content: one.key,
    }))
    return { status: 'ok', dataType: productTypes[row.level], tid: row.tid, ...(issues.length > 0 && { issues }) }
  }

  private groupOf({ parent, attr = '' }: ValMessage) {
    return this.model.definition(parent ?? attr)?.row.definition.group?.tid
  }

  /** The wanted values, by group and by place in it; those without a group are last, in their order. */
  private byGroup(values: readonly ValMessage[]): ValMessage[] {
    const placeOf = ({ parent, attr = '' }: ValMessage) => this.model.orderOf(parent ?? attr)
    const { groups } = this
    const wanted = groups ? values.filter((val) => groups.has(this.groupOf(val) ?? '')) : values
    return wanted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }

  private parentOf({ level, parentId }: rows.ViewRow) {
    return level === 0 ? undefined : this.byId.get(parentId)
  }

  private rootOf(row: rows.ViewRow): rows.ViewRow {
    return row.level === 0 ? row : this.byId.get(row.rootId!)!
  }

  private rulesOf(row: rows.ViewRow) {
    return this.needs.rules(this.model, this.rootOf(row).nodeId!)
  }

  private above(row: rows.ViewRow): Inheritance {
    const parent = this.parentOf(row)
    return parent ? handDown(this.rulesOf(row), this.above(parent), parent) : nothingAbove
  }
}
