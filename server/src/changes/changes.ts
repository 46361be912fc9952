/** /changes: prepares changes of many objects, lists and controls them, and shows what they did. */
import {
  because,
  type Change,
  type ChangeItem,
  type ChangeRequest,
  change as contract,
  type Infer,
} from '@kontor/contract'
import { addJob } from '../adapters/jobs/jobs.ts'
import type { Db } from '../adapters/postgres/db.ts'
import { mayAct } from '../common/api.ts'
import { auditBy } from '../core/access/audit.ts'
import { digestOf } from '../core/access/permissions.ts'
import { newName } from '../core/batch/names.ts'
import { cut, demandLast } from '../core/batch/paging.ts'
import { type Caller, type Context, toStored } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { Problem } from '../errors.ts'
import * as rows from './changes.sql.ts'
import type { ChangeNeeds, Kind } from './needs.ts'
import { namingOf, planOf } from './operations.ts'
import { patternRoute } from './patterns.ts'
import { maxRenamed } from './rename.ts'
import { changeJob } from './run.ts'
import { addSelection, checkSelection } from './select.ts'

const maxObjects = 100_000
const working: readonly rows.State[] = ['previewing', 'running', 'undoing']
const undoable: readonly rows.State[] = ['finished', 'failed', 'cancelled', 'undone']

/** The commands that each state accepts, and the next state. */
const commands: Readonly<Record<string, Partial<Record<rows.State, rows.State>>>> = {
  preview: { ready: 'previewing', previewed: 'previewing' },
  start: { ready: 'running', previewed: 'running' },
  cancel: { previewing: 'ready', running: 'cancelled', undoing: 'finished' },
  undo: { finished: 'undoing', failed: 'undoing', cancelled: 'undoing', undone: 'undoing' },
}

export function changes(needs: ChangeNeeds) {
  const routes: RouteHandlers<typeof contract.routes> = {
    async listChanges({ db, caller }, { query: { after, count = 500 }, continues }) {
      await demandLast(after, (id) => find(db, caller, id))
      const of = caller.roles.has('admin') ? null : caller.userName
      const page = { count: Number(count), continues }
      return { changes: cut(page, await rows.listChanges(db, of, after, page.count)).map(show) }
    },
    createChange: (ctx, { body }) => create(needs, ctx, body),
    ...patternRoute(needs),
    async getChange({ db, caller }, { params }) {
      const row = await find(db, caller, params.id!)
      const reasons = showsValues(row, caller) ? await rows.countReasons(db, row) : []
      return { ...show(row), ...(reasons.length > 0 && { reasons }) }
    },
    controlChange: ({ caller }, { params }) => control(needs, caller, params.id!, params.command!),
    async listChangeItems(ctx, { params, query, continues }) {
      const row = await find(ctx.db, ctx.caller, params.id!)
      const most = Math.min(Number(query.count ?? 100), 1000)
      const { status, undo } = query
      const items: rows.ItemRow[] = []
      for (let after = Number(query.after ?? 0); items.length <= most;) {
        const page = await rows.listItems(ctx.db, row, { status, undo }, after, most)
        items.push(...(await visible(needs, ctx, row.kind, page)))
        if (page.length < most) break
        after = page.at(-1)!.number
      }
      if (items.length > most) continues(items[most - 1]!.number)
      const isShown = showsValues(row, ctx.caller)
      return { items: items.slice(0, most).map((item) => showItem(item, isShown)) }
    },
    async deleteChange({ db, caller }, { params }) {
      const { id, state } = await find(db, caller, params.id!)
      if (working.includes(state)) throw new Problem('inUse', because('changeRunning', { state }))
      await rows.deleteChange(db, id)
    },
  }
  return { contract, resources: {}, routes }
}

async function create(needs: ChangeNeeds, ctx: Context, body: Infer<typeof ChangeRequest>) {
  const { kind = 'product', selection, operations } = body
  const name = body.name === undefined ? null : newName('/changeRequest/name', body.name)
  checkSelection(kind, selection, '/changeRequest/selection')
  const plan = await planOf(needs, ctx, kind, operations)
  const max = namingOf(plan) ? maxRenamed : maxObjects
  return needs.database.transaction(async (db) => {
    const id = await rows.insertChange(db, { kind, name, operations, principal: toStored(ctx.caller) })
    await addSelection(needs, { ...ctx, db }, id, kind, selection, max)
    const total = await rows.countItems(db, id)
    if (total === 0) throw new Problem('notFound', because('nothingSelected', { kind }))
    if (total > max) throw new Problem('invalid', because('tooManySelected', { max, kind }))
    return show((await rows.findChange(db, id))!)
  })
}

function control(needs: ChangeNeeds, caller: Caller, id: string, word: string) {
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (!command) throw new Problem('notFound', `no command ${word.slice(0, 50)}; there are ${Object.keys(commands).join(', ')}`) // prettier-ignore
  return needs.database.transaction(async (db) => {
    await find(db, caller, id)
    const row = (await rows.lockChange(db, id))!
    const next = command[row.state]
    if (!next || (word === 'undo' && !isUndoable(row)))
      throw new Problem('inUse', word === 'undo' && next ? 'there is nothing to undo' : `${word} is not possible while it is ${row.state}`) // prettier-ignore
    if (next === 'previewing' || next === 'running') await rows.begin(db, id, next, next === 'previewing')
    else if (next === 'undoing') await rows.beginUndo(db, id)
    else await rows.setState(db, id, next)
    if (working.includes(next)) await addJob(db, changeJob, { id })
    if (word === 'start' || word === 'undo')
      await auditBy(db, caller, { action: `change.${word}`, object: `change ${id}`, detail: { count: row.total } })
    return show((await rows.findChange(db, id))!)
  })
}

/** The caller's own changes; administrators see all. */
async function find(db: Db, caller: Caller, id: string): Promise<rows.ChangeRow> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  const row = isId ? await rows.findChange(db, id) : undefined
  if (row && (row.userName === caller.userName || caller.roles.has('admin'))) return row
  throw new Problem('notFound', `no change has the id ${id.slice(0, 100)}`)
}

/** Without objects that exist and that the caller may not read now. */
async function visible({ targets }: ChangeNeeds, { db, caller }: Context, kind: Kind, items: readonly rows.ItemRow[]) {
  if (items.length === 0) return items
  const described = await targets.get(kind)!.describe(db, [], items.map(({ tid }) => tid)) // prettier-ignore
  const hidden = new Set(described.filter((row) => !mayAct(caller, 'read', kind, row)).map(({ tid }) => tid))
  return items.filter(({ tid }) => !hidden.has(tid))
}

const isUndoable = ({ state, dry, changed, undone }: rows.ChangeRow) =>
  !dry && undoable.includes(state) && changed > undone

export function show(row: rows.ChangeRow): Infer<typeof Change> {
  const { id, kind, name, state, operations, total, processed, changed, unchanged, refused, undone, undoRefused } = row
  return {
    id,
    kind,
    ...(name !== null && { name }),
    ...(row.rule !== null && { rule: row.rule }),
    state,
    operations: [...operations],
    total,
    processed,
    changed,
    unchanged,
    refused,
    undone,
    undoRefused,
    undoable: isUndoable(row),
    ...(row.problem !== null && { problem: row.problem }),
    user: row.userName,
    createdAt: row.createdAt.toISOString(),
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.endedAt && { endedAt: row.endedAt.toISOString() }),
  }
}

/** Also of refusals, whose reasons quote values. */
const showsValues = ({ rights }: rows.ChangeRow, caller: Caller) =>
  rights === null || rights === digestOf(caller) || caller.roles.has('admin')
const hiddenReason = 'the reason is not shown, because your rights have changed since; run it again to see it'

function showItem(item: rows.ItemRow, isShown: boolean): Infer<typeof ChangeItem> {
  const { number, tid, name, status, reason, changes, detail, undo, undoReason } = item
  return {
    number,
    tid,
    ...(name !== null && { name }),
    ...(status && { status }),
    ...(reason !== null && { reason: isShown ? reason : hiddenReason }),
    ...(changes &&
      isShown && {
        changes: changes.map(({ to: _to, pos: _pos, before, after, ...slot }) => ({
          ...slot,
          before: [...before],
          after: [...after],
        })),
      }),
    ...(isShown && detail?.matched !== undefined && { matched: detail.matched }),
    ...(isShown && detail?.warnings && { warnings: [...detail.warnings] }),
    ...(isShown && detail?.candidates && { candidates: [...detail.candidates] }),
    ...(undo && { undo }),
    ...(undoReason !== null && { undoReason: isShown ? undoReason : hiddenReason }),
  }
}
