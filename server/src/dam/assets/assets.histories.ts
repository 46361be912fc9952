/** Histories of assets, as far as the caller may see them. */
import type { Asset, Infer } from '@kontor/contract'
import { readableOthers, type Targets, toMeta } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { visibleHistory } from '../../values/api.ts'
import type { Rules } from '../attribute-definitions/rules.ts'
import { isReadable, rightsOf } from '../entries.ts'
import * as rows from './assets.sql.ts'

type HistoryValue = NonNullable<NonNullable<Infer<typeof Asset>['histories']>['history']>[number]

/** Loads the histories of assets; the result has that of each, oldest first. */
export async function loadHistories(ctx: Context, targets: Targets, rules: Rules, ids: readonly number[]) {
  const found = await rows.findHistories(ctx.db, ids)
  const mayReadOthers = await readableOthers(ctx, targets, 'asset', found)
  const rightsAt = rightsOf(ctx, 'asset')
  const histories = Map.groupBy(found, ({ objectId }) => objectId)
  return ({ id, path }: Pick<rows.AssetRow, 'id' | 'path'>): HistoryValue[] => {
    const newestFirst = (histories.get(id) ?? []).toReversed()
    const visible = visibleHistory(newestFirst, path, {
      place: 'path',
      mayRead: (place) => isReadable(ctx, 'asset', dirOf(place)),
      rights: rightsAt(dirOf(path)),
      isAttribute: rules.has,
      mayReadOthers,
    })
    return newestFirst.map((row, i) => toHistory({ ...row, changes: visible[i]! })).toReversed()
  }
}

const dirOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** A single changed field is reported by its value before and after, several as two JSON objects. */
function toHistory({ id, action, at, userName, rule, changes }: rows.HistoryRow): HistoryValue {
  const { comment, ...fields } = changes
  const [old, now] = (['from', 'to'] as const).map((side) => sideOf(fields, side))
  const items = {
    action,
    date: at.toISOString(),
    user: userName,
    rule: rule ?? undefined,
    comment: typeof comment === 'string' ? comment : undefined,
    field: Object.keys(fields).join(', ') || undefined,
    oldValue: old,
    newValue: now,
  }
  const present = Object.entries(items).filter((item): item is [string, string] => item[1] !== undefined)
  return { meta: toMeta(Object.fromEntries(present)), id }
}

function sideOf(fields: Readonly<Record<string, unknown>>, side: 'from' | 'to'): string | undefined {
  const values = Object.entries(fields).flatMap(([field, change]): [string, unknown][] => {
    const isChange = typeof change === 'object' && change !== null && ('from' in change || 'to' in change)
    const value = isChange ? (change as Record<string, unknown>)[side] : side === 'to' ? change : undefined
    return value === undefined ? [] : [[field, value]]
  })
  if (values.length === 0) return undefined
  const [first] = values
  if (Object.keys(fields).length > 1) return JSON.stringify(Object.fromEntries(values))
  return typeof first![1] === 'string' ? first![1] : JSON.stringify(first![1])
}
