/** The form of a feed as plain texts, and the feed that is made of it. */
import type { feedPlaceKinds } from '@kontor/contract'
import { hasColumns } from '../../object/export-columns.tsx'
import { type ExportFormat, hasPictures, type Layout } from '../../object/export-format.ts'
import { type Purpose, purposeOf } from '../../object/purpose-fields.tsx'
import { type Choice, choiceOf, cronOf } from '../../object/schedule/schedule.ts'
import type { Feed } from './use-feeds.ts'

type PlaceKind = (typeof feedPlaceKinds)[number]
export type PlaceField = Exclude<keyof Feed['place'], 'kind' | 'secrets'>

/** The fields of each kind, in the order of the form. */
export const placeFields: Readonly<Record<PlaceKind, readonly PlaceField[]>> = {
  download: [],
  folder: ['path'],
  s3: ['bucket', 'path', 'accessKey', 'secretKey', 'endpoint', 'region'],
  sftp: ['host', 'port', 'user', 'password', 'privateKey', 'path', 'hostKey'],
  https: ['url', 'method', 'authorization'],
  mail: ['to', 'subject'],
}
export const neededFields: ReadonlySet<PlaceField> = new Set(['bucket', 'accessKey', 'host', 'user', 'url', 'to'])
export const secretFields: ReadonlySet<PlaceField> = new Set(['secretKey', 'password', 'privateKey', 'authorization'])
/** The kinds that an import can read from, and those that only administrators may use. */
export const sourceKinds: ReadonlySet<PlaceKind> = new Set(['folder', 's3', 'sftp'])
export const adminKinds: ReadonlySet<PlaceKind> = new Set(['folder', 'mail'])

export interface Draft extends ExportFormat {
  readonly name: string
  readonly direction: Feed['direction']
  readonly enabled: boolean
  readonly categories: readonly string[]
  readonly search: string | null
  readonly locales: readonly string[]
  readonly pictures: string | null
  readonly inherited: boolean
  readonly purpose: Purpose
  readonly series: string
  readonly fileName: string
  readonly maxShrink: string
  readonly pattern: string
  readonly schedule: Choice
  readonly timeZone: string
  readonly kind: PlaceKind
  readonly place: Readonly<Partial<Record<PlaceField, string>>>
}

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone

export function toDraft(feed: Feed | undefined): Draft {
  const { export: order, import: reading, place, schedule } = feed ?? {}
  const texts = Object.entries(place ?? {}).map(([field, value]) => [field, Array.isArray(value) ? value.join(', ') : String(value)]) // prettier-ignore
  return {
    name: feed?.name ?? '',
    direction: feed?.direction ?? 'export',
    enabled: feed?.enabled ?? true,
    format: order?.format ?? 'csv',
    layout: order?.layout,
    locales: order?.locales ?? [],
    categories: order?.nodePaths ?? [],
    search: order?.storedSearch === undefined ? null : String(order.storedSearch),
    profile: order?.profile ?? reading?.profile ?? null,
    pictures: order?.pictures ?? null,
    inherited: order?.inherited ?? false,
    purpose: purposeOf(order),
    series: order?.series ?? '',
    fileName: feed?.fileName ?? '',
    maxShrink: feed?.maxShrink === undefined ? '' : String(feed.maxShrink),
    pattern: reading?.pattern ?? '',
    schedule: feed ? choiceOf(schedule?.cron) : choiceOf('0 6 * * *'),
    timeZone: schedule?.timeZone ?? (feed ? 'UTC' : localZone),
    kind: place?.kind ?? 'download',
    place: Object.fromEntries(texts),
  }
}

const given = <K extends string>(key: K, value: string | null | undefined) =>
  value === undefined || value === null || value.trim() === ''
    ? {}
    : ({ [key]: value.trim() } as Readonly<Record<K, string>>)

function placeOf({ kind, place }: Draft): Feed['place'] {
  const valueOf = (field: PlaceField, text: string) =>
    field === 'port' ? Number(text) : field === 'to' ? text.split(/[\s,;]+/) : text
  const filled = placeFields[kind].filter((field) => (place[field] ?? '').trim() !== '')
  return { kind, ...Object.fromEntries(filled.map((field) => [field, valueOf(field, place[field]!.trim())])) }
}

/** `stored`: what the form does not show is kept. `written`: the layout, also if the profile gives it. */
export function toFeed(draft: Draft, stored: Feed | undefined, written: Layout): Feed {
  const {
    direction,
    enabled,
    format,
    layout,
    locales,
    categories,
    search,
    profile,
    series,
    fileName,
    maxShrink,
    pattern,
  } = draft
  const cron = cronOf(draft.schedule)
  const shared = {
    direction,
    enabled,
    place: placeOf(draft),
    ...(stored?.description !== undefined && { description: stored.description }),
    ...(cron !== undefined && { schedule: { cron, timeZone: draft.timeZone } }),
    ...(maxShrink !== '' && { maxShrink: Number(maxShrink) }),
  }
  if (direction === 'import') {
    const { profile: _, pattern: __, ...others } = stored?.import ?? {}
    return { ...shared, import: { ...others, ...given('profile', profile), ...given('pattern', pattern) } }
  }
  const { columns, formulas, translation, tids } = stored?.export ?? {}
  return {
    ...shared,
    export: {
      format,
      ...(categories.length > 0 && search === null && { nodePaths: [...categories] }),
      ...(search !== null && { storedSearch: Number(search) }),
      ...(tids && categories.length === 0 && search === null && { tids }),
      ...(columns && { columns }),
      ...(locales.length > 0 && { locales: [...locales] }),
      ...(formulas && { formulas }),
      ...(layout && { layout }),
      ...(translation && written === 'xliff' && { translation }),
      ...given('profile', profile),
      ...given('pictures', hasPictures(format, written) ? draft.pictures : null),
      ...given('series', written === 'plain' ? series : null),
      ...(draft.inherited && written === 'plain' && hasColumns(format) && { inherited: true }),
      ...(written !== 'xliff' && purposeOf(draft.purpose)),
    },
    ...given('fileName', fileName),
  }
}
