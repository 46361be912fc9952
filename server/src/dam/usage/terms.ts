/** Usage rights in messages of assets. Sent rights replace the stored ones; an empty element removes them. */
import { type Infer, usageMedia, type UsageRights } from '@kontor/contract'
import { mayAct, type Targets } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { readDate } from '../../core/dates.ts'
import { type Purpose, stateOf } from './usage.ts'
import type { UsageRow, UsageTerms } from './usage.sql.ts'

export type SentUsage = Infer<typeof UsageRights>

const [maxText, maxItems] = [1000, 500]
const refuse = (message: string) => new Problem('invalid', `usageRights/${message}`)

/** The tids of channels, among these, that the caller may read. */
export async function readableChannels(
  { db, caller }: Context,
  targets: Targets,
  tids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (tids.length === 0) return new Set()
  const found = (await targets.get('project')?.describe(db, [], [...new Set(tids)])) ?? []
  return new Set(found.filter((row) => mayAct(caller, 'read', 'project', row)).map(({ tid }) => tid))
}

/** Throws if the caller may not read the channel, because what is left out would say which files are cleared for it. */
export async function demandPurpose(ctx: Context, targets: Targets, { channelTid: tid }: Purpose): Promise<void> {
  if (tid !== undefined && !(await readableChannels(ctx, targets, [tid])).has(tid))
    throw new Problem('invalid', `channelTid: no project has the tid ${tid.slice(0, 255)}`)
}

/**
 * The terms that a message asks for; null to remove them. Stored channels that the caller may not see are kept, so that
 * nobody widens a right unknowingly.
 */
export function toTerms(sent: SentUsage, before: UsageRow | null, readable: ReadonlySet<string>): UsageTerms | null {
  const hidden = (before?.channels ?? []).filter((tid) => !readable.has(tid))
  const unknown = sent.channels?.find((tid) => !readable.has(tid))
  if (unknown !== undefined) throw refuse(`channels: no project has the tid ${unknown.slice(0, 255)}`)
  const terms: UsageTerms = {
    licence: textOf('licence', sent.licence),
    holder: textOf('holder', sent.holder),
    creditLine: textOf('creditLine', sent.creditLine),
    releases: listOf('releases', sent.releases),
    territories: listOf('territories', sent.territories, /^[A-Z]{2}$/, 'a country such as DE'),
    channels: listOf('channels', [...(sent.channels ?? []), ...hidden]),
    media: listOf('media', sent.media, new RegExp(`^(${usageMedia.join('|')})$`), `one of ${usageMedia.join(', ')}`),
    validFrom: dateOf('validFrom', sent.validFrom),
    validUntil: dateOf('validUntil', sent.validUntil),
    embargoUntil: dateOf('embargoUntil', sent.embargoUntil),
  }
  const { validFrom, validUntil } = terms
  if (validFrom !== null && validUntil !== null && Date.parse(validFrom) > Date.parse(validUntil))
    throw refuse(`validUntil: ${validUntil} is before validFrom ${validFrom}; exchange them or correct one`)
  const isEmpty = Object.values(terms).every((value) => value === null || (Array.isArray(value) && value.length === 0))
  return isEmpty ? null : terms
}

function textOf(field: string, text: string | undefined): string | null {
  if (text === undefined || text.trim() === '') return null
  if (text.length > maxText) throw refuse(`${field}: ${text.length} characters; at most ${maxText} are allowed`)
  return text
}

function listOf(field: string, list: readonly string[] = [], pattern = /^/, expected = ''): string[] {
  if (list.length > maxItems) throw refuse(`${field}: ${list.length} entries; at most ${maxItems} are allowed`)
  const wrong = list.find((one) => one.trim() === '' || one.length > 255 || !pattern.test(one))
  if (wrong !== undefined)
    throw refuse(`${field}: expected ${expected || 'a text of 1 to 255 characters'}, found ${wrong.slice(0, 50)}`)
  return [...new Set(list)]
}

function dateOf(field: string, text: string | undefined): string | null {
  if (text === undefined) return null
  // Messages have been validated, but values of changes of many files arrive as they were typed.
  const date = readDate(text)
  if (date === undefined || date.startsWith('0000'))
    throw refuse(`${field}: expected a date such as 2026-12-31 or 2026-12-31T18:00:00.000Z, found ${text.slice(0, 50)}`)
  return date
}

/** As the caller may see them. */
export function toUsage(usage: UsageRow, readable: ReadonlySet<string>): SentUsage {
  const { releases, territories, channels, media, ...rest } = usage
  const lists = { releases, territories, channels: channels.filter((tid) => readable.has(tid)), media }
  const given = [...Object.entries(rest), ...Object.entries(lists).filter(([, list]) => list.length > 0)]
  const hidden = channels.length - lists.channels.length
  return {
    ...(Object.fromEntries(given.filter(([, value]) => value !== null)) as SentUsage),
    ...(hidden > 0 && { hiddenChannels: hidden }),
    state: stateOf(usage),
  }
}

/** For the history: without the names of channels, which not everybody may read. */
export const toChange = (terms: UsageTerms | null) =>
  terms === null
    ? null
    : Object.fromEntries(
        Object.entries({ ...terms, channels: terms.channels.length || null }).filter(
          ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
        ),
      )
