/**
 * The rules of /dam/attribute-definitions and of the administrators' /dam/admin/attribute-definitions.
 *
 * Definitions are those of the PIM area, kept apart: what can be said of an asset is not what can be said of a product.
 * What values exist must stay valid, so that type, localization, cardinality and lists of an attribute in use are not
 * narrowed, and it is not deleted.
 */
import type { dam } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { finder, nameOf } from '../../core/batch/identify.ts'
import { upsert, type UpsertRules } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import {
  contentOf,
  type DefinitionRow,
  type DefinitionValue,
  loadLocales,
  toDefinition,
  toDefinitionMessage,
} from '../../values/api.ts'
import * as rows from './attribute-definitions.sql.ts'
import { owners, typesOf } from './rules.ts'

export const attributeDefinitions: Handlers<(typeof dam.resources)['attribute-definitions']> = {
  async retrieve({ db }, { all, tids, ids }) {
    if (!all && !tids && !ids)
      throw new Problem('invalid', '/attributeDefinitionsRequest: names nothing; send tids or ids, or all=true')
    const known = await rows.findDefinitions(db)
    const isWanted = ({ id, tid }: DefinitionRow) => all || (tids ? tids.includes(tid) : ids!.includes(id))
    const found = known.filter(isWanted)
    if (found.length === 0) throw new Problem('notFound', 'none of the attribute definitions exists')
    return { attrDefs: found.map((row) => toDefinitionMessage(toDefinition(row))) }
  },
}

export const definitionAdmin: Handlers<(typeof dam.resources)['admin/attribute-definitions']> = {
  persist: persistAll,
  perform: { delete: deleteAll },
}

async function persistAll(ctx: Context, objects: readonly DefinitionValue[]): Promise<Outcome[]> {
  await rows.lockDefinitions(ctx.db)
  const known = await rows.findDefinitions(ctx.db)
  const localeOf = await loadLocales(ctx.db)
  const uses = await usesOf(
    ctx,
    objects.map(({ tid }) => tid),
  )
  const types = new Map(known.map(({ tid, type }) => [tid, type]))
  const around = { localeOf, typeOf: (tid: string) => types.get(tid) }
  const content = (item: DefinitionValue, stored?: DefinitionRow) => {
    const next = contentOf(item, stored, around)
    checkTypes(next)
    types.set(item.tid, next.type)
    return next
  }
  const rules: UpsertRules<DefinitionValue, DefinitionRow> = {
    dataType: 'attrDefinition',
    load: async () => known,
    create: (item, { id, tid }) => ({ id, tid, ...content(item) }),
    change(item, stored) {
      const next = content(item, stored)
      const count = uses.get(stored.tid)
      const narrowed = count && narrowing(stored, next)
      if (narrowed) throw new Problem('inUse', `${narrowed}, but ${count} assets or directories have values`)
      return { ...stored, ...next }
    },
    insert: (db, set) => rows.insertDefinitions(db, set, ctx.caller.userName),
    update: (db, set) => rows.updateDefinitions(db, set, ctx.caller.userName),
    facts: ({ type, localized, multi, definition }) => ({ type, localized, multi, ...definition }),
  }
  return upsert(ctx, rules, objects)
}

type Content = Pick<DefinitionRow, 'type' | 'localized' | 'multi' | 'definition'>

/** What of a change could make values invalid, in words. */
function narrowing(stored: Content, next: Content): string | undefined {
  if (stored.type !== next.type) return `the type ${stored.type} would become ${next.type}`
  if (stored.localized !== next.localized) return `localized would become ${next.localized}`
  if (stored.multi !== next.multi) return `multiValued would become ${next.multi}`
  const keysOf = ({ definition }: Content) => definition.domainVals?.domainVal?.map(({ tid }) => tid) ?? []
  const kept = new Set(keysOf(next))
  const lost = keysOf(stored).filter((key) => !kept.has(key))
  if (lost.length > 0) return `the list would lose ${lost.join(', ')}`
  const closed = next.definition.domainVals !== undefined && stored.definition.domainVals === undefined
  if (closed) return 'values would have to be in a list'
  const most = next.definition.multiValued?.cardinality ?? Infinity
  if (most < (stored.definition.multiValued?.cardinality ?? Infinity)) return `lists could have only ${most} values`
  const had = typesOf(stored) ?? owners
  const left = typesOf(next) ?? owners
  const without = had.filter((type) => !left.includes(type))
  return without.length > 0 ? `${without.join(', ')} would no longer have it` : undefined
}

function checkTypes(content: Pick<DefinitionRow, 'definition'>): void {
  const unknown = typesOf(content)?.find((type) => !owners.includes(type))
  if (unknown === undefined) return
  throw new Problem('invalid', `meta assetTypes: ${unknown} is no type of asset; expected ${owners.join(', ')}`)
}

async function usesOf({ db }: Context, tids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return new Map((await rows.countValues(db, [...new Set(tids)])).map(({ tid, count }) => [tid, count]))
}

async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  await rows.lockDefinitions(ctx.db)
  const known = await rows.findDefinitions(ctx.db)
  const find = finder('attrDefinition', known)
  const found = actions.map(find)
  const uses = await usesOf(
    ctx,
    found.flatMap((row) => (row instanceof Problem ? [] : [row.tid])),
  )
  const gone = new Map<number, DefinitionRow>()
  const outcomes = found.map((row, i): Outcome => {
    if (row instanceof Problem) return row
    if (gone.has(row.id)) return new Problem('notFound', `no attrDefinition has the ${nameOf(actions[i]!)}`)
    const count = uses.get(row.tid)
    const tables = known.filter((one) => !gone.has(one.id) && toDefinition(one).columns.includes(row.tid))
    if (count)
      return new Problem('inUse', `${count} assets or directories have values of ${row.tid}; remove these first`)
    if (tables.length > 0)
      return new Problem('inUse', `${row.tid} is a column of ${tables.map(({ tid }) => tid).join(', ')}`)
    gone.set(row.id, row)
    ctx.record({ dataType: 'attrDefinition', id: row.id, event: 'DELETE', changes: { tid: row.tid } })
    return { action: 'delete', id: row.id, tid: row.tid }
  })
  await rows.deleteDefinitions(ctx.db, [...gone.keys()])
  return outcomes
}
