/**
 * The rules of /dam/attribute-definitions and of the administrators' /dam/admin/attribute-definitions.
 *
 * Assets and directories have definitions of their own, separate from those of products but under the same rules. Stored
 * values must stay valid: a definition with values is not deleted, and no change may break them.
 */
import { because } from '@kontor/contract'
import type { dam } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { finder, nameOf } from '../../core/batch/identify.ts'
import { upsert } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import {
  breakingChanges,
  definitionRules,
  definitionView,
  type DefinitionRow,
  type DefinitionValue,
  loadLocales,
  holdUnits,
  toDefinition,
} from '../../values/api.ts'
import { checkTags } from '../metadata/tags.ts'
import * as rows from './attribute-definitions.sql.ts'
import { owners, ownersOf } from './rules.ts'

export const attributeDefinitions: Handlers<(typeof dam.resources)['attribute-definitions']> = {
  async retrieve({ db, caller }, { all, tids, ids }) {
    if (!all && !tids && !ids)
      throw new Problem('invalid', '/attributeDefinitionsRequest: names nothing; send tids or ids, or all=true')
    const known = await rows.findDefinitions(db)
    const isWanted = ({ id, tid }: DefinitionRow) => all || (tids ? tids.includes(tid) : ids!.includes(id))
    const view = definitionView(caller.permissions, 'asset')
    const attrDefs = view.toMessages(known.filter(isWanted).map(toDefinition))
    if (attrDefs.length === 0) throw new Problem('notFound', 'none of the attribute definitions exists')
    return { attrDefs }
  },
}

export const definitionAdmin: Handlers<(typeof dam.resources)['admin/attribute-definitions']> = {
  persist: persistAll,
  perform: { delete: deleteAll },
}

async function persistAll(ctx: Context, objects: readonly DefinitionValue[]): Promise<Outcome[]> {
  const unitsOf = await holdUnits(ctx.db)
  await rows.lockDefinitions(ctx.db)
  const known = await rows.findDefinitions(ctx.db)
  const localeOf = await loadLocales(ctx.db)
  const tids = objects.map(({ tid }) => tid)
  const uses = await countUses(ctx, tids)
  const rules = definitionRules({
    known,
    localeOf,
    unitsOf,
    check(next, stored) {
      checkOwners(next)
      checkTags(next, stored)
      const count = stored && uses.get(stored.tid)
      const reason = count && breakOf(stored, next)
      if (reason) throw new Problem('inUse', `${reason}, but ${count} assets or directories have values`)
    },
    insert: (db, set) => rows.insertDefinitions(db, set, ctx.caller.userName),
    update: (db, set) => rows.updateDefinitions(db, set, ctx.caller.userName),
  })
  return upsert(ctx, rules, objects)
}

/** The first reason why stored values would not survive a change. */
function breakOf(stored: DefinitionRow, next: DefinitionRow): string | undefined {
  const [broken] = breakingChanges(stored, next)
  if (broken) return broken.reason
  const left = ownersOf(next) ?? owners
  const lost = (ownersOf(stored) ?? owners).filter((type) => !left.includes(type))
  return lost.length > 0 ? `${lost.join(', ')} would no longer have it` : undefined
}

function checkOwners(row: DefinitionRow): void {
  const unknown = ownersOf(row)?.find((type) => !owners.includes(type))
  if (unknown === undefined) return
  throw new Problem('invalid', `meta assetTypes: unknown asset type ${unknown}; expected ${owners.join(', ')}`)
}

async function countUses({ db }: Context, tids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return new Map((await rows.countValues(db, [...new Set(tids)])).map(({ tid, count }) => [tid, count]))
}

async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  await rows.lockDefinitions(ctx.db)
  const known = await rows.findDefinitions(ctx.db)
  const find = finder('attrDefinition', known)
  const found = actions.map(find)
  const tids = found.flatMap((row) => (row instanceof Problem ? [] : [row.tid]))
  const uses = await countUses(ctx, tids)
  const deleted = new Map<number, DefinitionRow>()
  const outcomes = found.map((row, i): Outcome => {
    if (row instanceof Problem) return row
    if (deleted.has(row.id)) return new Problem('notFound', `no attrDefinition has the ${nameOf(actions[i]!)}`)
    const count = uses.get(row.tid)
    const tables = known.filter((one) => !deleted.has(one.id) && toDefinition(one).columns.includes(row.tid))
    if (count) return new Problem('inUse', because('fileValues', { count, attribute: row.tid }))
    if (tables.length > 0)
      return new Problem('inUse', `${row.tid} is a column of ${tables.map(({ tid }) => tid).join(', ')}`)
    deleted.set(row.id, row)
    const { id, tid } = row
    const gone = { tid, attribute: { tid, of: 'asset' } }
    ctx.record({ dataType: 'attrDefinition', id, event: 'DELETE', changes: { tid }, gone })
    return { action: 'delete', id, tid }
  })
  await rows.deleteDefinitions(ctx.db, [...deleted.keys()])
  return outcomes
}
