/**
 * The readiness of channels on past days. It cannot be computed afterwards, so a job records it once a day for every channel.
 *
 * The numbers count all products and attributes. They are returned only to callers who may read all of them, because
 * others could derive from them how many products they may not read.
 */
import type { cm } from '@kontor/contract'
import type { Database } from '../../adapters/postgres/db.ts'
import { checkLocale, findLocales } from '../../common/api.ts'
import { filterOf, type Permissions, rightsAnywhere } from '../../core/access/permissions.ts'
import type { Caller } from '../../core/context.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { lackingIn, percentOf, type ProductViews } from '../../pim/api.ts'
import { channelsOf } from '../requirements/requirements.ts'
import * as rows from './history.sql.ts'
import { ofChannels, type Subject } from './subjects.ts'

const keptDays = 400
/** Channels are judged in parts, so that the values of all products are not in memory at once. */
const partSize = 20

const reader: Caller = {
  userId: '',
  userName: 'kontor',
  roles: new Set(),
  permissions: [{ kind: '*', actions: ['read'] }],
}

/** Records today for the channels that have no record yet, and deletes old days. */
export async function recordReadiness(db: Database, products: ProductViews): Promise<void> {
  await rows.deleteOldDays(db, keptDays)
  const ids = (await rows.findUnrecorded(db)).map(({ id }) => id)
  const locales = (await findLocales.CONTENT(db)).map(({ tid }) => tid)
  for (let from = 0; from < ids.length; from += partSize) {
    const subjects = await ofChannels({ db, caller: reader }, products, { ids: ids.slice(from, from + partSize) })
    const days = subjects.flatMap((subject) =>
      locales.filter((locale) => subject.counts(locale)).map((locale) => dayOf(subject, locale)),
    )
    await rows.insertDays(db, days)
  }
}

function dayOf({ id, judged }: Subject, locale: string): rows.DayRow {
  const counted = judged.filter(({ locales }) => locales?.has(locale) ?? true)
  return {
    projectId: id,
    locale,
    required: counted.reduce((sum, one) => sum + one.required, 0),
    missing: counted.reduce((sum, one) => sum + lackingIn(one, locale).length, 0),
  }
}

/** The grants that each show all objects of the kind with all their attributes. */
const openTo = (permissions: Permissions, kind: string) =>
  permissions.filter((grant) => filterOf([grant], kind).any.some(({ paths, attributes }) => !paths && !attributes))

export const retrieveReadinessHistory: RouteHandler<typeof cm.routes.retrieveReadinessHistory> = async (
  ctx,
  { body },
) => {
  const { count = 90, locales } = body
  if (count < 1 || count > keptDays)
    throw new Problem('invalid', `/readinessHistoryRequest/count: ${count} is out of range; expected 1 to ${keptDays}`)
  for (const locale of locales ?? []) checkLocale('/readinessHistoryRequest/locales', locale)
  const channels = await channelsOf(ctx, body)
  const { permissions } = ctx.caller
  const kinds = ['product', 'peo', 'project', ...((await rows.anyPicture(ctx.db)) ? ['asset'] : [])]
  if (kinds.some((kind) => openTo(permissions, kind).length === 0)) return { isRestricted: true, channels: [] }
  const asked = locales ?? (await findLocales.CONTENT(ctx.db)).map(({ tid }) => tid)
  // A number counts values of products and of extension objects, so one open grant for each must show the locale.
  const counted = ['product', 'peo'].map((kind) => rightsAnywhere(openTo(permissions, kind), kind))
  const visible = asked.filter((tid) => counted.every(({ locale }) => locale(tid).visible))
  const ids = channels.map(({ id }) => id)
  const byChannel = Map.groupBy(await rows.findDays(ctx.db, ids, visible, count), ({ projectId }) => projectId)
  return {
    isRestricted: false,
    channels: channels.map(({ id, tid }) => ({
      id,
      tid,
      days: (byChannel.get(id) ?? []).map(({ day, locale, required, missing }) => ({
        day,
        locale,
        required,
        missing,
        ...(required > 0 && { percent: percentOf(required, missing) }),
      })),
    })),
  }
}
