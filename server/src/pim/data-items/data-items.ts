/**
 * The rules of /pim/data-items: products, articles and variations in plainer JSON, one object like the other, with what
 * the caller may do with each value and what a required value lacks.
 *
 * An item is named by its data type and tid (`article:A-1`), by its tid alone (then a product goes before an article
 * before a variation), or by its id.
 */
import type { DataItem, DataItemsResponse, Infer, pim } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { inBatch, type Outcome } from '../../core/batch.ts'
import { once } from '../../core/idempotency.ts'
import type { RouteHandlers } from '../../core/routes.ts'
import { Problem, problems } from '../../errors.ts'
import type { Model } from '../model/model.ts'
import { persistProducts, type ProductNeeds } from '../products/products.persist.ts'
import { dataTypes, lackOf } from '../products/products.rules.ts'
import { handDown, type Inheritance, nothingAbove, valuesOf } from '../products/products.show.ts'
import * as rows from '../products/products.sql.ts'
import { messageOf } from './data-items.patch.ts'
import { informationTypes, toAttributeValue, toMeta } from './data-items.shape.ts'

type Item = Infer<typeof DataItem>
type State = NonNullable<Infer<typeof DataItemsResponse>['states']>[number]
type Routes = Pick<typeof pim.routes, 'dataItemTree' | 'dataItemsByIds' | 'patchDataItems'>

/** How numbers and dates in values are written: as they are stored. */
const meta = { numberFormatLocale: 'en_US', numberFormatPattern: '0.#', datePattern: "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'" }

export function dataItems(needs: ProductNeeds): RouteHandlers<Routes> {
  return {
    async dataItemTree({ db }, { params }) {
      const model = await needs.models.load(db)
      const [found] = (await findItems(db, [params.id!])).values()
      if (!found) throw new Problem('notFound', `no data item has the identity ${params.id}`)
      const members = await rows.listMembers(db, [found.rootId ?? found.id])
      const shown = new Items(needs, model, [...(await withAbove(db, [found])), ...members])
      return { meta, results: [shown.lineage(found, members)], states: [shown.state(found)] }
    },

    async dataItemsByIds({ db }, { body: { identities = [] } }) {
      if (identities.length === 0)
        throw new Problem('invalid', '/dataItemGetByIdsRequest/identities: at least one is needed')
      const model = await needs.models.load(db)
      const found = await findItems(db, identities)
      const shown = new Items(needs, model, await withAbove(db, [...found.values()]))
      const asked = identities.map((identity) => ({ identity, row: found.get(identity) }))
      return {
        meta,
        results: asked.flatMap(({ row }) => (row ? shown.item(row) : [])),
        states: asked.map(({ identity, row }) => (row ? shown.state(row) : missing(identity))),
      }
    },

    async patchDataItems(_ctx, { body, services, caller, idempotency }) {
      if (body.length === 0) throw new Problem('invalid', 'nothing to do; send at least one data item')
      if (body.length > services.config.maxItems) {
        throw new Problem('invalid', `more than ${services.config.maxItems} data items; send less`)
      }
      const results = await inBatch(services, caller, (ctx) =>
        once(ctx, idempotency, async () => {
          const found = await findItems(ctx.db, body.map(identityOf))
          const above = await withAbove(ctx.db, [...found.values()])
          const messages = body.map((item) => messageOf(item, found.get(identityOf(item)), above))
          const sound = messages.filter((message) => !(message instanceof Problem))
          const settled = await persistProducts(ctx, needs, sound)
          let next = 0
          return messages.map((message, i) =>
            toResult(body[i]!, found, message instanceof Problem ? message : settled[next++]!),
          )
        }),
      )
      return { results }
    },
  }
}

const typeNames = new Map<string, rows.LevelNumber>([
  ['product', 0],
  ['article', 1],
  ['variation', 2],
  ['variant', 2],
])

const identityOf = ({ informationType, tID = '' }: Item) =>
  informationType === undefined ? tID : `${informationType.toLowerCase()}:${tID}`

/** The row of each identity that has one. */
async function findItems(db: Db, identities: readonly string[]): Promise<Map<string, rows.ShownRow>> {
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

/** The rows and all that they stand in. */
async function withAbove(db: Db, found: readonly rows.ShownRow[]): Promise<rows.ShownRow[]> {
  const known = new Set(found.map(({ id }) => id))
  const ids = found.flatMap(({ level, rootId, parentId }) => (level === 0 ? [] : [rootId!, parentId]))
  const missing = [...new Set(ids)].filter((id) => !known.has(id))
  return missing.length === 0 ? [...found] : [...found, ...(await rows.findAnywhere(db, { ids: missing, tids: [] }))]
}

const missing = (identity: string): State => {
  const { level, tid } = parse(identity)
  const { code, description } = problems.notFound
  const dataType = level === undefined ? {} : { dataType: dataTypes[level] }
  return { status: 'notFound', ...dataType, tid, issues: [{ code, description, content: identity }] }
}

function toResult(item: Item, found: Map<string, rows.ShownRow>, outcome: Outcome) {
  const row = found.get(identityOf(item))
  const name = { ...(row && { dataType: dataTypes[row.level] }), ...(item.tID !== undefined && { tID: item.tID }) }
  if (outcome instanceof Problem)
    return { status: 'ERROR' as const, description: outcome.message, ...name, action: 'persist' }
  return { status: 'SUCCESS' as const, ...name, action: outcome.action }
}

/** Rows as data items, each with what it inherits from those above it. */
class Items {
  private readonly byId: ReadonlyMap<number, rows.ShownRow>
  private readonly needs: ProductNeeds
  private readonly model: Model

  constructor(needs: ProductNeeds, model: Model, known: readonly rows.ShownRow[]) {
    this.needs = needs
    this.model = model
    this.byId = new Map(known.map((row) => [row.id, row]))
  }

  /** The row with its values, without children. */
  item(row: rows.ShownRow): Item {
    const node = this.model.node(this.rootOf(row).nodeId!)
    const rules = this.rulesOf(row)
    const values = valuesOf(rules, row, this.above(row)).map((val) => toAttributeValue(val, rules, row.level))
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
  lineage(row: rows.ShownRow, members: readonly rows.ShownRow[]): Item {
    const childrenOf = Map.groupBy(members, ({ parentId }) => parentId)
    const whole = (one: rows.ShownRow): Item => {
      const children = (one.level === 2 ? [] : (childrenOf.get(one.id) ?? [])).map(whole)
      return { ...this.item(one), ...(children.length > 0 && { children }) }
    }
    let item = whole(row)
    for (let at = this.parentOf(row); at; at = this.parentOf(at)) item = { ...this.item(at), children: [item] }
    return item
  }

  state(row: rows.ShownRow): State {
    const above: rows.ShownRow['vals'][] = []
    for (let at = this.parentOf(row); at; at = this.parentOf(at)) above.push(at.vals)
    const lacking = this.rulesOf(row).lacking(row.level, row.vals, above)
    const issues = lacking.map((one) => ({ code: problems.invalid.code, description: lackOf(one), content: one.key }))
    return { status: 'ok', dataType: dataTypes[row.level], tid: row.tid, ...(issues.length > 0 && { issues }) }
  }

  private parentOf({ level, parentId }: rows.ShownRow) {
    return level === 0 ? undefined : this.byId.get(parentId)
  }

  private rootOf(row: rows.ShownRow): rows.ShownRow {
    return row.level === 0 ? row : this.byId.get(row.rootId!)!
  }

  private rulesOf(row: rows.ShownRow) {
    return this.needs.rules(this.model, this.rootOf(row).nodeId!)
  }

  private above(row: rows.ShownRow): Inheritance {
    const parent = this.parentOf(row)
    return parent ? handDown(this.rulesOf(row), this.above(parent), parent) : nothingAbove
  }
}
