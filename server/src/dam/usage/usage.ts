/**
 * Usage rights bind: a file that has expired, is not yet valid or is not cleared for a channel is refused for placements
 * in channels, renditions, exports, feeds and signed addresses. Who may read a file can still see and download it with a
 * token, because somebody has to look after it.
 *
 * A file whose content is held (care/hold.ts) is refused in the same places, for everybody.
 */
import { because, type Reason } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { type Hold, holdReason } from '../care/hold.ts'
import type { ProfileSettings } from '../renditions/recipe.ts'
import * as rows from './usage.sql.ts'

export type { UsageRow } from './usage.sql.ts'

interface UsedFile {
  readonly path: string
  readonly usage: rows.UsageRow | null
  readonly hold: Hold | null
}

const timeOf = (text: string | null) => (text === null ? undefined : Date.parse(text))

/** When the file may be used for the first time, as a time; -Infinity if it always may. */
export function beginOf({ validFrom, embargoUntil }: rows.UsageTerms): number {
  return Math.max(timeOf(validFrom) ?? -Infinity, timeOf(embargoUntil) ?? -Infinity)
}

const isOverridden = ({ overrideUntil }: rows.UsageRow, now: number) => (timeOf(overrideUntil) ?? 0) > now

/** Whether the file may be used at this time, anywhere at all. */
export function stateOf(usage: rows.UsageRow, now = Date.now()): 'valid' | 'expired' | 'notYet' | 'overridden' {
  const isExpired = (timeOf(usage.validUntil) ?? Infinity) <= now
  if (!isExpired && beginOf(usage) <= now) return 'valid'
  if (isOverridden(usage, now)) return 'overridden'
  return isExpired ? 'expired' : 'notYet'
}

/** Why the file must not be used now; undefined if it may. */
export function refusalOf({ path, usage, hold }: UsedFile): Reason | undefined {
  if (hold !== null) return holdReason(path, hold)
  const state = usage === null ? 'valid' : stateOf(usage)
  if (state === 'expired') return because('usageExpired', { path, date: usage!.validUntil!.slice(0, 10) })
  if (state === 'notYet')
    return because('usageNotYet', { path, date: new Date(beginOf(usage!)).toISOString().slice(0, 10) })
  return undefined
}

/** Where files are used: the channel, medium and territory of a rendition profile or of an export. */
type PurposeKey = 'channelTid' | 'medium' | 'territory'
export type Purpose = { readonly [K in PurposeKey]?: ProfileSettings[K] | undefined }

/** The same for a purpose; one for each of the files. */
export async function refusalsFor(
  db: Db,
  files: readonly UsedFile[],
  { channelTid, medium, territory }: Purpose,
  profile = '',
): Promise<(Reason | undefined)[]> {
  const refusals = files.map(refusalOf)
  const isFree = ({ usage }: UsedFile) => usage === null || isOverridden(usage, Date.now())
  const channels = files.flatMap((file, i) => (refusals[i] || isFree(file) ? [] : file.usage!.channels))
  const clearing =
    channelTid === undefined || channels.length === 0 ? [] : await rows.findClearing(db, channels, channelTid)
  const covers = (list: readonly string[], wanted: string | undefined, found = [wanted]) =>
    wanted === undefined || list.length === 0 || list.some((one) => found.includes(one))
  return files.map((file, i) => {
    if (refusals[i] || isFree(file)) return refusals[i]
    const { channels, media, territories } = file.usage!
    const isCleared = covers(media, medium) && covers(territories, territory) && covers(channels, channelTid, clearing)
    if (isCleared) return undefined
    const { path } = file
    return profile === '' ? because('usageExport', { path }) : because('usageProfile', { path, profile })
  })
}

export function demandUsable(file: UsedFile): void {
  demandSome([refusalOf(file)])
}

/** Throws if all files are refused. Of a selection the refused ones are left out; of nothing else a zip would be empty. */
export function demandSome([first, ...others]: readonly (Reason | undefined)[]): void {
  if (first && others.every(Boolean)) throw new Problem('forbidden', first)
}

/**
 * Until when a reply with the file may be kept, in seconds since 1970: until the right or an exception ends. The exception
 * may be all that allows the use, such as before the right begins.
 */
export function endOf({ usage }: Pick<UsedFile, 'usage'>): number {
  const ends = [usage?.validUntil ?? null, usage?.overrideUntil ?? null].flatMap((text) => timeOf(text) ?? [])
  return Math.min(...ends.filter((end) => end > Date.now())) / 1000
}

/** The refused ones among new links of assets to channels. */
export async function refusedPlacements(db: Db, links: readonly rows.Placement[]): Promise<Map<string, Problem>> {
  const found = links.length === 0 ? [] : await rows.findPlacements(db, links)
  return new Map(
    found.flatMap(({ fromId, toId, path, channel, isCleared, usage, hold }) => {
      const isBound = usage !== null && usage.channels.length > 0 && !isCleared && !isOverridden(usage, Date.now())
      const refusal =
        refusalOf({ path, usage, hold }) ?? (isBound ? because('usageChannel', { path, channel }) : undefined)
      return refusal ? [[placementKey({ fromId, toId }), new Problem('forbidden', refusal)] as const] : []
    }),
  )
}
export const placementKey = ({ fromId, toId }: rows.Placement) => `${fromId} ${toId}`
