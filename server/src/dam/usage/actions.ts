/** Actions about the use of files: override the rights of a file, and replace a file by another one everywhere. */
import { because } from '@kontor/contract'
import {
  addLinks,
  fixPlaces,
  linkKinds,
  linksOf,
  mayAct,
  type ResolvedLink,
  type Targets,
  unlink,
} from '../../common/api.ts'
import { type Outcome } from '../../core/batch/batch.ts'
import type { ActionValue } from '../../core/batch/handlers.ts'
import { metaOf } from '../../core/batch/settle.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { readDate } from '../../core/dates.ts'
import { addressOf, demand, demandUnlocked, findNamed, notFound } from '../entries.ts'
import type { EntryRow } from '../entries.sql.ts'
import { placementKey, refusedPlacements } from './usage.ts'
import * as rows from './usage.sql.ts'

const maxDays = 366

type Each = (ctx: Context, row: EntryRow, meta: ReadonlyMap<string, string>) => Promise<Outcome>

/** One after the other, because an earlier action can change the links of a later one. */
async function each(ctx: Context, actions: readonly ActionValue[], act: Each): Promise<Outcome[]> {
  const addresses = actions.map((action) => addressOf(action)!)
  const find = await findNamed(ctx, 'asset', addresses, 'update')
  const outcomes: Outcome[] = []
  for (const [i, action] of actions.entries()) {
    try {
      const row = find(addresses[i]!)
      if (!row) throw notFound('asset', addresses[i]!)
      outcomes.push(await act(ctx, row, metaOf(action)))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      outcomes.push(error)
    }
  }
  return outcomes
}

/** Lets everybody use a file in spite of its rights for a while. Without `until`, ends that. */
export const overrideAll = (ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> =>
  each(ctx, actions, async (_, row, meta) => {
    demand(ctx, 'override', 'asset', row.dirPath)
    const [found] = await rows.findUsage(ctx.db, [row.id])
    if (!found?.usage) throw new Problem('invalid', `${row.path} has no usage rights, so there is nothing to override`)
    const until = meta.get('until') ?? ''
    const reason = (meta.get('reason') ?? '').trim()
    const time = until === '' ? null : Date.parse(readDate(until) ?? '')
    if (time !== null) checkOverride(time, reason)
    const to = time === null ? null : new Date(time).toISOString()
    const by = to === null ? null : ctx.caller.userName
    await rows.writeOverrides(ctx.db, [{ id: row.id, until: to, by, reason: to === null ? null : reason }])
    const changes = { overrideUntil: { from: found.usage.overrideUntil, to }, ...(to && { comment: { to: reason } }) }
    ctx.record({ dataType: 'asset', id: row.id, event: 'UPDATE', action: 'overrideUsage', changes })
    ctx.audit({ action: 'usage.override', object: `asset ${row.tid}`, detail: { until: to, reason } })
    return { action: 'overrideUsage', id: row.id, tid: row.tid, path: row.path }
  })

function checkOverride(time: number, reason: string): void {
  const now = Date.now()
  if (Number.isNaN(time) || time <= now || time > now + maxDays * 86_400_000)
    throw new Problem(
      'invalid',
      `meta until: expected a time such as 2026-12-31T18:00:00.000Z within the next ${maxDays} days, or nothing to end it`,
    )
  if (reason === '' || reason.length > 1000)
    throw new Problem('invalid', 'meta reason: say in 1 to 1000 characters why the rights are overridden')
}

/** Puts another file into every place where this one is linked to a product or a channel. */
export const replaceAll = (ctx: Context, targets: Targets, actions: readonly ActionValue[]): Promise<Outcome[]> =>
  each(ctx, actions, async (_, row, meta) => {
    const tid = meta.get('replacementTid')
    if (tid === undefined) throw new Problem('invalid', 'replace needs meta replacementTid, the tid of the other asset')
    const other = (await findNamed(ctx, 'asset', [{ tid }], 'update'))({ tid })
    if (!other) throw notFound('asset', { tid })
    if (other.id === row.id) throw new Problem('invalid', 'meta replacementTid: names the asset itself')
    for (const one of [row, other]) {
      demand(ctx, 'link', 'asset', one.dirPath)
      demandUnlocked(ctx, one)
    }
    const placesOf = async () => (await linksOf(ctx.db, [row.id])).filter(({ fromId }) => fromId === row.id)
    await demandOthers(ctx, targets, await placesOf())
    await fixPlaces(ctx.db, row.id)
    const links = await placesOf()
    const wanted = links.map(({ pos, ...link }): ResolvedLink => ({
      ...link,
      fromId: other.id,
      details: {},
      ...(pos != null && { pos }),
    }))
    const placed = wanted.filter(({ kind }) => kind === 'assetToProject')
    const refused = await refusedPlacements(ctx.db, placed)
    const refusal = placed.map((link) => refused.get(placementKey(link))).find((one) => one !== undefined)
    if (refusal) throw refusal
    await addLinks(ctx, wanted)
    const gone = links.map(({ kind, type, toId }) => ({ kind, type, anyType: false, from: { id: row.id }, to: { id: toId } })) // prettier-ignore
    if (gone.length > 0) await unlink(ctx, targets, gone)
    const { id, path } = row
    return { action: 'replace', id, tid: row.tid, path, details: { replacementTid: tid, links: String(links.length) } }
  })

/** All places or none: a caller who may not change one of them is refused before anything is changed. */
async function demandOthers(
  { db, caller }: Context,
  targets: Targets,
  links: readonly { readonly kind: string; readonly toId: number }[],
): Promise<void> {
  for (const [dataType, some] of Map.groupBy(links, ({ kind }) => linkKinds.get(kind)!.to.dataType)) {
    const ids = [...new Set(some.map(({ toId }) => toId))]
    const found = (await targets.get(dataType)?.describe(db, ids)) ?? []
    const readable = found.filter((row) => mayAct(caller, 'read', dataType, row))
    if (readable.length < ids.length)
      throw new Problem('forbidden', 'the asset is also used in objects that you may not read; ask somebody who may')
    const fixed = readable.find((row) => !mayAct(caller, 'link', dataType, row))
    if (fixed)
      throw new Problem('forbidden', because('mayNotKind', { action: 'link', kind: `${dataType} ${fixed.tid}` }))
  }
}
