/**
 * Pictures that look alike, by their perceptual hashes: those that look like some assets, or all near duplicates. Only
 * pictures that the caller may read are compared, so that neither results nor groups tell of others.
 */
import { type dam, maxLookDistance, maxSimilar, maxSimilarTo } from '@kontor/contract'
import type { Handlers } from '../../core/batch/handlers.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { findWanted, toAddresses } from '../assets/assets.ts'
import { identityOf } from '../assets/assets.messages.ts'
import { readAssets } from '../assets/assets.sql.ts'
import { visible } from '../entries.ts'
import { findNearDuplicates, findSimilar, maxNearDistance } from './analysis.sql.ts'

const defaultDistance = 10
const defaultLimit = 100

export const similar: Handlers<(typeof dam.resources)['assets/similar']> = {
  async retrieve(ctx, { tids, ids, distance, limit = defaultLimit }) {
    demandWithin('distance', distance, 0, maxLookDistance)
    demandWithin('limit', limit, 1, maxSimilar)
    const seen = visible(ctx, 'asset')
    const addresses = toAddresses(tids, ids)
    if (!tids && !ids) {
      if (distance !== undefined && distance > maxNearDistance)
        throw new Problem(
          'invalid',
          `/similarRequest/distance: at most ${maxNearDistance} for near duplicates; send tids or ids to find pictures that are only similar`,
        )
      const found = await findNearDuplicates(ctx.db, seen, distance ?? maxNearDistance, limit)
      return { assets: messagesOf(ctx, found.map(({ id, group }) => ({ id, facts: { nearDuplicates: group } }))) } // prettier-ignore
    }
    if (addresses.length > maxSimilarTo)
      throw new Problem('invalid', `/similarRequest: names ${addresses.length} assets; at most ${maxSimilarTo}`)
    const named = (await findWanted(ctx, '/similarRequest', addresses)).map(({ id }) => id)
    const found = await findSimilar(ctx.db, named, seen, distance ?? defaultDistance, limit)
    const all = found.map(({ id, similarTo, distance: bits }) => ({ id, facts: { distance: String(bits), similarTo } }))
    return { assets: messagesOf(ctx, all) }
  },
}

function demandWithin(name: string, value: number | undefined, least: number, most: number): void {
  if (value !== undefined && (value < least || value > most))
    throw new Problem('invalid', `/similarRequest/${name}: expected ${least} to ${most}, found ${value}`)
}

async function* messagesOf({ db }: Context, found: readonly { id: number; facts: Record<string, string> }[]) {
  const rows = new Map((await readAssets(db, [...new Set(found.map(({ id }) => id))])).map((row) => [row.id, row]))
  for (const { id, facts } of found) {
    const row = rows.get(id)
    if (!row) continue
    const all = { ...facts, mimeType: row.mime, fileSize: String(row.size), checksum: row.sha256 }
    const meta = { itm: Object.entries(all).map(([key, value]) => ({ value, key })) }
    yield { name: row.name, meta, ...identityOf(row) }
  }
}
