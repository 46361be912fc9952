/**
 * The job of a change: previews it, runs it or undoes it, in batches.
 *
 * A batch is one transaction: it locks the objects, reads the slots that the operations change, stores the new contents
 * through persist and links with the present rights of the user, and notes the contents before and after. A process that dies
 * leaves whole batches, and the next one continues behind them. A preview does the same and rolls back.
 *
 * An object is changed as a whole or not at all: if a part of it is refused, the batch is repeated without it.
 */
import { demandRight } from '../core/access/access.ts'
import { digestOf, needsOf } from '../core/access/permissions.ts'
import { inBatch, warningsOf } from '../core/batch/batch.ts'
import { settleItems } from '../core/batch/settle.ts'
import { inTurns } from '../core/batch/turns.ts'
import type { AuditedAction, Caller, Change, Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import * as rows from './changes.sql.ts'
import { reasonOf } from './computed.ts'
import { type ChangeNeeds, type Kind, readerOf, resourceOf, retrieveAll } from './needs.ts'
import { type MatchDetail, Unmatched } from './link-by-name.ts'
import { mostInBatch, sizeOfTexts } from './lengths.ts'
import { changesOf, namingOf, type Plan, planOf, prepare } from './operations.ts'
import { inOrder, maxRenamed, type Naming, renamedOf, settleNames } from './rename.ts'
import { isSame, type ObjectMessage, placesOf, read, type Slot, type SlotChange, toMessages } from './slots.ts'

export const changeJob = 'change.run'

const batchSize = 500

/** The change was cancelled, or another process continues it. */
class NoLongerOurs extends Error {}
/** Thrown out of a savepoint to roll it back. */
class Undo extends Error {}
class Refused extends Error {
  readonly reasons: ReadonlyMap<string, string>
  constructor(reasons: ReadonlyMap<string, string>) {
    super('objects were refused')
    this.reasons = reasons
  }
}

const working: readonly rows.State[] = ['previewing', 'running', 'undoing']
const ends: Partial<Record<rows.State, rows.State>> = {
  previewing: 'previewed',
  running: 'finished',
  undoing: 'undone',
}

/** Works until the end or until it is stopped. Returns whether there is more to do. */
export async function runChange(needs: ChangeNeeds, id: string, stop: AbortSignal): Promise<boolean> {
  const row = await rows.findChange(needs.database, id)
  if (!row || !working.includes(row.state)) return false
  try {
    if (row.position === 0 && row.total > 5000) await rows.noteStatistics(needs.database)
    while (await runBatch(needs, row)) if (stop.aborted) return true
    return false
  } catch (error) {
    if (error instanceof NoLongerOurs) return false
    if (error instanceof Problem && error.kind !== 'unavailable') {
      await rows.setState(needs.database, id, 'failed', error.message)
      return false
    }
    throw error
  }
}

async function runBatch(needs: ChangeNeeds, { id, state, principal, kind, operations }: rows.ChangeRow) {
  const caller = await needs.callerNow(principal)
  const plan = state === 'undoing' ? [] : await planOf(needs, readerOf(needs, caller), kind, operations)
  return inBatch(needs, caller, async (ctx) => {
    const row = await rows.lockChange(ctx.db, id)
    if (row?.state !== state) throw new NoLongerOurs()
    const isUndo = state === 'undoing'
    const size = operations.some(({ type }) => type === 'rename') ? maxRenamed : batchSize
    const items = await (isUndo ? rows.nextChanged : rows.nextItems)(ctx.db, row, size)
    if (items.length === 0) {
      await rows.setState(ctx.db, id, ends[state]!)
      return false
    }
    await needs.lock[kind](ctx, items.map(({ tid }) => tid)) // prettier-ignore
    if (isUndo) await rows.noteUndone(ctx.db, id, await undo(needs, ctx, kind, items))
    else {
      const work = row.dry ? withoutEffect : changeAll
      const outcomes = await work(needs, byRule(ctx, row.rule), kind, plan, items)
      await rows.noteOutcomes(ctx.db, id, outcomes, digestOf(caller))
    }
    return true
  })
}

/** The history of the objects names the rule. */
const byRule = (ctx: Context, rule: string | null): Context =>
  rule === null ? ctx : { ...ctx, record: (change) => ctx.record({ ...change, rule }) }

interface Wanted {
  readonly tid: string
  readonly object: ObjectMessage
  /** Actions that make the changes, instead of messages for each of them. */
  readonly actions?: readonly object[]
  readonly changes: readonly SlotChange[]
}
const isGone = 'not found: it was deleted, or you may not read it'

async function load(needs: ChangeNeeds, ctx: Context, kind: Kind, tids: readonly string[]) {
  const found = tids.length === 0 ? [] : await retrieveAll<ObjectMessage>(ctx, resourceOf(needs, kind), { tids })
  return new Map(found.map((object) => [object.tid!, object]))
}

/** The changed objects, and others whose links changed. */
const concerned = (all: readonly { tid: string; changes: readonly SlotChange[] | null }[]) => [
  ...new Set(all.flatMap(({ tid, changes }) => [tid, ...(changes ?? []).flatMap(({ of }) => of ?? [])])),
]

async function changeAll(
  needs: ChangeNeeds,
  ctx: Context,
  kind: Kind,
  plan: Plan,
  items: readonly rows.ItemRow[],
): Promise<rows.Outcome[]> {
  const objects = await load(needs, ctx, kind, items.map(({ tid }) => tid)) // prettier-ignore
  const faults = new Map<string, Fault>()
  const prepared = await prepare(needs, ctx, plan, items.flatMap(({ tid }) => objects.get(tid) ?? [])) // prettier-ignore
  const replacement = plan.find((step) => step.replacement)?.replacement
  const naming = namingOf(plan)
  /** The batch ends before the first object whose texts no longer fit in. */
  let done = items
  let size = 0
  const asked = await inTurns(items, ({ tid }, i): Wanted[] => {
    const object = objects.get(tid)
    if (!object || i >= done.length) return []
    try {
      const changes = changesOf(kind, plan, prepared, object)
      size += changes.reduce((sum, { after }) => sum + sizeOfTexts(after), 0)
      if (size > mostInBatch) {
        if (naming)
          throw new Problem('invalid', `the new texts of ${objects.size} objects have more than ${mostInBatch} characters; change fewer objects at once`) // prettier-ignore
        done = items.slice(0, i)
        return []
      }
      return changes.length > 0 ? [{ tid, object, changes, ...(replacement && { actions: [toReplace(tid, replacement)] }) }] : [] // prettier-ignore
    } catch (error) {
      faults.set(tid, { reason: reasonOf(error), ...(error instanceof Unmatched && { detail: error.detail }) })
      return []
    }
  })
  const settled = naming ? await named(needs, ctx, naming, asked.flat(), faults, items) : asked.flat()
  const wanted = settled.filter(({ tid, changes }) => changes.length > 0 && !faults.has(tid))
  const written = await write(needs, ctx, kind, wanted)
  for (const [tid, reason] of written.refused) faults.set(tid, { reason })
  // Values are stored in their own form, such as the key of a label; undo compares with what is stored.
  const stored = await load(needs, ctx, kind, concerned(wanted))
  const places = replacement === undefined ? [] : placesOf(stored.get(replacement) ?? {})
  const changesByTid = new Map(settled.map(({ tid, changes }) => [tid, changes]))
  return done.map(({ number, tid }) => {
    const object = objects.get(tid)
    const fault = faults.get(tid)
    const none = { number, name: object?.name ?? null, reason: null, changes: null, detail: fault?.detail ?? null }
    if (!object) return { ...none, status: 'refused', reason: isGone }
    const changes = changesByTid.get(tid) ?? []
    if (fault) return { ...none, status: 'refused', reason: fault.reason, changes }
    const effective = changes
      .map((change) => ({ ...inPlace(change, places), after: read(kind, stored.get(change.of ?? tid) ?? {}, change) }))
      .filter(({ before, after }) => !isSame(before, after))
    const warnings = written.warnings.get(tid)
    const noted = { ...none, ...(warnings && { detail: { warnings } }) }
    return effective.length > 0
      ? { ...noted, status: 'changed', changes: effective }
      : { ...noted, status: 'unchanged' }
  })
}

/** The action refuses if the asset is also used where the user may not read, so that it never replaces a part of the places. */
const toReplace = (tid: string, by: string) => ({
  type: 'replace',
  dataType: 'asset',
  tid,
  meta: { itm: [{ key: 'replacementTid', value: by }] },
})

/** With the place that the action gave to the link, which it takes again when the change is undone. */
function inPlace(change: SlotChange, places: readonly Slot[]): SlotChange {
  const taken = places.find(({ dataType, linkType, to }) => dataType === change.dataType && linkType === change.linkType && to === change.to) // prettier-ignore
  return taken?.pos === undefined ? change : { ...change, pos: taken.pos }
}

interface Fault {
  readonly reason: string
  readonly detail?: MatchDetail
}

/** With names that differ from each other and from those of other files, in the order of the change. */
async function named(
  needs: ChangeNeeds,
  ctx: Context,
  naming: Naming,
  asked: readonly Wanted[],
  faults: Map<string, Fault>,
  items: readonly rows.ItemRow[],
): Promise<Wanted[]> {
  const byTid = new Map(asked.map((one) => [one.tid, one]))
  const inTurn = items.flatMap(({ tid }) => byTid.get(tid) ?? [])
  const renamed = inTurn.flatMap(({ tid, object, changes }) => renamedOf(tid, object, changes) ?? [])
  const { names, faults: refused } = await settleNames(needs, ctx, naming, renamed)
  for (const [tid, reason] of refused) faults.set(tid, { reason })
  return inTurn.map((one) => {
    const changes = one.changes.map((change) => (change.dataType === 'name' ? { ...change, after: [names.get(one.tid)!] } : change)) // prettier-ignore
    return { ...one, changes: changes.filter(({ before, after }) => !isSame(before, after)) }
  })
}

async function withoutEffect(...[needs, ctx, ...rest]: Parameters<typeof changeAll>): Promise<rows.Outcome[]> {
  let outcomes: rows.Outcome[] = []
  const nothing = () => {}
  await ctx.db
    .transaction(async (db) => {
      outcomes = await changeAll(needs, { ...ctx, db, record: nothing, audit: nothing }, ...rest)
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return outcomes
}

/** Restores the former contents of objects whose contents are still those that the change stored. */
async function undo(
  needs: ChangeNeeds,
  ctx: Context,
  kind: Kind,
  items: readonly rows.ItemRow[],
): Promise<rows.UndoOutcome[]> {
  const objects = await load(needs, ctx, kind, concerned(items))
  const refused = new Map<string, string>()
  const wanted: Wanted[] = []
  for (const { tid, changes } of items) {
    const object = objects.get(tid)
    const touched =
      object &&
      changes!.filter((change) => !isSame(read(kind, objects.get(change.of ?? tid) ?? {}, change), change.after))
    if (!touched) refused.set(tid, isGone)
    else if (touched.length > 0) refused.set(tid, `changed since: ${touched.map(titleOf).join(', ')}`)
    else wanted.push({ tid, object: object!, changes: changes!.map((one) => ({ ...one, before: one.after, after: one.before })) }) // prettier-ignore
  }
  for (const [tid, reason] of (await write(needs, ctx, kind, wanted)).refused) refused.set(tid, reason)
  return items.map(({ number, tid }) => {
    const undoReason = refused.get(tid) ?? null
    return { number, undo: undoReason === null ? 'undone' : 'refused', undoReason }
  })
}

const titles: Partial<Record<string, string>> = { node: 'category', folder: 'folder', name: 'name' }
const titleOf = ({ attribute, locale, usageRight, dataType }: SlotChange) =>
  attribute === undefined
    ? (usageRight ?? titles[dataType ?? ''] ?? `link to ${dataType}`)
    : attribute + (locale === undefined ? '' : ` (${locale})`)

// Writing

interface Written {
  /** The reasons for objects that were refused, by tid. */
  readonly refused: ReadonlyMap<string, string>
  /** The warnings about objects that were stored. */
  readonly warnings: ReadonlyMap<string, string[]>
}

/** Stores the wanted contents. */
async function write(needs: ChangeNeeds, ctx: Context, kind: Kind, wanted: readonly Wanted[]): Promise<Written> {
  const refused = new Map<string, string>()
  for (;;) {
    const rest = wanted.filter(({ tid }) => !refused.has(tid))
    if (rest.length === 0) return { refused, warnings: new Map() }
    const changes: Change[] = []
    const events: AuditedAction[] = []
    try {
      const warnings = await ctx.db.transaction((db) =>
        attempt(
          needs,
          { ...ctx, db, record: (change) => changes.push(change), audit: (event) => events.push(event) },
          kind,
          rest,
        ),
      )
      changes.forEach(ctx.record)
      events.forEach(ctx.audit)
      return { refused, warnings }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      for (const [tid, reason] of error.reasons) refused.set(tid, reason)
    }
  }
}

/** Returns the warnings by tid. Throws the reasons of all refusals. */
async function attempt(needs: ChangeNeeds, ctx: Context, kind: Kind, wanted: readonly Wanted[]) {
  const messages = wanted.map(({ tid, object, changes, actions }) => ({
    tid,
    ...(actions ? { links: [], unlinks: [], actions } : toMessages(kind, tid, object, changes)),
  }))
  const reasons = new Map<string, string>()
  const warnings = new Map<string, string[]>()
  const settle = async (
    name: Kind | 'links' | 'linkActions',
    verb: 'persist' | 'perform',
    sent: readonly { readonly tid: string; readonly item: object }[],
  ) => {
    if (sent.length === 0) return
    const mounted = resourceOf(needs, name)
    demandVerb(ctx.caller, mounted.resource, verb)
    const container = verb === 'perform' ? 'actions' : mounted.resource.container
    const records = await settleItems(ctx, mounted, verb, sent.map(({ item }) => ({ container, item })), false) // prettier-ignore
    records.forEach((record, i) => {
      const { tid } = sent[i]!
      const found = warningsOf(record)
      if (record.status !== 'SUCCESS') reasons.set(tid, record.description ?? '')
      else if (found.length > 0) warnings.set(tid, found)
    })
  }
  // Files that get new names come last, because one may need the name of another.
  const renamed = wanted.flatMap(({ tid, object, changes }) => renamedOf(tid, object, changes) ?? [])
  const items = new Map(
    messages.flatMap(({ tid, ...rest }) => ('item' in rest && rest.item ? [[tid, rest.item] as const] : [])),
  )
  const [renames, others] = [inOrder(renamed), new Set(renamed.map(({ tid }) => tid))]
  await settle(kind, 'persist', [
    ...[...items].filter(([tid]) => !others.has(tid)).map(([tid, item]) => ({ tid, item })),
    ...renames.map(({ tid, name }) => ({ tid, item: { ...items.get(tid), name } })),
  ])
  const all = (of: 'links' | 'unlinks' | 'actions') =>
    messages.flatMap((message) => message[of].map((item) => ({ tid: message.tid, item })))
  await settle('links', 'persist', all('links'))
  await settle('linkActions', 'perform', all('unlinks'))
  await settle(kind, 'perform', all('actions'))
  if (reasons.size > 0) throw new Refused(reasons)
  return warnings
}

const demandVerb = (caller: Caller, resource: Parameters<typeof needsOf>[0], verb: 'persist' | 'perform') =>
  demandRight(caller, 'user', needsOf(resource, verb))
