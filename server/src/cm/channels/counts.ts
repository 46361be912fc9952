/** The number of products in channels. */
import type { cm } from '@kontor/contract'
import type { RouteHandler } from '../../core/http/routes.ts'
import { channelsOf } from '../requirements/requirements.ts'
import * as rows from './counts.sql.ts'

export const countProducts: RouteHandler<typeof cm.routes.countProducts> = async (ctx, { body }) => {
  const channels = await channelsOf(ctx, body)
  const counts = new Map(
    (await rows.countProducts(ctx.db, channels.map(({ id }) => id), ctx.caller)).map((row) => [row.id, row]), // prettier-ignore
  )
  return {
    channels: channels.map(({ id, tid }) => {
      const { own = 0, total = 0 } = counts.get(id) ?? {}
      return { id, tid, own, total }
    }),
  }
}
