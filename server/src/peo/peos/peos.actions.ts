/** perform on product extension objects: delete, copy, and unlink from channels. */
import { randomUUID } from 'node:crypto'
import { type EndName, type Targets, unlink } from '../../common/api.ts'
import { orProblem, type Outcome, soundOf, writeEach } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue } from '../../core/batch/handlers.ts'
import { finder, nameOf, namesOf } from '../../core/batch/identify.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { cleanName, newName } from '../../core/batch/names.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import * as rows from './peos.sql.ts'

async function findNamed({ db, caller }: Context, actions: readonly ActionValue[], right: 'read' | 'delete') {
  const { ids, tids } = namesOf(actions)
  return finder('peo', await rows.lockPeos(db, ids, tids, caller, right))
}

export async function deletePeos(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const find = await findNamed(ctx, actions, 'delete')
  const gone = new Map<number, rows.PeoRow>()
  const outcomes = actions.map((action): Outcome => {
    const row = find(action)
    if (row instanceof Problem) return row
    if (gone.has(row.id)) return new Problem('notFound', `no peo has the ${nameOf(action)}`)
    gone.set(row.id, row)
    return { action: 'delete', id: row.id, tid: row.tid }
  })
  const ids = [...gone.keys()]
  const paths = Map.groupBy(await rows.findPaths(ctx.db, ids), ({ id }) => id)
  for (const { id, tid, name } of gone.values()) {
    const scopes = (paths.get(id) ?? []).map(({ path }) => path)
    ctx.record({ dataType: 'peo', id, event: 'DELETE', changes: { tid, name }, gone: { tid, scopes } })
  }
  await rows.deletePeos(ctx.db, ids)
  return outcomes
}

interface Copy extends rows.PeoRow {
  readonly sourceId: number
  readonly item: number
}

export async function copyPeos(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const find = await findNamed(ctx, actions, 'read')
  const ids = await newIds(ctx.db, actions.length)
  const copies = actions.map((action, item) =>
    orProblem((): Copy => {
      const source = find(action)
      if (source instanceof Problem) throw source
      const meta = metaOf(action)
      const name = newName('meta name', meta.get('name') ?? meta.get('newPeoName'))
      const tid = meta.has('newPeoTid') ? cleanName('meta newPeoTid', meta.get('newPeoTid')) : randomUUID()
      return { ...source, id: ids[item]!, tid, name, isDefault: false, sourceId: source.id, item }
    })(undefined),
  )
  const outcomes: Outcome[] = copies.map((copy) =>
    copy instanceof Problem ? copy : { action: 'copy', id: copy.id, tid: copy.tid },
  )
  const insert = async (db: Context['db'], set: readonly Copy[]) => {
    await rows.insertPeos(db, set, ctx.caller.userName)
    await rows.copyLinks(db, set, ctx.caller.userName)
  }
  await writeEach(ctx.db, soundOf(copies), insert, ({ item, tid }) => {
    outcomes[item] = new Problem('exists', `a peo with the tid ${tid} exists already`)
  })
  for (const { id, sourceId, name, item } of soundOf(copies)) {
    if (outcomes[item] instanceof Problem) continue
    ctx.record({ dataType: 'peo', id, event: 'CREATE', action: 'copy', changes: { name, copyOf: sourceId } })
  }
  return outcomes
}

/** Both ends by tid, or both by id. */
export async function unlinkPeos(ctx: Context, targets: Targets, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const pairs = actions.map(orProblem(toPair))
  const outcomes = await unlink(ctx, targets, pairs)
  const named = soundOf(pairs).map(({ from }) => from)
  const found = (await targets.get('peo')?.lock(ctx.db, namesOf(named))) ?? []
  const find = finder('peo', found)
  return outcomes.map((outcome, i) => {
    const pair = pairs[i]!
    if (outcome instanceof Problem || pair instanceof Problem) return outcome
    const row = find(pair.from)
    return row instanceof Problem ? row : { ...outcome, dataType: 'peo', id: row.id, tid: row.tid }
  })
}

function toPair(action: ActionValue) {
  const meta = metaOf(action)
  const pair = (by: 'Tid' | 'Id') => [meta.get(`peo${by}`), meta.get(`project${by}`)] as const
  const nameOf = (by: 'Tid' | 'Id', text: string): EndName =>
    by === 'Tid' ? { tid: text } : { id: /^\d{1,15}$/.test(text) ? Number(text) : -1 }
  for (const by of ['Tid', 'Id'] as const) {
    const [peo, project] = pair(by)
    if (peo === undefined || project === undefined) continue
    return { kind: 'peoToProject', type: '', anyType: true, from: nameOf(by, peo), to: nameOf(by, project) }
  }
  throw new Problem('invalid', 'unlink needs meta peoTid and projectTid, or peoId and projectId')
}
