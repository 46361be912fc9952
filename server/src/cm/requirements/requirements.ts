/**
 * The locales, attributes and pictures that channels require. A channel without its own has those of the nearest channel above.
 *
 * A change is recorded for the channel and all channels below it, so that the search index reads their places again.
 */
import {
  because,
  type ChannelRequirementChange,
  type ChannelsRequest,
  type cm,
  type Infer,
  schemaVersion,
} from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { findLocales } from '../../common/api.ts'
import { allowsAt, rightsAnywhere, seesDefinition } from '../../core/access/permissions.ts'
import { type Done, inBatch, toRecord } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { once } from '../../core/http/idempotency.ts'
import { replyMeta } from '../../core/http/reply.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { describeDefinitions } from '../../pim/api.ts'
import { findBelow, findChannels, lockOne } from '../channels/channels.sql.ts'
import { checkedPictures, type PictureDemand } from './pictures.ts'
import { replacePictures } from './pictures.sql.ts'
import * as rows from './requirements.sql.ts'

/** The locales and attributes that count in a channel. */
export interface Requirement {
  /** Undefined: all content locales. */
  readonly locales: readonly string[] | undefined
  /** Undefined: the attributes that nodes mark as required. */
  readonly attributes: readonly string[] | undefined
  /** Undefined: none. */
  readonly pictures: readonly PictureDemand[] | undefined
  /** The checks of quality; undefined: the default ones. */
  readonly checks: rows.RequirementRow['checks'] | undefined
}
const none: Requirement = { locales: undefined, attributes: undefined, pictures: undefined, checks: undefined }

/** Resolves the requirement of each channel: its own, or the inherited one. */
export async function requirementsOf(db: Db, ids: readonly number[]): Promise<(id: number) => Requirement> {
  const byChannel = Map.groupBy(await rows.findRequirements(db, ids), ({ id }) => id)
  const resolved = new Map([...byChannel].map(([id, found]) => [id, nearest(found)]))
  return (id) => resolved.get(id) ?? none
}

export const nearest = (found: readonly rows.RequirementRow[]): Requirement => ({
  locales: found.find(({ locales }) => locales)?.locales ?? undefined,
  attributes: found.find(({ attributes }) => attributes)?.attributes ?? undefined,
  pictures: found.find(({ pictures }) => pictures)?.pictures ?? undefined,
  checks: found.find(({ checks }) => checks)?.checks ?? undefined,
})

/** The channels of a request that the caller may read. */
export async function channelsOf({ db, caller }: Context, { tids, ids }: Infer<typeof ChannelsRequest>) {
  if (!tids && !ids) throw new Problem('invalid', '/channelsRequest: names no channel; send tids or ids')
  const channels = await findChannels(db, tids ? { tids } : { ids: ids! }, caller)
  if (channels.length === 0) throw new Problem('notFound', 'none of these channels exists')
  return channels
}

export const isVisible = ({ caller }: Context, attr: string) => seesDefinition(caller.permissions, 'product', attr)
const isVisibleLocale = ({ caller }: Context, locale: string) =>
  ['product', 'peo'].some((kind) => rightsAnywhere(caller.permissions, kind).locale(locale).visible)

export const retrieveRequirements: RouteHandler<typeof cm.routes.retrieveRequirements> = async (ctx, { body }) => {
  const channels = await channelsOf(ctx, body)
  const found = await rows.findRequirements(ctx.db, channels.map(({ id }) => id)) // prettier-ignore
  const byChannel = Map.groupBy(found, ({ id }) => id)
  const seen = (attributes: readonly string[]) => attributes.filter((attr) => isVisible(ctx, attr))
  const spoken = (locales: readonly string[]) => locales.filter((locale) => isVisibleLocale(ctx, locale))
  return {
    channels: channels.map(({ id, tid }) => {
      const all = byChannel.get(id) ?? []
      const own = nearest(all.filter(({ steps }) => steps === 0))
      const inherited = nearest(all.filter(({ steps }) => steps > 0))
      return {
        id,
        tid,
        ...(own.locales && { locales: spoken(own.locales) }),
        ...(own.attributes && { attributes: seen(own.attributes) }),
        ...(inherited.locales && { inheritedLocales: spoken(inherited.locales) }),
        ...(inherited.attributes && { inheritedAttributes: seen(inherited.attributes) }),
        ...(own.pictures && { pictures: own.pictures.map(toPicture) }),
        ...(inherited.pictures && { inheritedPictures: inherited.pictures.map(toPicture) }),
      }
    }),
  }
}

const toPicture = ({ role, count }: PictureDemand) => ({ ...(role !== '' && { role }), count })

export const persistRequirement: RouteHandler<typeof cm.routes.persistRequirement> = async (
  { config },
  { body, caller, idempotency, services },
) => {
  const response = await inBatch(services, caller, (ctx) =>
    once(ctx, idempotency, async () => [toRecord('project', 'persist', body, await store(ctx, body))]),
  )
  return { schemaVersion, meta: replyMeta(config), responses: { response } }
}

/** Locks a channel that the caller may change, by its tid. */
export async function lockChannel({ db, caller }: Context, wanted: string) {
  const [channel] = await findChannels(db, { tids: [wanted] }, caller)
  if (!channel) throw new Problem('notFound', `no project has the tid ${wanted}`)
  const { id, tid, path } = channel
  if (!allowsAt(caller.permissions, 'update', 'project', path))
    throw new Problem('unauthorized', because('mayNotChannel', { action: 'update', path }))
  await lockOne(db, id)
  return { id, tid }
}

/** Records a change of the channel for it and all channels below it, which may inherit from it. */
export async function recordBelow(
  ctx: Context,
  id: number,
  action: string,
  changes: Readonly<Record<string, unknown>>,
) {
  const below = await findBelow(ctx.db, [id], 'descendants', reader)
  for (const one of [id, ...below.map((row) => row.id)])
    ctx.record({ dataType: 'project', id: one, event: 'UPDATE', action, changes })
}

async function store(ctx: Context, change: Infer<typeof ChannelRequirementChange>): Promise<Done> {
  const { db, caller } = ctx
  const { id, tid } = await lockChannel(ctx, change.tid)
  const before = nearest((await rows.findRequirements(db, [id])).filter(({ steps }) => steps === 0))
  const locales = await checkedLocales(ctx, change.locales ?? [], before.locales ?? [])
  const attributes = await checkedAttributes(ctx, change.attributes ?? [], before.attributes ?? [])
  if (locales.length + attributes.length === 0) await rows.deleteRequirement(db, id)
  else
    await rows.upsertRequirement(
      db,
      id,
      { locales: locales.length > 0 ? locales : null, attributes: attributes.length > 0 ? attributes : null },
      caller.userName,
    )
  const pictures = checkedPictures(change.pictures ?? [])
  await replacePictures(db, id, pictures)
  await recordBelow(ctx, id, 'requirement', { requirement: { locales, attributes, pictures } })
  return { action: 'update', id, tid }
}

/** The channels below inherit, also those that the caller may not read. */
const reader = { userId: '', userName: 'kontor', roles: new Set<string>(), permissions: [{ kind: 'project', actions: ['read'] }] } // prettier-ignore

/** Locales and attributes that the caller may not see are kept, because they could not send them. */
async function checkedLocales(ctx: Context, sent: readonly string[], before: readonly string[]): Promise<string[]> {
  const known = new Set((await findLocales.CONTENT(ctx.db)).map(({ tid }) => tid).filter((tid) => isVisibleLocale(ctx, tid))) // prettier-ignore
  const unknown = sent.find((locale) => !known.has(locale))
  if (unknown !== undefined)
    throw new Problem('invalid', `/channelRequirementChange/locales: ${unknown.slice(0, 50)} is not a content locale`)
  return [...new Set([...sent, ...before.filter((locale) => !isVisibleLocale(ctx, locale))])]
}

async function checkedAttributes(ctx: Context, sent: readonly string[], before: readonly string[]): Promise<string[]> {
  const known = sent.length === 0 ? [] : await describeDefinitions(ctx.db, [], sent)
  const names = new Set(known.map(({ tid }) => tid).filter((tid) => isVisible(ctx, tid)))
  const unknown = sent.find((attr) => !names.has(attr))
  if (unknown !== undefined)
    throw new Problem(
      'invalid',
      `/channelRequirementChange/attributes: no attribute has the tid ${unknown.slice(0, 100)}`,
    )
  return [...new Set([...sent, ...before.filter((attr) => !isVisible(ctx, attr))])]
}
