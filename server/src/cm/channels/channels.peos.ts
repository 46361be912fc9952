/**
 * The product extension objects of channels, as a list and as a hierarchy.
 *
 * In the hierarchy the object of an article or variation is a child of the object of its product, if the channel has
 * one. Both follow the order in which the objects were added to the channel.
 */
import type { Context } from '../../core/context.ts'
import { allowsAt } from '../../core/access/permissions.ts'
import { findPlaced, identityOf, type PlacedPeo } from '../../peo/api.ts'
import type { ChannelMessage } from './channels.persist.ts'

type PeoMessage = NonNullable<NonNullable<ChannelMessage['peos']>['peo']>[number]

/** One statement for all channels. Channels whose objects the caller may not read are left out. */
export async function loadPeos(
  { db, caller }: Context,
  page: readonly { readonly id: number; readonly path: string }[],
  withHierarchy: boolean,
) {
  const open = page.filter(({ path }) => allowsAt(caller.permissions, 'read', 'peo', path))
  const placed = Map.groupBy(
    await findPlaced(
      db,
      open.map(({ id }) => id),
      caller,
    ),
    ({ projectId }) => projectId,
  )
  return (id: number): Pick<ChannelMessage, 'peos' | 'peoHierarchy'> => {
    const rows = placed.get(id)
    if (!rows) return {}
    return { peos: { peo: rows.map(toPeo) }, ...(withHierarchy && { peoHierarchy: { peo: nested(rows) } }) }
  }
}

const toPeo = (row: PlacedPeo): PeoMessage => ({ name: row.name, ...identityOf(row) })

function nested(rows: readonly PlacedPeo[]): PeoMessage[] {
  const ofProduct = new Map(rows.toReversed().map((row) => [row.productId, row.id]))
  const messages = new Map(rows.map((row) => [row.id, toPeo(row)]))
  const tops: PeoMessage[] = []
  for (const { id, aboveIds } of rows) {
    const aboveId = aboveIds.find((above) => ofProduct.has(above))
    const above = aboveId === undefined ? undefined : messages.get(ofProduct.get(aboveId)!)
    if (!above) tops.push(messages.get(id)!)
    else ((above.peos ??= {}).peo ??= []).push(messages.get(id)!)
  }
  return tops
}
