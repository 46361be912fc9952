/**
 * Runs of rules: a run is a change of many objects (changes/), so that preview, refusals, history and undo are the same. It
 * selects what matches with the rights of the owner, and the job of changes writes with them too.
 *
 *   tick   every minute: rules that are due, and rules on change. A rule waits while one of its runs, or of a rule before
 *          it, has not ended. The selection, the next time and the position in the outbox commit together, so a process
 *          that dies has started a run once or not at all
 */
import type { Query, Search } from '@kontor/contract'
import { addJob, type JobTable } from '../adapters/jobs/jobs.ts'
import type { Db } from '../adapters/postgres/db.ts'
import * as changes from '../changes/api.ts'
import type { ChangeNeeds } from '../changes/api.ts'
import { demandRight } from '../core/access/access.ts'
import type { Caller, Context } from '../core/context.ts'
import { writeChanges } from '../core/outbox/history.sql.ts'
import { currentPosition, isKept, readSettledOf, type SettledRow } from '../core/outbox/outbox.ts'
import { Problem } from '../errors.ts'
import { nextTime } from '../feeds/schedule.ts'
import { before, plainName } from './order.ts'
import * as rows from './rules.sql.ts'

const tickJob = 'rule.tick'
export const ruleTimes = { [tickJob]: '* * * * *' }

const maxObjects = 1_000_000
/** Changes that a rule reads at once. It reads on until it has enough objects for a run. */
const portion = 20_000
const enoughObjects = 100_000
const idsPerSearch = 1000

export interface RuleNeeds extends ChangeNeeds {
  /** Like `find`, but waits until the index has everything that was committed; refused as unavailable while it is built. */
  findNow(ctx: Context, kind: changes.Kind, search: Search): AsyncIterable<readonly string[]>
  /** Waits until the index has everything that was committed. */
  catchUp(index: (typeof indexes)[changes.Kind]): Promise<void>
  /** Throws a Problem for a search that names unknown or hidden fields, or compares them wrongly. */
  checkSearch(ctx: Context, search: Search, place: string): Promise<void>
}

const indexes = { product: 'PRODUCT', asset: 'ASSET' } as const
/** Before the transaction of a run: after many changes it takes longer than a transaction may be idle. */
export const whenFound = (needs: RuleNeeds, kind: changes.Kind) => needs.catchUp(indexes[kind])
/** The data types of outbox rows of objects that may match. */
const dataTypes = { product: ['product'], asset: ['asset'] }

/** Operations read and write values of products alone, so a value of an article or variation must not decide about them. */
const isProduct: Query = { queryType: 'FIELD', name: 'itemType', comparator: 'EQ', value: 'product' }

export const searchOf = (kind: changes.Kind, condition: Query | undefined): Search => {
  const queries = [...(kind === 'product' ? [isProduct] : []), ...(condition ? [condition] : [])]
  const query: Query | undefined = queries.length > 1 ? { queryType: 'COMBINED', operator: 'AND', queries } : queries[0]
  return { context: { searchType: 'INDEX', index: indexes[kind] }, ...(query && { query }) }
}

/** The owner with the rights of now. Throws a Problem `forbidden` if they are gone or may no longer change anything. */
export async function ownerNow({ callerNow }: RuleNeeds, { principal, kind }: rows.RuleRow): Promise<Caller> {
  const owner = await callerNow(principal)
  demandRight(owner, 'user', { kind, any: ['update', 'link'] })
  return owner
}

interface Wanted {
  readonly state: 'running' | 'previewing'
  /** Only these objects. */
  readonly ids?: readonly number[]
}

/** Selects the objects and starts the job. Returns undefined if nothing of `ids` matches. */
export async function startRun(needs: RuleNeeds, db: Db, rule: rows.RuleRow, owner: Caller, { state, ids }: Wanted) {
  const { kind, name, definition, principal } = rule
  const ctx = { ...changes.readerOf(needs, owner), db }
  await changes.planOf(needs, ctx, kind, definition.operations, '/rule/operations')
  const id = await changes.insertChange(db, { kind, name, operations: definition.operations, principal, rule })
  let count = 0
  for (const query of ids ? portionsOf(definition.condition, ids) : [definition.condition]) {
    for await (const tids of needs.findNow(ctx, kind, searchOf(kind, query))) {
      await changes.addNamed(db, id, count, tids)
      count += tids.length
      if (count > 2 * maxObjects) throw new Problem('invalid', `the rule matches more than ${maxObjects} ${kind}s; narrow its condition`) // prettier-ignore
    }
  }
  const total = await changes.countItems(db, id)
  if (total === 0 && ids) {
    await changes.deleteChange(db, id)
    return undefined
  }
  await changes.begin(db, id, state, state === 'previewing')
  await addJob(db, changes.changeJob, { id })
  return (await changes.findChange(db, id))!
}

function* portionsOf(condition: Query | undefined, ids: readonly number[]): Generator<Query> {
  for (let at = 0; at < ids.length; at += idsPerSearch) {
    const among: Query = { queryType: 'FIELD', name: 'id', comparator: 'IN', value: ids.slice(at, at + idsPerSearch) }
    yield condition ? { queryType: 'COMBINED', operator: 'AND', queries: [condition, among] } : among
  }
}

export const ruleJobs = (needs: RuleNeeds): JobTable => ({
  async [tickJob](_: unknown, stop: AbortSignal) {
    const current = new Map<changes.Kind, Promise<void>>()
    for (const { id, kind } of await rows.listDue(needs.database)) {
      if (stop.aborted) return
      try {
        if (!current.has(kind)) current.set(kind, whenFound(needs, kind))
        await current.get(kind)
        await needs.database.transaction((db) => tick(needs, db, id, stop))
      } catch (error) {
        if (needs.isPassing(error)) continue // the next minute tries again
        const problem = error instanceof Problem ? error.message : `internal error, support id ${needs.fail(error)}`
        await pause(needs, id, problem)
      }
    }
  },
})

async function tick(needs: RuleNeeds, db: Db, id: number, stop: AbortSignal): Promise<void> {
  const [rule] = await rows.takeRule(db, id)
  if (!rule) return
  const earlier = before(rule, await rows.listOrder(db, rule.kind))
  if ((await changes.runningRules(db, [id, ...earlier.map((one) => one.id)])).length > 0) return
  const { isDue, onChange } = rule
  const isLost = onChange && (rule.position === null || !(await isKept(db, rule.position)))
  const everything = isDue || isLost
  const position = isLost ? await currentPosition(db) : rule.position
  const changed = onChange && !isLost ? await changedSince(db, rule, stop) : { ids: [], position }
  if (everything || changed.ids.length > 0) {
    const owner = await ownerNow(needs, rule)
    await startRun(needs, db, rule, owner, { state: 'running', ...(!everything && { ids: changed.ids }) })
  }
  const { schedule } = rule.definition
  const next = isDue ? ((schedule && nextTime(schedule, new Date())) ?? null) : rule.nextAt
  if (isDue || changed.position !== rule.position) await rows.setProgress(db, id, next, changed.position)
}

/** The objects of which something changed that the rule reads. */
async function changedSince(db: Db, rule: rows.RuleRow, stop: AbortSignal) {
  const ids = new Set<number>()
  for (let at = rule.position!; ;) {
    const { changes: settled, position, isEnd } = await readSettledOf(db, dataTypes[rule.kind], at, portion)
    for (const change of settled) if (isRead(rule, change)) ids.add(change.objectId)
    if (isEnd || ids.size >= enoughObjects || stop.aborted) return { ids: [...ids], position }
    at = position
  }
}

/** Whether the rule reads a changed field, so that its own changes do not start it again. */
const isRead = ({ reads, writes }: rows.RuleRow, { event, fields }: SettledRow): boolean =>
  event !== 'DELETE' &&
  (event === 'CREATE' ||
    fields === null ||
    fields.some(
      (field) =>
        reads.some((read) => isField(read, field)) ||
        (field.startsWith('vals.') && reads.some(isDerived) && !writes.some((written) => isField(written, field))),
    ))

/** Standard fields that follow from the values of the object. */
const derived = new Set(['/completeness', '/staleTexts'])
const isDerived = (read: string) => derived.has(plainName(read))

const linked = new Set(['/project', '/asset', '/product', '/keyword'])

/** Fields are named as in the history: vals.material, vals.caption.en_GB, vals.table/column, node, link, name. */
function isField(read: string, field: string): boolean {
  if (read.startsWith('/')) {
    const isLink = linked.has(plainName(read))
    return field === 'link' ? isLink : !field.startsWith('vals.') && !isLink
  }
  const [attribute, locale] = plainName(read).split('@')
  const name = `vals.${attribute}`
  if (locale !== undefined) return field === name || field === `${name}.${locale}`
  return field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}/`)
}

async function pause(needs: RuleNeeds, id: number, problem: string): Promise<void> {
  await needs.database.transaction(async (db) => {
    await rows.switchOff(db, id, problem)
    await writeChanges(db, 'system', [{ dataType: 'rule', id, event: 'UPDATE', action: 'off' }])
  })
}
