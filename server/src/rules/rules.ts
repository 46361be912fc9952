/** /rules: users manage their own rules, administrators those of all. */
import { isDeepStrictEqual } from 'node:util'
import { type Infer, type Rule, rule as contract, ruleOperations } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import * as changes from '../changes/api.ts'
import { auditBy } from '../core/access/audit.ts'
import { newIds } from '../core/batch/ids.sql.ts'
import { newSegment } from '../core/batch/names.ts'
import { cut, cutByName, demandLast, nameAt } from '../core/batch/paging.ts'
import { type Caller, type Context, type StoredCaller, toStored } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { writeChanges } from '../core/outbox/history.sql.ts'
import { currentPosition } from '../core/outbox/outbox.ts'
import { storable } from '../core/storable.ts'
import { Problem } from '../errors.ts'
import { demandSchedule, nextTime } from '../feeds/schedule.ts'
import { before, demandRepeatable, findCycle, nameOf, plainName, readsOf, writesOf } from './order.ts'
import * as rows from './rules.sql.ts'
import { ownerNow, type RuleNeeds, searchOf, startRun, whenFound } from './runs.ts'

type RuleValue = Infer<typeof Rule>

export function ruleRoutes(needs: RuleNeeds) {
  const { database } = needs
  /** A change of a rule, with its event and its line in the audit log. */
  const change = async <T>(caller: Caller, action: string, work: (db: Db) => Promise<Changed<T>>): Promise<T> =>
    database.transaction(async (db) => {
      const { rule, event = 'UPDATE', result } = await work(db)
      const gone = event === 'DELETE' ? { gone: rows.shownRule(rule) } : {}
      await writeChanges(db, caller.userName, [{ dataType: 'rule', id: rule.id, event, action, ...gone }])
      await auditBy(db, caller, { action: `rule.${action}`, object: `rule ${rule.name}` })
      return result
    })
  /** Its owner may have lost rights since it was saved; the run has those of now. */
  const run = async (caller: Caller, name: string, state: 'running' | 'previewing') => {
    const seen = await find(database, caller, name)
    await whenFound(needs, seen.kind)
    const owner = await ownerNow(needs, seen)
    return change(caller, state === 'running' ? 'run' : 'preview', async (db) => {
      const rule = await find(db, caller, name, rows.lockRule)
      demandOwner(rule, seen.principal)
      if (state === 'running' && (await changes.runningRules(db, [rule.id])).length > 0)
        throw new Problem('inUse', 'a run of this rule has not ended; wait for it')
      const started = await startRun(needs, db, rule, owner, { state })
      return { rule, result: changes.showChange(started!) }
    })
  }

  const routes: RouteHandlers<typeof contract.routes> = {
    async listRules({ db, caller }, { query: { after, count = 500 }, continues }) {
      const of = caller.roles.has('admin') ? null : caller.userName
      const page = { count: Number(count), continues }
      const found = cutByName(page, await rows.listRules(db, of, nameAt(after), page.count))
      return { rules: await showAll(db, caller, found) }
    },
    async getRule({ db, caller }, { params }) {
      return (await showAll(db, caller, [await find(db, caller, params.name!)]))[0]!
    },
    async putRule({ caller }, { params, body }) {
      const name = newSegment('name', params.name)
      const seen = await rows.findRule(database, name)
      // an administrator who saves the rule of another user may do more than its owner, with whose rights it runs
      const owner = seen && (await ownerOf(needs, seen))
      return change(caller, 'put', async (db) => {
        const { rule, event } = await put(needs, db, { caller, seen, owner }, name, body)
        return { rule, event, result: (await showAll(db, caller, [rule]))[0]! }
      })
    },
    deleteRule: ({ caller }, { params }) =>
      change(caller, 'delete', async (db) => {
        const rule = await find(db, caller, params.name!, rows.lockRule)
        await rows.deleteRule(db, rule.id)
        return { rule, event: 'DELETE', result: undefined }
      }),
    runRule: ({ caller }, { params }) => run(caller, params.name!, 'running'),
    previewRule: ({ caller }, { params }) => run(caller, params.name!, 'previewing'),
    async listRuleRuns({ db, caller }, { params, query: { after, count = 50 }, continues }) {
      const rule = await find(db, caller, params.name!)
      await demandLast(after, async (id) => {
        const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
        const last = isId ? await changes.findChange(db, id) : undefined
        if (last?.rule !== rule.name) throw new Problem('notFound', `the rule has no run ${id.slice(0, 100)}`)
      })
      const page = { count: Number(count), continues }
      return { changes: cut(page, await changes.listOfRule(db, rule.id, after, page.count)).map(changes.showChange) }
    },
  }
  return { contract, resources: {}, routes }
}

interface Changed<T> {
  readonly rule: Pick<rows.RuleRow, 'id' | 'name' | 'userName'>
  readonly event?: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly result: T
}

/** The caller's own rules; administrators see all. */
async function find(db: Db, caller: Caller, name: string, read = rows.findRule): Promise<rows.RuleRow> {
  const rule = await read(db, name.normalize('NFC'))
  if (rule && mayManage(caller, rule)) return rule
  throw new Problem('notFound', `no rule has the name ${name.slice(0, 100)}`)
}
const mayManage = ({ userName, roles }: Caller, rule: Pick<rows.RuleRow, 'userName'>) =>
  rule.userName === userName || roles.has('admin')

/**
 * The rights of owners are read before the transaction, which would hold its locks while it waits for a second connection.
 * Throws if another user has become the owner meanwhile.
 */
function demandOwner(rule: rows.RuleRow, expected: StoredCaller): void {
  if (!isDeepStrictEqual(rule.principal, expected))
    throw new Problem('inUse', `the rule ${rule.name} has just got another owner; try again`)
}

interface Saving {
  readonly caller: Caller
  /** The rule before the transaction, and its owner. */
  readonly seen: rows.RuleRow | undefined
  readonly owner: Caller | undefined
}
async function put(needs: RuleNeeds, db: Db, { caller, seen, owner }: Saving, name: string, body: RuleValue) {
  await rows.lockOrder(db)
  const stored = await rows.lockRule(db, name)
  if (stored && !mayManage(caller, stored))
    throw new Problem('exists', `a rule of another user has the name ${name}; choose another`)
  if (stored) demandOwner(stored, seen?.principal ?? toStored(caller))
  const { kind = 'product', description, condition, operations, schedule, enabled = true, onChange = false } = body
  if (stored && stored.kind !== kind)
    throw new Problem('invalid', `/rule/kind: the rule is for ${stored.kind}s; create another one`)
  const keeper = stored && owner
  const ctx = { ...changes.readerOf(needs, keeper ?? caller), db }
  const uses = await usesOf(needs, ctx, kind, body)
  if (schedule) demandSchedule(schedule, '/rule/schedule')
  const id = stored?.id ?? (await newIds(db, 1))[0]!
  const rule = {
    id,
    name,
    kind,
    definition: storable('/rule', {
      ...(description !== undefined && { description }),
      ...(condition && { condition }),
      operations,
      ...(schedule && { schedule }),
    }),
    ...uses,
    enabled,
    onChange,
    principal: keeper ? stored.principal : toStored(caller),
    nextAt: (enabled && schedule && nextTime(schedule, new Date())) || null,
    position: enabled && onChange ? await currentPosition(db) : null,
    modifiedBy: caller.userName,
  }
  demandOrder(caller, { ...rule, userName: caller.userName }, await rows.listOrder(db, kind))
  await rows.upsertRule(db, rule)
  return { rule: (await rows.findRule(db, name))!, event: stored ? ('UPDATE' as const) : ('CREATE' as const) }
}

/** Undefined if the owner is gone or disabled. The user who saves the rule then becomes its owner. */
async function ownerOf(needs: RuleNeeds, { principal }: rows.RuleRow): Promise<Caller | undefined> {
  try {
    return await needs.callerNow(principal)
  } catch (error) {
    if (error instanceof Problem && error.kind === 'forbidden') return undefined
    throw error
  }
}

/** Checks condition and operations, and returns what they read and write. */
async function usesOf(
  needs: RuleNeeds,
  ctx: Context,
  kind: rows.RuleRow['kind'],
  { condition, operations }: RuleValue,
) {
  const place = '/rule/operations'
  const definitions = await changes.loadDefinitions(needs, ctx, kind)
  operations.forEach(({ type, attribute = '' }, i) => {
    const isAllowed = (ruleOperations as readonly string[]).includes(type)
    const isText = type === 'append' && definitions.get(attribute)?.multiValued?.value !== 'true'
    if (!isAllowed || isText)
      throw new Problem('invalid', `${place}/${i}: ${type}${isText ? ' to a text' : ''} is not possible in a rule, because every run would change the text again`) // prettier-ignore
  })
  const plan = await changes.planOf(needs, ctx, kind, operations, place)
  demandRepeatable(plan, place)
  const read = readsOf(condition, (name) => definitions.has(name), '/rule/condition')
  await needs.checkSearch(ctx, searchOf(kind, condition), '/rule/condition')
  const written = plan.map(({ slot }) => nameOf(slot))
  // a value that an earlier operation writes depends on no other rule
  const inputs = plan.flatMap(({ reads }, i) => reads.map(nameOf).filter((name) => !written.slice(0, i).includes(name)))
  return {
    reads: [...new Set([...read, ...inputs])].toSorted(),
    writes: [...new Set(writesOf(plan))].toSorted(),
  }
}

function demandOrder(caller: Caller, rule: rows.OrderRow, others: readonly rows.OrderRow[]): void {
  const cycle = findCycle(rule, others)
  if (!cycle) return
  const names = [...cycle, rule].map((one) => (mayManage(caller, one) ? one.name : 'a rule of another user'))
  throw new Problem('invalid', `/rule: the rules would start each other without end: ${names.join(' → ')}; change what one of them reads or writes`) // prettier-ignore
}

async function showAll(db: Db, caller: Caller, found: readonly rows.RuleRow[]): Promise<RuleValue[]> {
  const ids = found.map(({ id }) => id)
  const last = new Map((await changes.lastOfRules(db, ids)).map((run) => [run.ruleId, run]))
  const orders = new Map<string, rows.OrderRow[]>()
  for (const kind of new Set(found.map((one) => one.kind))) orders.set(kind, await rows.listOrder(db, kind))
  return found.map((rule) => {
    const { id, name, kind, definition, enabled, onChange, userName, reads, writes, problem, nextAt } = rule
    const run = last.get(id)
    const earlier = before(rule, orders.get(kind)!).filter((one) => mayManage(caller, one))
    return {
      name,
      kind,
      ...definition,
      enabled,
      onChange,
      owner: userName,
      reads: [...new Set(reads.map(plainName))],
      writes: [...new Set(writes.map(plainName))],
      after: earlier.map((one) => one.name),
      ...(problem !== null && { problem }),
      ...(nextAt && { nextRunAt: nextAt.toISOString() }),
      ...(run && { lastRun: changes.showChange(run) }),
      modifiedAt: rule.modifiedAt.toISOString(),
      modifiedBy: rule.modifiedBy,
    }
  })
}
