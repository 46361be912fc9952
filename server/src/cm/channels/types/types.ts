/**
 * Kinds of channels: the list of them, and the administrators' /cm/admin/channel-types.
 *
 * What values exist must stay valid: an attribute that channels have values of keeps its type, localization and
 * cardinality, and is not removed.
 */
import { type cm, type Infer, type ProjectDefinition, schemaVersion } from '@kontor/contract'
import { mergeMeta, toMeta } from '../../../common/api.ts'
import type { Context } from '../../../core/context.ts'
import type { Handlers } from '../../../core/batch/handlers.ts'
import { newIds } from '../../../core/batch/ids.sql.ts'
import { replyMeta } from '../../../core/http/reply.ts'
import type { RouteHandler } from '../../../core/http/routes.ts'
import { upsert, type UpsertRules } from '../../../core/batch/upsert.ts'
import { Problem } from '../../../errors.ts'
import { contentOf, type DefinitionRow, loadLocales, toDefinition, toDefinitionMessage } from '../../../values/api.ts'
import * as rows from './types.sql.ts'

type TypeMessage = Infer<typeof ProjectDefinition>

export const listChannelTypes: RouteHandler<typeof cm.routes.listChannelTypes> = async ({ db, config }) => ({
  schemaVersion,
  meta: replyMeta(config, { itemInformationType: 'projectTypes' }),
  projectDefs: { projectDef: (await rows.findTypes(db)).map(toMessage) },
})

const toMessage = ({ id, tid, name, attrDefs, config, meta }: rows.TypeRow): TypeMessage => ({
  name: { itm: Object.entries(name).map(([loc, value]) => (loc === '' ? { value } : { value, loc })) },
  meta: toMeta({ id: String(id) }, [...meta]),
  attrDefs: { attrDef: attrDefs.map((row) => toDefinitionMessage(toDefinition(row))) },
  config,
  tid,
})

export const typeAdmin: Handlers<(typeof cm.resources)['admin/channel-types']> = {
  async persist(ctx, objects) {
    await rows.lockTypes(ctx.db)
    return upsert(ctx, await rulesFor(ctx, objects), objects)
  },
}

async function rulesFor(
  { db, caller }: Context,
  objects: readonly TypeMessage[],
): Promise<UpsertRules<TypeMessage, rows.TypeRow>> {
  const known = await rows.findTypes(db)
  const localeOf = await loadLocales(db)
  const sent = objects.flatMap(({ attrDefs }) => attrDefs?.attrDef ?? [])
  const ids = await newIds(db, sent.length)
  const uses = await rows.countValues(
    db,
    known.map(({ tid }) => tid),
  )
  const merge = (item: TypeMessage, stored: rows.TypeRow | undefined): Omit<rows.TypeRow, 'id' | 'tid'> => {
    const attrDefs = mergeDefinitions(item, stored?.attrDefs ?? [], localeOf, ids)
    const used = uses.filter(({ type }) => type === stored?.tid)
    for (const { attr, count } of used) refuseNarrowing(attr, count, stored!.attrDefs, attrDefs)
    return {
      name: { ...stored?.name, ...namesIn(item) },
      attrDefs,
      config: item.config ?? stored?.config ?? {},
      meta: mergeMeta(stored?.meta ?? [], item.meta, new Set(['id'])),
    }
  }
  return {
    dataType: 'projectTypes',
    load: async () => known,
    create: (item, { id, tid }) => {
      if (item.tid === undefined) throw new Problem('invalid', 'tid is missing; it says which kind of channel')
      return { id, tid, ...merge(item, undefined) }
    },
    change: (item, stored) => ({ ...stored, ...merge(item, stored) }),
    insert: (db, set) => rows.insertTypes(db, set, caller.userName),
    update: (db, set) => rows.updateTypes(db, set, caller.userName),
    facts: ({ name, attrDefs, config, meta }) => ({ name, attrDefs, config, meta }),
  }
}

const namesIn = ({ name }: TypeMessage): Record<string, string> =>
  Object.fromEntries((name?.itm ?? []).flatMap(({ loc = '', value }) => (value === undefined ? [] : [[loc, value]])))

type LocaleOf = Awaited<ReturnType<typeof loadLocales>>

function mergeDefinitions(
  { attrDefs }: TypeMessage,
  stored: readonly DefinitionRow[],
  localeOf: LocaleOf,
  ids: number[],
): DefinitionRow[] {
  const kept = new Map(stored.map((row) => [row.tid, row]))
  const next = attrDefs?.type === 'full' ? new Map<string, DefinitionRow>() : new Map(kept)
  for (const definition of attrDefs?.attrDef ?? []) {
    const before = kept.get(definition.tid)
    const around = { localeOf, typeOf: (tid: string) => (next.get(tid) ?? kept.get(tid))?.type }
    const content = contentOf(definition, before, around)
    next.set(definition.tid, { id: before?.id ?? ids.shift()!, tid: definition.tid, ...content } as DefinitionRow)
  }
  return [...next.values()]
}

function refuseNarrowing(
  attr: string,
  count: number,
  before: readonly DefinitionRow[],
  after: readonly DefinitionRow[],
): void {
  const [old, now] = [before, after].map((rows) => rows.find(({ tid }) => tid === attr))
  if (!old) return
  const kept = now && now.type === old.type && now.localized === old.localized && now.multi === old.multi
  const keysOf = (row: DefinitionRow) => row.definition.domainVals?.domainVal?.map(({ tid }) => tid) ?? []
  const lost = kept ? keysOf(old).filter((key) => !keysOf(now).includes(key)) : []
  if (kept && lost.length === 0) return
  const what = !now ? 'would be gone' : kept ? `would lose ${lost.join(', ')}` : 'would change its kind of value'
  throw new Problem('inUse', `the attribute ${attr} ${what}, but ${count} channels have values of it`)
}
