/**
 * The checks of quality that count in channels. A channel without its own has those of the nearest channel above, otherwise
 * the default ones. A change is recorded for all channels below, so that the search index reads their places again.
 */
import { type ChannelQualityChange, type cm, type Infer, schemaVersion } from '@kontor/contract'
import { type Done, inBatch, toRecord } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { once } from '../../core/http/idempotency.ts'
import { replyMeta } from '../../core/http/reply.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { describeDefinitions } from '../../pim/api.ts'
import { channelsOf, isVisible, lockChannel, nearest, recordBelow } from '../requirements/requirements.ts'
import { findRequirements } from '../requirements/requirements.sql.ts'
import { defaultSettings, type Setting } from './checks.ts'
import * as rows from './settings.sql.ts'

const mostChecks = 200
const mostCharacters = 1_000_000

const isHidden = (ctx: Context, { attr }: Setting) => attr !== undefined && !isVisible(ctx, attr)

export const retrieveChannelQuality: RouteHandler<typeof cm.routes.retrieveChannelQuality> = async (ctx, { body }) => {
  const channels = await channelsOf(ctx, body)
  const found = await findRequirements(ctx.db, channels.map(({ id }) => id)) // prettier-ignore
  const byChannel = Map.groupBy(found, ({ id }) => id)
  const seen = (checks: readonly Setting[]) => checks.filter((one) => !isHidden(ctx, one))
  return {
    channels: channels.map(({ id, tid }) => {
      const all = byChannel.get(id) ?? []
      const own = nearest(all.filter(({ steps }) => steps === 0)).checks
      const inherited = nearest(all.filter(({ steps }) => steps > 0)).checks ?? defaultSettings
      return { id, tid, ...(own && { checks: seen(own) }), inheritedChecks: seen(inherited) }
    }),
  }
}

export const persistChannelQuality: RouteHandler<typeof cm.routes.persistChannelQuality> = async (
  { config },
  { body, caller, idempotency, services },
) => {
  const response = await inBatch(services, caller, (ctx) =>
    once(ctx, idempotency, async () => [toRecord('project', 'persist', body, await store(ctx, body))]),
  )
  return { schemaVersion, meta: replyMeta(config), responses: { response } }
}

async function store(ctx: Context, change: Infer<typeof ChannelQualityChange>): Promise<Done> {
  const { id, tid } = await lockChannel(ctx, change.tid)
  const before = nearest((await findRequirements(ctx.db, [id])).filter(({ steps }) => steps === 0)).checks ?? []
  const sent = await checked(ctx, change.checks ?? [])
  // Limits of attributes that the caller may not see are kept, because they could not send them.
  const checks = [...sent, ...before.filter((one) => isHidden(ctx, one))]
  if (checks.length > mostChecks)
    throw new Problem('invalid', `/channelQualityChange/checks: at most ${mostChecks} checks are possible`)
  if (checks.length === 0) await rows.deleteChecks(ctx.db, id)
  else await rows.upsertChecks(ctx.db, id, checks, ctx.caller.userName)
  await recordBelow(ctx, id, 'quality', { quality: { checks } })
  return { action: 'update', id, tid }
}

/** The parameters that each check takes besides its weight. */
const parameters: Readonly<Record<Setting['check'], readonly (keyof Setting)[]>> = {
  length: ['attr', 'min', 'max'],
  forbiddenWords: [],
  identicalTexts: ['min'],
  staleTranslation: [],
  mainPicture: ['role'],
  duplicateIdentifier: [],
  similarName: [],
}

async function checked(ctx: Context, sent: readonly Setting[]): Promise<Setting[]> {
  const attributes = sent.flatMap(({ attr }) => attr ?? [])
  const known = attributes.length === 0 ? [] : await describeDefinitions(ctx.db, [], attributes)
  const names = new Set(known.map(({ tid }) => tid).filter((attr) => isVisible(ctx, attr)))
  const texts = new Set((await rows.findTexts(ctx.db, attributes)).map(({ tid }) => tid))
  const found = new Set<string>()
  return sent.map((setting, i) => {
    const { check, weight = 1, ...rest } = setting
    const refuse = (what: string): never => {
      throw new Problem('invalid', `/channelQualityChange/checks[${i + 1}]${what}`)
    }
    const surplus = (Object.keys(rest) as (keyof typeof rest)[]).find((name) => !parameters[check].includes(name))
    if (surplus) refuse(`/${surplus}: the check ${check} does not take it; remove it`)
    if (weight < 1 || weight > 10) refuse(`/weight: ${weight} is out of range; expected 1 to 10`)
    const { attr, min, max } = rest
    if (check === 'length') {
      if (attr === undefined || !names.has(attr))
        refuse(`/attr: no attribute has the tid ${(attr ?? '').slice(0, 100)}`)
      if (!texts.has(attr!)) refuse(`/attr: ${attr} is not a text; only texts have a length`)
      if (min === undefined && max === undefined) refuse(': a length needs min or max')
    }
    for (const [name, value = 0] of Object.entries({ min, max }))
      if (value < 0 || value > mostCharacters) refuse(`/${name}: expected 0 to ${mostCharacters}`)
    if (max !== undefined && max < Math.max(1, min ?? 0)) refuse(`/max: ${max} is less than min, or less than 1`)
    const key = `${check} ${attr ?? ''}`
    if (found.has(key)) refuse(`: the check ${key.trim()} occurs twice; remove one`)
    found.add(key)
    return { check, weight, ...rest }
  })
}
