/**
 * Channel types: the list of them, and the administrators' /cm/admin/channel-types.
 *
 * Stored values must stay valid: an attribute that channels have values of is not removed, and no change of its
 * definition may break them.
 */
import { type cm, type Infer, type ProjectDefinition, schemaVersion } from '@kontor/contract'
import { mergeMeta, toMeta } from '../../../common/api.ts'
import { rightsAnywhere } from '../../../core/access/permissions.ts'
import { visibleTexts } from '../../../core/access/texts.ts'
import type { Caller, Context } from '../../../core/context.ts'
import type { Handlers } from '../../../core/batch/handlers.ts'
import { newIds } from '../../../core/batch/ids.sql.ts'
import { replyMeta } from '../../../core/http/reply.ts'
import type { RouteHandler } from '../../../core/http/routes.ts'
import { upsert, type UpsertRules } from '../../../core/batch/upsert.ts'
import { storable } from '../../../core/storable.ts'
import { Problem } from '../../../errors.ts'
import {
  breakingChanges,
  contentOf,
  definitionView,
  type DefinitionRow,
  loadLocales,
  holdUnits,
  newTid,
  toDefinition,
  toItems,
  toNames,
} from '../../../values/api.ts'
import * as rows from './types.sql.ts'

type TypeMessage = Infer<typeof ProjectDefinition>

export const listChannelTypes: RouteHandler<typeof cm.routes.listChannelTypes> = async ({ db, config, caller }) => ({
  schemaVersion,
  meta: replyMeta(config, { itemInformationType: 'projectTypes' }),
  projectDefs: { projectDef: (await rows.findTypes(db)).map((row) => toMessage(caller, row)) },
})

const toMessage = ({ permissions }: Caller, { id, tid, name, attrDefs, config, meta }: rows.TypeRow): TypeMessage => ({
  name: visibleTexts(permissions, 'project')({ itm: toItems(name) }),
  meta: toMeta({ id: String(id) }, meta, rightsAnywhere(permissions, 'project')),
  attrDefs: { attrDef: definitionView(permissions, 'project').toMessages(attrDefs.map(toDefinition)) },
  config,
  tid,
})

export const typeAdmin: Handlers<(typeof cm.resources)['admin/channel-types']> = {
  async persist(ctx, objects) {
    const unitsOf = await holdUnits(ctx.db)
    await rows.lockTypes(ctx.db)
    return upsert(ctx, await rulesFor(ctx, objects, unitsOf), objects)
  },
}

async function rulesFor(
  { db, caller }: Context,
  objects: readonly TypeMessage[],
  unitsOf: Awaited<ReturnType<typeof holdUnits>>,
): Promise<UpsertRules<TypeMessage, rows.TypeRow>> {
  const known = await rows.findTypes(db)
  const lookups = { localeOf: await loadLocales(db), unitsOf }
  const sent = objects.flatMap(({ attrDefs }) => attrDefs?.attrDef ?? [])
  const ids = await newIds(db, sent.length)
  const uses = await rows.countValues(
    db,
    known.map(({ tid }) => tid),
  )
  const merge = (item: TypeMessage, stored: rows.TypeRow | undefined): Omit<rows.TypeRow, 'id' | 'tid'> => {
    const attrDefs = mergeDefinitions(item, stored?.attrDefs ?? [], lookups, ids)
    const used = uses.filter(({ type }) => type === stored?.tid)
    for (const { attr, count } of used) refuseBreaks(attr, count, stored!.attrDefs, attrDefs)
    return {
      name: { ...stored?.name, ...toNames(item.name?.itm) },
      attrDefs,
      config: storable('config', item.config) ?? stored?.config ?? {},
      meta: mergeMeta(stored?.meta ?? [], item.meta, new Set(['id'])),
    }
  }
  return {
    dataType: 'projectTypes',
    load: async () => known,
    create: (item, { id, tid }) => {
      if (item.tid === undefined) throw new Problem('invalid', 'tid is missing; it names the channel type')
      return { id, tid, ...merge(item, undefined) }
    },
    change: (item, stored) => ({ ...stored, ...merge(item, stored) }),
    insert: (db, set) => rows.insertTypes(db, set, caller.userName),
    update: (db, set) => rows.updateTypes(db, set, caller.userName),
    facts: ({ name, attrDefs, config, meta }) => ({ name, attrDefs, config, meta }),
  }
}

function mergeDefinitions(
  { attrDefs }: TypeMessage,
  stored: readonly DefinitionRow[],
  lookups: Omit<Parameters<typeof contentOf>[2], 'typeOf'>,
  ids: number[],
): DefinitionRow[] {
  const before = new Map(stored.map((row) => [row.tid, row]))
  const next = attrDefs?.type === 'full' ? new Map<string, DefinitionRow>() : new Map(before)
  const context = { ...lookups, typeOf: (tid: string) => (next.get(tid) ?? before.get(tid))?.type }
  for (const sent of attrDefs?.attrDef ?? []) {
    const old = before.get(sent.tid) ?? before.get(newTid(sent.tid))
    const tid = old?.tid ?? newTid(sent.tid)
    next.set(tid, { id: old?.id ?? ids.shift()!, tid, ...contentOf(sent, old, context) })
  }
  return [...next.values()]
}

function refuseBreaks(attr: string, count: number, before: readonly DefinitionRow[], after: readonly DefinitionRow[]) {
  const [old, next] = [before, after].map((rows) => rows.find(({ tid }) => tid === attr))
  if (!old) return
  const [broken] = next ? breakingChanges(old, next) : [{ reason: 'it would be removed' }]
  if (broken) throw new Problem('inUse', `attribute ${attr}: ${broken.reason}, but ${count} channels have values of it`)
}
