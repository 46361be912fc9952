/**
 * The rules of /pim/attribute-definitions.
 *
 * A definition is identified by its tid. persist creates or changes it. Its values must stay valid, so a change is refused
 * if a value would be lost. delete is refused while nodes, tables or values use the definition; `force` removes all of
 * those too.
 */
import { because, attributeTypes, type Long, type pim, schemaVersion } from '@kontor/contract'
import { orProblem, type Outcome } from '../../core/batch/batch.ts'
import { pageOf } from '../../core/batch/paging.ts'
import type { Caller, Context } from '../../core/context.ts'
import type { Handlers } from '../../core/batch/handlers.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { replyMeta } from '../../core/http/reply.ts'
import { upsert } from '../../core/batch/upsert.ts'
import { inTurns } from '../../core/batch/turns.ts'
import { Problem } from '../../errors.ts'
import { guardGroups } from '../attribute-groups/attribute-groups.guard.ts'
import { touchGroups } from '../attribute-groups/attribute-groups.sql.ts'
import { misfitOf } from '../attributes/attributes.overrides.ts'
import {
  attributeTypeOf,
  contentOf,
  type Definition,
  type DefinitionRow,
  type DefinitionValue,
  definitionRules,
  definitionView,
  loadLocales,
  holdUnits,
  toDefinition,
} from '../../values/api.ts'
import { checkMatch, tagOnly } from '../model/etag.ts'
import type { Model, Models } from '../model/model.ts'
import { findRepeated } from '../model/uses.sql.ts'
import { visibleTo } from '../nodes/nodes.visible.ts'
import { type ChangedDefinition, describeUse, findBreaks } from './attribute-definitions.breaks.ts'
import { deleteAll } from './attribute-definitions.delete.ts'
import * as rows from './attribute-definitions.sql.ts'

export function attributeDefinitions(models: Models): Handlers<(typeof pim.resources)['attribute-definitions']> {
  return {
    async query({ db, caller, paging }, { types }) {
      const wanted = types?.map((word) => attributeTypeOf(word) ?? unknownType(word))
      const definitions = (await models.load(db)).definitions.filter(viewFor(caller).isVisible)
      const found = definitions.filter(({ type }) => wanted?.includes(type) ?? true)
      return { ids: pageOf(paging, found).map(({ id }) => id) }
    },

    async retrieve(ctx, { all, tids, ids }) {
      if (!all && !tids && !ids) {
        throw new Problem('invalid', '/attributeDefinitionsRequest: names nothing; send tids or ids, or all=true')
      }
      const model = await models.load(ctx.db)
      const { isVisible, toMessages } = viewFor(ctx.caller)
      const found = (all ? model.definitions : named(model, tids, ids)).filter(isVisible)
      if (found.length === 0) throw new Problem('notFound', 'none of the attribute definitions exists')
      if (!all) {
        tagOnly(
          ctx,
          tids ?? ids,
          found.map(({ row }) => row),
        )
      }
      return { attrDefs: toMessages(found) }
    },

    persist: (ctx, objects) => persistAll(ctx, models, objects),
    perform: { delete: (ctx, actions) => deleteAll(ctx, models, actions) },
  }
}

export function listAttributeDefinitions(models: Models): RouteHandler<typeof pim.routes.listAttributeDefinitions> {
  return async ({ db, config, caller }) => {
    const attrDef = viewFor(caller).toMessages((await models.load(db)).definitions)
    if (attrDef.length === 0) throw new Problem('notFound', 'there are no attribute definitions')
    return {
      schemaVersion,
      meta: replyMeta(config, { itemInformationType: 'attrDefinition' }),
      attrDefs: { attrDef },
    }
  }
}

const viewFor = ({ permissions }: Caller) => definitionView(permissions, 'product')

function unknownType(word: string): never {
  const types = attributeTypes.join(', ')
  throw new Problem('invalid', `/attributeDefinitionsQueryRequest/types: unknown type ${word}; expected ${types}`)
}

/** Each definition once, in the order of the request. Tids win over ids. */
function named(model: Model, tids: readonly string[] | undefined, ids: readonly Long[] = []): Definition[] {
  const found = tids ? tids.map((tid) => model.definition(tid)) : ids.map((id) => model.definitionById(id))
  return [...new Set(found)].filter((definition) => definition !== undefined)
}

async function persistAll(ctx: Context, models: Models, objects: readonly DefinitionValue[]): Promise<Outcome[]> {
  const unitsOf = await holdUnits(ctx.db)
  const model = await models.lock(ctx.db)
  const { isVisible } = viewFor(ctx.caller)
  checkMatch(
    ctx,
    objects.map(({ tid }) => storedOf(model, tid)),
  )
  const lookups = {
    localeOf: await loadLocales(ctx.db),
    unitsOf,
    allowsUnique: true,
    placeIn: placesIn(model),
  }
  const checkGroup = await guardGroups(ctx, model, objects.some(({ group }) => group)) // prettier-ignore
  const changes = await changesOf(model, objects, lookups)
  const refuseBreaks = await findBreaks(ctx, model, changes)
  const repeated = await findRepeated(
    ctx,
    changes.filter(turnsUnique).map(({ stored }) => stored.tid),
  )
  const rules = definitionRules({
    known: model.definitions.map(({ row }) => row),
    ...lookups,
    check(next, stored) {
      if (next.type === 'table' && stored?.type !== 'table') refuseReserved(next.tid)
      if (!stored) return
      if (!isVisible(stored)) throw new Problem('exists', because('tidTaken', { tid: stored.tid }))
      checkGroup(stored.definition.group?.tid, next.definition.group?.tid)
      refuseBreaks({ stored, next })
      const repeats = turnsUnique({ stored, next }) && repeated.get(stored.tid)
      if (repeats)
        throw new Problem('inUse', `format: ${describeUse(repeats)} share a value with another one; correct these values first`) // prettier-ignore
      refuseMisfits(ctx.caller, model, next)
    },
    insert: (db, set) => rows.insertDefinitions(db, set, ctx.caller.userName),
    async update(db, set) {
      await rows.updateDefinitions(db, set, ctx.caller.userName)
      const before = new Map(model.definitions.map(({ row }) => [row.id, isUnique(row)]))
      const tids = set.filter((row) => isUnique(row) !== before.get(row.id)).map(({ tid }) => tid)
      if (tids.length > 0) await rows.refreshUnique(db, tids)
      const groups = set.flatMap((row) => groupsOfMove(model.definition(row.tid)!.row, row))
      if (groups.length > 0) await touchGroups(db, groups, ctx.caller.userName)
    },
  })
  return upsert(ctx, rules, objects)
}

/** Columns of imports and exports begin with these words: asset/Main_Image, relation/Accessory. */
function refuseReserved(tid: string): void {
  if (tid === 'asset' || tid === 'relation') throw new Problem('invalid', because('tableReserved', { tid }))
}

/** The next free place of each group; a new one at every call, because a batch may add several attributes. */
function placesIn(model: Model) {
  const next = new Map(
    model.groups.map(({ tid }) => [tid, (model.membersOf(tid).at(-1)?.row.definition.group?.pos ?? -1) + 1]),
  )
  return (group: string) => {
    const place = next.get(group)
    if (place !== undefined) next.set(group, place + 1)
    return place
  }
}

/** The groups that a change of a definition affects. */
const groupsOfMove = ({ definition: { group: from } }: DefinitionRow, { definition: { group: to } }: DefinitionRow) =>
  from?.tid === to?.tid && from?.pos === to?.pos ? [] : [from?.tid ?? [], to?.tid ?? []].flat()

const isUnique = ({ definition }: Pick<DefinitionRow, 'definition'>) => definition.format?.unique === 'true'
const turnsUnique = ({ stored, next }: ChangedDefinition) => isUnique(next) && !isUnique(stored)

const storedOf = (model: Model, tid: string) => model.definition(tid.normalize('NFC').trim())?.row

/** The overrides of nodes must still fit the definition. */
function refuseMisfits(caller: Caller, model: Model, row: DefinitionRow): void {
  const definition = toDefinition(row)
  for (const attribute of model.attributesOfDefinition(row.id)) {
    const misfit = misfitOf(attribute, definition)
    if (misfit === undefined) continue
    const node = model.node(attribute.nodeId)!
    const where = visibleTo(caller)(node) ? `the node ${node.path}` : 'a node that you may not read'
    throw new Problem('inUse', `the attribute at ${where} would not fit: ${misfit}`)
  }
}

/** The definitions that the items would change, without those items that will be refused anyway. */
async function changesOf(
  model: Model,
  objects: readonly DefinitionValue[],
  lookups: Omit<Parameters<typeof contentOf>[2], 'typeOf'>,
): Promise<ChangedDefinition[]> {
  const context = { ...lookups, typeOf: (tid: string) => model.definition(tid)?.type }
  const changes = await inTurns(objects, (item) => {
    const stored = storedOf(model, item.tid)
    if (!stored) return []
    const next = orProblem(() => contentOf(item, stored, context))(item)
    return next instanceof Problem ? [] : [{ stored, next }]
  })
  return changes.flat()
}
