/**
 * The rules of /pim/attribute-definitions.
 *
 * A definition is known by its tid. persist creates or changes it; what values exist of it must stay valid, so that type,
 * localization, cardinality and lists are narrowed only as far as no value is lost. delete is refused while nodes, tables
 * or values use the definition; `force` takes all of those away.
 */
import { attributeTypes, type Long, type pim, schemaVersion } from '@kontor/contract'
import { orProblem, type Outcome } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/batch/handlers.ts'
import type { RouteHandler } from '../../core/http/routes.ts'
import { replyMeta } from '../../core/http/reply.ts'
import { upsert, type UpsertRules } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import { misfitOf } from '../attributes/attributes.overrides.ts'
import {
  attributeTypeOf,
  contentOf,
  type Definition,
  type DefinitionRow,
  type DefinitionValue,
  toDefinitionMessage,
  loadLocales,
  ordered,
  type Surroundings,
  toDefinition,
  toNames,
} from '../../values/api.ts'
import { checkMatch, tagOnly } from '../model/etag.ts'
import type { Model, Models } from '../model/model.ts'
import { findBreaks } from './attribute-definitions.breaks.ts'
import { deleteAll } from './attribute-definitions.delete.ts'
import * as rows from './attribute-definitions.sql.ts'

export function attributeDefinitions(models: Models): Handlers<(typeof pim.resources)['attribute-definitions']> {
  return {
    async query({ db }, { types }) {
      const wanted = types?.map((word) => attributeTypeOf(word) ?? unknownType(word))
      const { definitions } = await models.load(db)
      return { ids: definitions.flatMap(({ id, type }) => (wanted && !wanted.includes(type) ? [] : [id])) }
    },

    async retrieve(ctx, { all, tids, ids }) {
      if (!all && !tids && !ids) {
        throw new Problem('invalid', '/attributeDefinitionsRequest: names nothing; send tids or ids, or all=true')
      }
      const model = await models.load(ctx.db)
      const found = all ? model.definitions : named(model, tids, ids)
      if (found.length === 0) throw new Problem('notFound', 'none of the attribute definitions exists')
      if (!all) {
        tagOnly(
          ctx,
          tids ?? ids,
          found.map(({ row }) => row),
        )
      }
      return { attrDefs: found.map(toDefinitionMessage) }
    },

    persist: (ctx, objects) => persistAll(ctx, models, objects),
    perform: { delete: (ctx, actions) => deleteAll(ctx, models, actions) },
  }
}

export function listAttributeDefinitions(models: Models): RouteHandler<typeof pim.routes.listAttributeDefinitions> {
  return async ({ db, config }) => {
    const { definitions } = await models.load(db)
    if (definitions.length === 0) throw new Problem('notFound', 'there are no attribute definitions')
    return {
      schemaVersion,
      meta: replyMeta(config, { itemInformationType: 'attrDefinition' }),
      attrDefs: { attrDef: definitions.map(toDefinitionMessage) },
    }
  }
}

function unknownType(word: string): never {
  const types = attributeTypes.join(', ')
  throw new Problem('invalid', `/attributeDefinitionsQueryRequest/types: ${word} is no type; expected ${types}`)
}

/** Each once, in the order asked for. Tids win over ids. */
function named(model: Model, tids: readonly string[] | undefined, ids: readonly Long[] = []): Definition[] {
  const found = tids ? tids.map((tid) => model.definition(tid)) : ids.map((id) => model.definitionById(id))
  return [...new Set(found)].filter((definition) => definition !== undefined)
}

async function persistAll(ctx: Context, models: Models, objects: readonly DefinitionValue[]): Promise<Outcome[]> {
  const model = await models.lock(ctx.db)
  checkMatch(
    ctx,
    objects.map(({ tid }) => storedOf(model, tid)),
  )
  const localeOf = await loadLocales(ctx.db)
  const types = new Map(model.definitions.map(({ tid, type }) => [tid, type]))
  const around: Surroundings = { localeOf, typeOf: (tid) => types.get(tid) }
  const refuseBreaks = await findBreaks(ctx.db, model, changesOf(model, objects, around))
  const rules: UpsertRules<DefinitionValue, DefinitionRow> = {
    dataType: 'attrDefinition',
    load: async () => objects.flatMap(({ tid }) => storedOf(model, tid) ?? []),
    create(item, { id, tid }) {
      if (tid.includes('/')) {
        throw new Problem('invalid', `@tid: ${tid} contains /, which stands between a table and its column`)
      }
      const row = { id, tid, ...contentOf(item, undefined, around) }
      types.set(tid, row.type)
      return row
    },
    change(item, stored) {
      const row = { ...stored, ...contentOf(item, stored, around) }
      refuseBreaks({ stored, next: row })
      refuseMisfits(model, row)
      types.set(row.tid, row.type)
      return row
    },
    insert: (db, set) => rows.insertDefinitions(db, set, ctx.caller.userName),
    update: (db, set) => rows.updateDefinitions(db, set, ctx.caller.userName),
    facts: factsOf,
  }
  return upsert(ctx, rules, objects)
}

const storedOf = (model: Model, tid: string) => model.definition(tid.normalize('NFC').trim())?.row

function factsOf({ type, localized, multi, definition }: DefinitionRow) {
  const { name, abbr, tooltip, ...rest } = definition
  const texts = { name: toNames(name?.itm), abbr: toNames(abbr?.itm), tooltip: toNames(tooltip?.itm) }
  return { type, localized, multi, ...texts, ...nothingSaid, ...(ordered(rest) as object) }
}
/** So that the history also tells what was taken away. */
const nothingSaid: Readonly<Record<string, undefined>> = {
  defaultVal: undefined,
  multiValued: undefined,
  validation: undefined,
  domainVals: undefined,
  domainRange: undefined,
  tags: undefined,
  references: undefined,
}

/** What nodes say of the attribute must still fit. */
function refuseMisfits(model: Model, row: DefinitionRow): void {
  const definition = toDefinition(row)
  for (const attribute of model.attributesOfDefinition(row.id)) {
    const misfit = misfitOf(attribute, definition)
    if (misfit === undefined) continue
    throw new Problem(
      'inUse',
      `the attribute at the node ${model.node(attribute.nodeId)!.path} would not fit: ${misfit}`,
    )
  }
}

/** What items would make of definitions that exist, unless they will be refused anyway. */
function changesOf(model: Model, objects: readonly DefinitionValue[], around: Surroundings) {
  return objects.flatMap((item) => {
    const stored = storedOf(model, item.tid)
    if (!stored) return []
    const next = orProblem(() => contentOf(item, stored, around))(item)
    return next instanceof Problem ? [] : [{ stored, next }]
  })
}
