/**
 * persist of products: create, rename, reclassify, change values and add links, at every level in one message.
 *
 * A known tid changes an object, an unknown tid creates it; without a tid the server assigns one. A fixed number of
 * statements loads the objects that the items name, the items are applied in memory (products.batch.ts), and the result is
 * written with one update and one insert. Names and tids are checked beforehand, but the database constraints decide: a
 * conflict that only they can see (another transaction was faster) refuses that product alone.
 */
import { productTypes } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { addLinks, type Targets } from '../../common/api.ts'
import { orProblem, type Outcome, soundOf, writeEach } from '../../core/batch/batch.ts'
import type { Change, Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { normalName } from '../../core/batch/names.ts'
import { sizeOf, slicesOf } from '../../core/batch/sizes.ts'
import { inTurns } from '../../core/batch/turns.ts'
import { demandMatch } from '../../core/http/etag.ts'
import { Problem, ValueProblem } from '../../errors.ts'
import type { Model, Models } from '../model/model.ts'
import { noValues, valueChanges } from '../../values/api.ts'
import { Batch, type Entry, taken, type Unit } from './products.batch.ts'
import { accessOf } from './products.access.ts'
import { lockEnds } from './products.links.ts'
import { noteWritten } from '../translations/stale.ts'
import type { Rules } from './products.rules.ts'
import { objectsOf, type ProductMessage, type Sent, toSent } from './products.sent.ts'
import * as rows from './products.sql.ts'

export interface ProductNeeds {
  readonly models: Models
  readonly rules: Rules
  readonly targets: Targets
}

export async function persistProducts(
  ctx: Context,
  needs: ProductNeeds,
  items: readonly ProductMessage[],
): Promise<Outcome[]> {
  const tids = items.flatMap(({ tid }) => (tid === undefined ? [] : normalName(tid)))
  // Sent together: one round trip instead of two for a single product.
  const [model, products] = await Promise.all([
    needs.models.hold(ctx.db),
    tids.length === 0 ? [] : rows.lockProducts(ctx.db, tids),
  ])
  const sent = await inTurns(
    items,
    orProblem((item: ProductMessage) => toSent(model, item)),
  )
  const batch = await load(ctx, model, needs, soundOf(sent), products)
  const outcomes = await inTurns(sent, (item, i) =>
    item instanceof Problem ? item : orProblem(() => batch.apply(item, i))(item),
  )
  const units = [...batch.units.values()]
  await write(ctx, model, units)
  await inTurns(units, (unit) => settle(ctx, model, unit, outcomes))
  await link(ctx, units)
  return outcomes
}

// Loading

async function load(
  ctx: Context,
  model: Model,
  { rules, targets }: ProductNeeds,
  sent: readonly Sent[],
  products: readonly rows.LockedProduct[],
): Promise<Batch> {
  const { db } = ctx
  const objects = sent.flatMap((item) => (item.members.length === 0 ? item : [...objectsOf(item)]))
  const links = objects.flatMap((object) => object.links)
  const there = new Map<string | undefined, string>(products.map((product) => [product.tid, etagOf(product)]))
  demandMatch(
    ctx,
    sent.map(({ tid }) => there.get(tid)),
  )
  const ends = await lockEnds(ctx, targets, links)
  const batch = new Batch(model, rules, ends, accessOf(ctx.caller, model))
  for (const row of products) batch.know(row)
  // For a single product the constraint gives the same message. In a batch it would take a bisection to find the culprit.
  if (sent.length > 1) await loadNames(db, batch, sent)
  if (objects.length > sent.length) await loadMembers(db, batch, sent, objects)
  const fresh = objects.filter(({ level, tid }) => !batch.find(level, tid)).length
  batch.provideIds(await newIds(db, fresh))
  return batch
}

export const etagOf = ({ id, version }: rows.LockedProduct) => `"${id}-${version}"`

/** Loads which products already have the names that new, renamed and moved products would get. */
async function loadNames(db: Db, batch: Batch, sent: readonly Sent[]): Promise<void> {
  const wanted = sent.flatMap(({ tid, name, nodeId }) => {
    const known = batch.find(0, tid)?.row
    const scope = nodeId ?? known?.parentId
    const next = name ?? known?.name
    return scope === undefined || next === undefined || (scope === known?.parentId && next === known.name)
      ? []
      : [{ scope, next }]
  })
  if (wanted.length === 0) return
  const scopes = wanted.map(({ scope }) => scope)
  const names = wanted.map(({ next }) => next)
  for (const { parentId, name, id } of await rows.findNames(db, scopes, names)) batch.takeName(parentId, name, id)
}

async function loadMembers(db: Db, batch: Batch, sent: readonly Sent[], objects: readonly Sent[]): Promise<void> {
  const known = new Map<number, Entry>()
  for (const { tid, members } of sent) {
    const product = members.length > 0 ? batch.find(0, tid) : undefined
    if (product) known.set(product.row.id, product)
  }
  const tidsAt = (level: number) => objects.flatMap((object) => (object.level === level ? (object.tid ?? []) : []))
  for (const row of await rows.findMembers(db, [...known.keys()], tidsAt(1), tidsAt(2))) {
    known.set(row.id, batch.know({ ...row, vals: row.vals ?? noValues }, known.get(row.parentId) ?? elsewhere))
  }
}
/** The parent of objects whose tid is known but whose product is not in the batch. */
const elsewhere: Entry = { before: undefined, row: { id: 0, rootId: null } as rows.ProductRow, parent: undefined }

// Writing

async function write(ctx: Context, model: Model, units: readonly Unit[]): Promise<void> {
  for (const slice of slicesOf(units, sizeOfUnit)) await writeSlice(ctx, model, slice)
}

const sizeOfUnit = ({ entries }: Unit) => [...entries].reduce((sum, { row }) => sum + sizeOf(row.vals), 0)

async function writeSlice(ctx: Context, model: Model, units: readonly Unit[]): Promise<void> {
  const { userName } = ctx.caller
  await writeEach(
    ctx.db,
    units,
    async (db, some) => {
      const [fresh, changed] = [[], []] as [rows.ProductRow[], rows.ProductRow[]]
      for (const { root, entries } of some) {
        for (const { before, row } of new Set([root, ...entries])) (before ? changed : fresh).push(row)
      }
      if (changed.length > 0) await rows.updateProducts(db, changed, userName)
      if (fresh.length > 0) await rows.insertProducts(db, fresh, userName)
      if (changed.length > 0) await noteWritten(db, model, some.flatMap(({ entries }) => [...entries])) // prettier-ignore
    },
    (unit, error) => (unit.refusal = refusalOf(unit, error)),
  )
}

function refusalOf({ root }: Unit, error: { code: string; constraint?: string; detail?: string }): Problem {
  if (error.constraint === 'product_name') return taken(root.row)
  if (error.constraint === 'product_tid')
    return new Problem('exists', `the tid of the product, or of one of its articles or variations, is taken`)
  if (error.constraint === 'unique_value_taken') {
    const [, attribute = '', value = ''] = /\(attribute, value\)=\(([^,]*), (.*)\)/.exec(error.detail ?? '') ?? []
    return new ValueProblem('exists', [
      [attribute, `the value ${value} is taken by another product, article or variation`],
    ])
  }
  if (error.constraint === 'variation_combination')
    return new Problem('exists', 'two articles of the product, or two variations of an article, have the same values of the attributes that span them (variation axes); change or remove one of them') // prettier-ignore
  throw new Error(`${error.constraint} refused a product`, { cause: error })
}

function settle(ctx: Context, model: Model, { entries, items, refusal }: Unit, outcomes: Outcome[]): void {
  if (refusal) for (const item of items) outcomes[item] = refusal
  else for (const entry of entries) record(ctx, model, entry)
}

function record(ctx: Context, model: Model, entry: Entry): void {
  const { before, row } = entry
  const changes: Change['changes'] = {
    ...(before?.name !== row.name && { name: fromTo(before?.name, row.name) }),
    ...(before?.nodeId !== row.nodeId && { node: fromTo(pathOf(model, before?.nodeId), pathOf(model, row.nodeId)) }),
    ...(before && valueChanges(before.vals, row.vals)),
  }
  if (before && Object.keys(changes).length === 0) return
  ctx.record({ dataType: productTypes[row.level], id: row.id, event: before ? 'UPDATE' : 'CREATE', changes })
}
const fromTo = (from: unknown, to: unknown) => (from === undefined ? { to } : { from, to })
const pathOf = (model: Model, nodeId: number | null | undefined) =>
  nodeId === null || nodeId === undefined ? undefined : model.node(nodeId)?.path

async function link(ctx: Context, units: readonly Unit[]): Promise<void> {
  const wanted = units.flatMap(({ links, refusal }) => (refusal ? [] : links))
  const refused = new Set(units.flatMap(({ root, refusal }) => (refusal ? root.row.id : [])))
  // A linked product was refused only by the database. Retry the transaction: then the conflict is known beforehand.
  if (wanted.some(({ fromId, toId }) => refused.has(fromId) || refused.has(toId))) {
    throw Object.assign(new Error('a linked product was refused'), { code: '40001' })
  }
  await addLinks(ctx, wanted)
}
