/**
 * Create or update, a batch at a time, for objects that are identified by tid or id.
 *
 * A known tid or id updates the object; an unknown tid creates it under that tid; without either the server assigns a tid; an
 * unknown id is refused. The items are applied in order to the rows in memory, where unique names are checked too, and then
 * written as two sets. The constraints of the database decide in the end: a violation that only they can see (another process
 * was faster) refuses the row and the items that produced it.
 */
import { randomUUID } from 'node:crypto'
import { because, type EventKind, type Long } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { orProblem, type Outcome, writeEach } from './batch.ts'
import type { Context } from '../context.ts'
import { newIds } from './ids.sql.ts'
import { inTurns } from './turns.ts'
import { allows } from '../access/permissions.ts'
import { cleanName } from './names.ts'

interface Identified {
  readonly id?: Long
  readonly tid?: string
}
export interface Row {
  readonly id: number
  readonly tid: string
}

export interface UpsertRules<Item extends Identified, R extends Row> {
  readonly dataType: EventKind
  /** The rows that the batch identifies or could collide with, locked in order of id. */
  load(db: Db, items: readonly Item[]): Promise<readonly R[]>
  create(item: Item, row: Row): R
  change(item: Item, row: R): R
  insert(db: Db, rows: readonly R[]): Promise<unknown>
  update(db: Db, rows: readonly R[]): Promise<unknown>
  /** A unique property of the row, in words: `name Brand`. */
  unique?(row: R): string
  /** The fields of a row that the history records when they change. */
  facts(row: R): Readonly<Record<string, unknown>>
}

interface Entry<R> {
  row: R
  readonly isNew: boolean
  readonly before: R | undefined
  readonly items: number[]
  refusal?: Problem | undefined
}

export async function upsert<Item extends Identified, R extends Row>(
  ctx: Context,
  rules: UpsertRules<Item, R>,
  items: readonly Item[],
): Promise<Outcome[]> {
  const view = new View(rules, await rules.load(ctx.db, items), await newIds(ctx.db, items.length))
  const { permissions } = ctx.caller
  const may = {
    create: allows(permissions, 'create', rules.dataType),
    update: allows(permissions, 'update', rules.dataType),
  }
  const outcomes: Outcome[] = await inTurns(items, (item, i) => orProblem(() => view.apply(item, i, may))(item))
  const entries = [...view.touched]
  const refuse = (entry: Entry<R>, error: { code: string; constraint?: string }) => {
    const refusals: Record<string, Problem> = {
      '23505': taken(rules, entry.row, /_tid_/.test(error.constraint ?? '')),
      '23503': new Problem('notFound', `an object that the ${rules.dataType} refers to was deleted meanwhile`),
    }
    entry.refusal = refusals[error.code]
    if (!entry.refusal) throw new Error(`${rules.dataType}: ${error.constraint} refused a row`, { cause: error })
  }
  const rowsOf = (set: readonly Entry<R>[]) => set.map(({ row }) => row)
  const [created, changed] = [entries.filter(({ isNew }) => isNew), entries.filter(({ isNew }) => !isNew)]
  await writeEach(ctx.db, changed, async (db, set) => void (await rules.update(db, rowsOf(set))), refuse)
  await writeEach(ctx.db, created, async (db, set) => void (await rules.insert(db, rowsOf(set))), refuse)
  await inTurns(entries, (entry) => settle(ctx, rules, entry, outcomes))
  return outcomes
}

function settle<R extends Row>(ctx: Context, rules: UpsertRules<never, R>, entry: Entry<R>, outcomes: Outcome[]): void {
  const { row, isNew, before, items, refusal } = entry
  if (refusal) {
    for (const item of items) outcomes[item] = refusal
    return
  }
  const changes = difference(before ? rules.facts(before) : {}, rules.facts(row))
  if (!isNew && Object.keys(changes).length === 0) return
  ctx.record({ dataType: rules.dataType, id: row.id, event: isNew ? 'CREATE' : 'UPDATE', changes })
}

function taken<R extends Row>(rules: UpsertRules<never, R>, row: R, byTid = false): Problem {
  const [field = '', ...words] = ((!byTid && rules.unique?.(row)) || `tid ${row.tid}`).split(' ')
  return new Problem('exists', because('taken', { kind: rules.dataType, field, value: words.join(' ') }))
}

/** The changed fields with their values before and after. */
export function difference(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
      .map(([field, to]) => [field, before[field] === undefined ? { to } : { from: before[field], to }]),
  )
}

/** The rows of a batch while its items are applied. */
class View<Item extends Identified, R extends Row> {
  readonly touched = new Set<Entry<R>>()
  private readonly byId = new Map<Long, Entry<R>>()
  private readonly byTid = new Map<string, Entry<R>>()
  private readonly byUnique = new Map<string, Entry<R>>()
  private readonly rules: UpsertRules<Item, R>
  private readonly ids: number[]

  constructor(rules: UpsertRules<Item, R>, rows: readonly R[], ids: number[]) {
    this.rules = rules
    this.ids = ids
    for (const row of rows) this.place({ row, isNew: false, before: row, items: [] })
  }

  apply(item: Item, index: number, may: Readonly<Record<'create' | 'update', boolean>>): Outcome {
    const tid = item.tid === undefined ? undefined : cleanName('tid', item.tid)
    const entry = tid === undefined ? this.byId.get(item.id ?? -1) : this.byTid.get(tid)
    if (!entry && tid === undefined && item.id !== undefined) {
      throw new Problem('notFound', `no ${this.rules.dataType} has the id ${item.id}`)
    }
    const action = entry ? 'update' : 'create'
    if (!may[action]) throw new Problem('forbidden', because('mayNotKind', { action, kind: this.rules.dataType }))
    const row = entry
      ? this.rules.change(item, entry.row)
      : this.rules.create(item, { id: this.ids.shift()!, tid: tid ?? randomUUID() })
    const holder = this.rules.unique && this.byUnique.get(this.rules.unique(row))
    if (holder && holder !== entry) throw taken(this.rules, row)
    if (entry) this.replace(entry, row)
    const placed = entry ?? this.place({ row, isNew: true, before: undefined, items: [] })
    placed.items.push(index)
    this.touched.add(placed)
    return { action, id: row.id, tid: row.tid }
  }

  private place(entry: Entry<R>): Entry<R> {
    this.byId.set(entry.row.id, entry)
    this.byTid.set(entry.row.tid, entry)
    if (this.rules.unique) this.byUnique.set(this.rules.unique(entry.row), entry)
    return entry
  }

  private replace(entry: Entry<R>, row: R): void {
    if (this.rules.unique) this.byUnique.delete(this.rules.unique(entry.row))
    entry.row = row
    this.place(entry)
  }
}
