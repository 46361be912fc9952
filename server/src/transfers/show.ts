/** Finds a transfer for a caller, and shows it. */
import type { Infer, Transfer } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import type { Caller } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { givenEncoding, givenLayout, type TransferOptions } from './options.ts'
import * as rows from './transfers.sql.ts'

/** The caller's own transfers; administrators see all. */
export async function find(db: Db, caller: Caller, id: string, direction?: 'import'): Promise<rows.TransferRow> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  const row = isId ? await rows.findTransfer(db, id) : undefined
  const isVisible = row && (row.userName === caller.userName || caller.roles.has('admin'))
  if (!isVisible || (direction && row.direction !== direction))
    throw new Problem('notFound', `no ${direction ?? 'transfer'} has the id ${id.slice(0, 100)}`)
  return row
}

/** Lists have no profiles, which can be large. */
export const showWhole = (row: rows.TransferRow): Infer<typeof Transfer> => ({
  ...show(row),
  ...(row.direction === 'import' && row.options.profile && { profile: row.options.profile }),
})

export function show(row: rows.TransferRow): Infer<typeof Transfer> {
  const {
    options,
    principal: _principal,
    rights: _rights,
    dry: _dry,
    userName,
    state,
    problem,
    objects,
    createdAt,
    endedAt,
    ...same
  } = row
  return {
    ...same,
    state: state as Exclude<rows.State, 'receiving'>,
    user: userName,
    ...encodingOf(options),
    ...layoutOf(options),
    ...(options.createModel && { createModel: true }),
    ...(problem !== null && { problem }),
    ...(objects && { objects }),
    ...(options.notes && { notes: [...options.notes] }),
    ...(options.request?.series !== undefined && { series: options.request.series }),
    createdAt: createdAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  }
}

function encodingOf(options: TransferOptions) {
  const encoding = options.encoding ?? givenEncoding(options)
  return encoding && { encoding }
}

/** Plain files, which most are, do not show it. */
function layoutOf(options: TransferOptions) {
  const layout = givenLayout(options) ?? options.layout
  return layout === undefined || layout === 'plain' ? {} : { layout }
}
