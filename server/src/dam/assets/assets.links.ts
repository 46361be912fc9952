/** Assets as ends of links, and the action `unlink`. */
import { type Target, type Targets, unlink } from '../../common/api.ts'
import { orProblem, type Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue } from '../../core/batch/handlers.ts'
import { cleanPath } from '../../core/batch/names.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import { addressOf, demand, demandUnlocked, findNamed, notFound } from '../entries.ts'
import type { EntryRow } from '../entries.sql.ts'
import { refusedPlacements } from '../usage/usage.ts'
import * as rows from './assets.sql.ts'

export const assetTarget: Target = {
  lock: rows.lockAssets,
  describe: rows.describeAssets,
  inTrash: rows.inTrash,
  refusedLinks: async (db, kind, links) => (kind === 'assetToProject' ? refusedPlacements(db, links) : new Map()),
}

type Pair = Exclude<Parameters<typeof unlink>[2][number], Problem>

export async function unlinkAll(ctx: Context, targets: Targets, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const addresses = actions.map((action) => addressOf(action)!)
  const find = await findNamed(ctx, 'asset', addresses)
  const pairs = actions.map((action, i) =>
    orProblem(() => {
      const row = find(addresses[i]!)
      if (!row) throw notFound('asset', addresses[i]!)
      demand(ctx, 'link', 'asset', row.dirPath)
      demandUnlocked(ctx, row)
      return toPair(row, metaOf(action))
    })(undefined),
  )
  const outcomes = await unlink(ctx, targets, pairs)
  return outcomes.map((outcome, i) => {
    if (outcome instanceof Problem) return outcome
    const { id, tid, path } = find(addresses[i]!)!
    return { ...outcome, id, tid, path }
  })
}

/** Identifies the other end of the link. Without a linkType, links of every type are removed. */
function toPair({ id }: EntryRow, meta: ReadonlyMap<string, string>): Pair {
  const type = meta.get('linkType')
  const common = { type: type ?? '', anyType: type === undefined }
  const [keyword, product, project] = ['keywordPath', 'productTid', 'projectTid'].map((key) => meta.get(key))
  if (keyword !== undefined) {
    return { kind: 'keywordToAsset', from: { tid: cleanPath(keyword) }, to: { id }, type: '', anyType: true }
  }
  if (product !== undefined) return { kind: 'assetToProduct', from: { id }, to: { tid: product }, ...common }
  if (project !== undefined) return { kind: 'assetToProject', from: { id }, to: { tid: project }, ...common }
  throw new Problem('invalid', 'unlink needs meta keywordPath, productTid or projectTid')
}
