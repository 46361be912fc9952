/** Held files in the hands of administrators: the list, and its decisions. */
import type { care as contract, CareOutcomes, Infer } from '@kontor/contract'
import { inBatch, type Services } from '../../core/batch/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { findNamed } from '../entries.ts'
import { prepareDeletions } from '../trash/deletion.ts'
import { queueScan } from '../storage/storing.ts'
import * as rows from './quarantine.sql.ts'
import { makeAvailable } from './scan.ts'
import { findUses, queueAll, writeChecked } from './scan.sql.ts'

const [maxUses, maxDecisions] = [10, 100]
type Outcome = NonNullable<Infer<typeof CareOutcomes>['outcomes']>[number]

export const quarantineRoutes = (
  services: Services,
): RouteHandlers<Pick<typeof contract.routes, 'listHeld' | 'decideHeld' | 'rescan'>> => ({
  async listHeld({ db }, { query, continues }) {
    const count = Number(query.count ?? 100)
    const found = await rows.listHeld(db, query.after ?? '', count)
    if (found.length === count) continues(found.at(-1)!.sha256)
    const files = []
    for (const { threat, since, ...file } of found) {
      const uses = (await findUses(db, file.sha256, maxUses)).map(({ tid, path, isCurrent }) => ({
        tid,
        path,
        isCurrent,
      }))
      files.push({ ...file, uses, ...(threat !== null && { threat }), ...(since && { since: since.toISOString() }) })
    }
    return { files }
  },
  async decideHeld(_, { body: { release = [], remove = [], reason = '' }, caller }) {
    if (release.length + remove.length === 0)
      throw new Problem('invalid', '/quarantineDecision: release or remove must name files')
    for (const [name, list] of Object.entries({ release, remove }))
      if (list.length > maxDecisions)
        throw new Problem('invalid', `/quarantineDecision/${name}: at most ${maxDecisions} files at once`)
    if (release.length > 0 && (reason.trim() === '' || reason.length > 1000))
      throw new Problem('invalid', '/quarantineDecision/reason: say in 1 to 1000 characters why the files are released')
    const outcomes: Outcome[] = []
    for (const sha256 of release) outcomes.push(await orRefused(sha256, releaseOne(services, caller, sha256, reason)))
    for (const sha256 of remove) outcomes.push(await orRefused(sha256, removeOne(services, caller, sha256, reason)))
    return { outcomes }
  },
  async rescan(_, { caller }) {
    if (services.config.scanner === undefined)
      throw new Problem('withheld', 'there is no virus scanner; set KONTOR_CLAMAV and start the server again')
    await inBatch(services, caller, async (ctx) => {
      const files = await queueAll(ctx.db)
      await queueScan(ctx.db)
      ctx.audit({ action: 'file.rescan', object: 'files', detail: { files } })
    })
  },
})

async function orRefused(sha256: string, deciding: Promise<Outcome>): Promise<Outcome> {
  try {
    return await deciding
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === 'unavailable') throw error
    return { sha256, outcome: 'refused', problem: error.message }
  }
}

const lockHeld = async ({ db }: Context, sha256: string) => {
  const found = /^[0-9a-f]{64}$/.test(sha256) ? await rows.lockHeld(db, sha256) : undefined
  if (!found) throw new Problem('notFound', `no held file has the hash ${sha256.slice(0, 64)}`)
  return found
}

const releaseOne = (services: Services, caller: Caller, sha256: string, reason: string): Promise<Outcome> =>
  inBatch(services, caller, async (ctx) => {
    const { held, threat } = await lockHeld(ctx, sha256)
    if (held === null) throw new Problem('invalid', `${sha256} is damaged; upload the same file again instead`)
    await writeChecked(ctx.db, sha256, { scan: 'released', held: null, threat })
    await makeAvailable(ctx.db, sha256)
    const uses = await findUses(ctx.db, sha256)
    for (const { id } of uses)
      ctx.record({ dataType: 'asset', id, event: 'UPDATE', action: 'release', changes: { comment: { to: reason } } })
    ctx.audit({ action: 'file.release', object: `file ${sha256}`, detail: { held, threat, reason, assets: uses.map(({ tid }) => tid).slice(0, 100) } }) // prettier-ignore
    return { sha256, outcome: 'released' }
  })

const removeOne = (services: Services, caller: Caller, sha256: string, reason: string): Promise<Outcome> =>
  inBatch(services, caller, async (ctx) => {
    const { threat } = await lockHeld(ctx, sha256)
    const uses = await findUses(ctx.db, sha256)
    const current = uses.filter(({ isCurrent }) => isCurrent).map(({ id }) => ({ id }))
    const find = await findNamed(ctx, 'asset', current, 'update')
    const found = current.flatMap((one) => find(one) ?? [])
    const deletions = await prepareDeletions(ctx, found)
    const ids = found.map(({ id }) => id)
    for (const id of ids) {
      const refusal = deletions.refusal(id, true)
      if (refusal) throw refusal
    }
    await deletions.run(ids, ids)
    const gone = await rows.deleteCopies(ctx.db, sha256)
    for (const { assetId } of gone)
      ctx.record({ dataType: 'asset', id: assetId, event: 'UPDATE', action: 'deleteVersion', changes: { threat: { from: threat } } }) // prettier-ignore
    ctx.audit({ action: 'file.remove', object: `file ${sha256}`, detail: { threat, reason, assets: found.map(({ tid }) => tid).slice(0, 100) } }) // prettier-ignore
    return { sha256, outcome: 'removed' }
  })
