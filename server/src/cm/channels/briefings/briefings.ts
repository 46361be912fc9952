/**
 * Briefings of channels: layouts with boxes, their positions and sizes.
 *
 * A channel has one per briefing configuration and locale; one without a locale is the fallback for other locales. The
 * reply of a retrieve is a separate document: XML without the namespace of messages, or the equivalent JSON.
 */
import {
  because,
  type ChannelBriefing,
  type ChannelBriefingRequest,
  cm as contract,
  encode,
  type Format,
  formats,
  type Infer,
  namespace,
  PatchBriefing,
  schemaVersion,
} from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import { checkLocale } from '../../../common/api.ts'
import { type Done, inBatch, type Services, toRecord } from '../../../core/batch/batch.ts'
import type { Context } from '../../../core/context.ts'
import { once } from '../../../core/http/idempotency.ts'
import { nameOf, type Named } from '../../../core/batch/identify.ts'
import { newIds } from '../../../core/batch/ids.sql.ts'
import { allowsAt, rightsAt } from '../../../core/access/permissions.ts'
import { replyMeta } from '../../../core/http/reply.ts'
import type { RouteHandler } from '../../../core/http/routes.ts'
import { mountStreams } from '../../../core/http/streaming.ts'
import { Problem } from '../../../errors.ts'
import { findChannels, lockTargets } from '../channels.sql.ts'
import * as rows from './briefings.sql.ts'

type Request = Infer<typeof ChannelBriefingRequest>
type Sent = Infer<typeof ChannelBriefing>

// Reading

export function mountBriefings(app: FastifyInstance, services: Services): void {
  mountStreams(app, services, contract, {
    async retrieveBriefing(call) {
      const briefing = await retrieveBriefing(call.context(), await call.readBody())
      return call.reply.type(call.format.contentType).send(write(call.format, briefing))
    },
  })
}

const write = (format: Format, briefing: Infer<typeof PatchBriefing>) =>
  format === formats.xml
    ? encode(format, PatchBriefing, briefing).replace(` xmlns="${namespace}"`, '')
    : encode(format, PatchBriefing, briefing)

async function retrieveBriefing(ctx: Context, request: Request): Promise<Infer<typeof PatchBriefing>> {
  const { tids = [], ids = [], briefingInfo = {} } = request
  if (tids.length + ids.length !== 1) {
    const count = tids.length + ids.length
    throw new Problem('invalid', `/channelBriefingRequest: names ${count} channels; send exactly one tid or id`)
  }
  const channel = await findChannel(ctx, tids.length === 1 ? { tid: tids[0]! } : { id: ids[0]! })
  const briefing = choose(await visibleOf(ctx, channel), briefingInfo)
  if (!briefing) throw new Problem('notFound', `the project ${channel.tid} has no such briefing`)
  return { layout: briefing.layouts.map((layout) => ({ seitenbriefing: '', ...layout })) }
}

/** The briefings of a channel that the caller may see. */
async function visibleOf({ db, caller }: Context, { id, path }: { readonly id: number; readonly path: string }) {
  const { locale } = rightsAt(caller.permissions, 'project', [path])
  return (await rows.findBriefings(db, id)).filter((one) => one.locale === '' || locale(one.locale).visible)
}

export const listBriefings: RouteHandler<typeof contract.routes.listBriefings> = async (ctx, { body }) => {
  const { tids = [], ids = [] } = body
  if (tids.length + ids.length !== 1)
    throw new Problem('invalid', '/channelsRequest: names several channels or none; send exactly one tid or id')
  const channel = await findChannel(ctx, tids.length === 1 ? { tid: tids[0]! } : { id: ids[0]! })
  return {
    briefings: (await visibleOf(ctx, channel)).map(({ configTid, locale, layouts, modifiedAt, modifiedBy }) => ({
      ...(configTid !== '' && { briefingModuleCfgTid: configTid }),
      ...(locale !== '' && { locale }),
      modifiedAt: modifiedAt.toISOString(),
      modifiedBy,
      layout: [...layouts],
    })),
  }
}

async function findChannel({ db, caller }: Context, named: Named) {
  const by = named.tid === undefined ? { ids: [named.id!] } : { tids: [named.tid] }
  const [channel] = await findChannels(db, by, caller)
  if (!channel) throw new Problem('notFound', `no project has the ${nameOf(named)}`)
  return channel
}

/** The requested configuration, or the only one; in the locale, or without one. */
function choose(
  briefings: readonly rows.BriefingRow[],
  { briefingModuleCfgTid, locale = '' }: Request['briefingInfo'] = {},
) {
  const configs = new Set(briefings.map(({ configTid }) => configTid))
  if (briefingModuleCfgTid === undefined && configs.size > 1) {
    const known = [...configs].join(', ')
    throw new Problem('invalid', `/channelBriefingRequest/briefingInfo/briefingModuleCfgTid: choose one of ${known}`)
  }
  const wanted = briefingModuleCfgTid ?? [...configs][0]
  const fitting = briefings.filter(({ configTid }) => configTid === wanted)
  return fitting.find((one) => one.locale === locale) ?? fitting.find((one) => one.locale === '')
}

// Writing

export const persistBriefing: RouteHandler<typeof contract.routes.persistBriefing> = async (
  { config },
  { body, caller, idempotency, services },
) => {
  const response = await inBatch(services, caller, (ctx) =>
    once(ctx, idempotency, async () => [toRecord('project', 'persist', body, await store(ctx, body))]),
  )
  return { schemaVersion, meta: replyMeta(config), responses: { response } }
}

async function store(ctx: Context, { tid, id, briefingInfo = {}, layout = [] }: Sent): Promise<Done> {
  if (tid === undefined && id === undefined)
    throw new Problem('invalid', '/channelBriefing: names no channel; send tid or id')
  const channel = await findChannel(ctx, tid === undefined ? { id: id! } : { tid })
  if (!allowsAt(ctx.caller.permissions, 'update', 'project', channel.path))
    throw new Problem('unauthorized', because('mayNotChannel', { action: 'update', path: channel.path }))
  await lockTargets(ctx.db, [channel.id], [])
  const configTid = briefingInfo.briefingModuleCfgTid ?? ''
  const locale = briefingInfo.locale === undefined ? '' : checkLocale('briefingInfo/locale', briefingInfo.locale)
  if (locale !== '' && !rightsAt(ctx.caller.permissions, 'project', [channel.path]).locale(locale).editable)
    throw new Problem('unauthorized', because('textsReadOnly', { locale }))
  const briefing = { configTid, locale, layouts: await numbered(ctx, layout) }
  const action = layout.length === 0 ? await remove(ctx, channel.id, briefing) : await put(ctx, channel.id, briefing)
  const changes = { briefing: { configTid, locale, layouts: layout.length } }
  ctx.record({ dataType: 'project', id: channel.id, event: 'UPDATE', action: 'briefing', changes })
  return { action, id: channel.id, tid: channel.tid }
}

async function put({ db, caller }: Context, id: number, briefing: rows.BriefingRow): Promise<string> {
  return (await rows.upsertBriefing(db, id, briefing, caller.userName))!.isNew ? 'create' : 'update'
}

async function remove({ db }: Context, id: number, { configTid, locale }: rows.BriefingRow): Promise<string> {
  if ((await rows.deleteBriefing(db, id, configTid, locale)) === 0)
    throw new Problem('notFound', 'there is no such briefing to delete; send layouts to create one')
  return 'delete'
}

/** Assigns ids to layouts and boxes without one. */
async function numbered({ db }: Context, layouts: readonly rows.LayoutMessage[]): Promise<rows.LayoutMessage[]> {
  const ids = await newIds(
    db,
    layouts.reduce((count, { boxes }) => count + 1 + (boxes?.box?.length ?? 0), 0),
  )
  const idOf = (id: string | undefined) => id ?? String(ids.shift())
  return layouts.map((layout, i) => {
    checkMeasures(`/channelBriefing/layout[${i}]`, layout)
    const box = layout.boxes?.box?.map((one, j) => {
      checkMeasures(`/channelBriefing/layout[${i}]/boxes/box[${j}]`, one)
      return { ...one, id: idOf(one.id) }
    })
    return { ...layout, ...(box && { boxes: { box } }), id: idOf(layout.id), name: layout.name ?? '' }
  })
}

/** Measures that must be numbers; those of the content may be percentages. */
const numbers = /^(dummy_)?(width|height|xpos|ypos|zpos|rotate_angle)$/

function checkMeasures(where: string, { attribute = [] }: Pick<rows.LayoutMessage, 'attribute'>): void {
  for (const { identifier, value = '' } of attribute) {
    if (identifier === undefined) throw new Problem('invalid', `${where}/attribute: the identifier is missing`)
    if (numbers.test(identifier) && !/^-?\d+(\.\d+)?$/.test(value))
      throw new Problem('invalid', `${where}/attribute ${identifier}: "${value}" is not a number such as 5000.0`)
  }
}
