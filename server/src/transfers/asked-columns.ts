/** The columns that an export was asked for, and the attributes that columns can name. */
import type { Context } from '../core/context.ts'
import { inGroups, readGroups, withMembers } from './groups.ts'
import type { TransferNeeds } from './needs.ts'
import { kindsOf, readDefinitions } from './open.ts'
import { isWritable } from './parts.ts'
import type { TransferRow } from './transfers.sql.ts'

/** As headings; undefined if the columns follow from the values. */
export const askedColumns = ({ options: { request, profile } }: TransferRow): string[] | undefined =>
  request!.columns ?? profile?.columns?.filter(isWritable).map(({ column }) => column)

/** `asked`: with the attributes of groups in their place. */
export async function readColumns(needs: TransferNeeds, ctx: Context, row: TransferRow) {
  const groups = await readGroups(ctx, needs.retrieveGroups)
  const found = await readDefinitions(ctx, needs.retrieveDefinitions)
  const definitions = inGroups(found, groups).map((one) => ({
    ...one,
    localized: one.localized === 'true',
    columns: (one.references?.itm ?? []).flatMap(({ value, key }) => value ?? key ?? []),
  }))
  const byTid = new Map(definitions.map((one) => [one.tid, one]))
  const asked = askedColumns(row)
  return { definitions, byTid, kinds: kindsOf(found), asked: asked && withMembers(asked, groups, byTid) }
}
