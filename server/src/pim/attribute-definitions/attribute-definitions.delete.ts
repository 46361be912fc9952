/** Deletes attribute definitions; with `force` also everything that uses them. */
import { because, productTypes } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import type { ActionValue } from '../../core/batch/handlers.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import { type Definition, type DefinitionRow, definitionView, some } from '../../values/api.ts'
import { deleteAttributes } from '../model/draft.sql.ts'
import type { Model, Models } from '../model/model.ts'
import type { AttributeRow } from '../model/model.sql.ts'
import { findValues, removeValues, type Use } from '../model/uses.sql.ts'
import { visibleTo } from '../nodes/nodes.visible.ts'
import { recordDeleted } from '../attributes/attributes.deleted.ts'
import { describeUse } from './attribute-definitions.breaks.ts'
import { keysOf } from './attribute-definitions.keys.ts'
import * as rows from './attribute-definitions.sql.ts'

/** Everything that the batch deletes. */
interface Removal {
  readonly definitions: Map<number, Definition>
  readonly attributes: Map<number, AttributeRow>
  /** Tables that lose columns, as they will be. */
  readonly tables: Map<number, DefinitionRow>
  readonly keys: Set<string>
}

export async function deleteAll(
  ctx: Context,
  models: Models,
  actions: readonly ActionValue[],
): Promise<readonly Outcome[]> {
  const model = await models.lock(ctx.db)
  const { isVisible } = definitionView(ctx.caller.permissions, 'product')
  const targets = actions
    .map(({ tid, id }) => (tid === undefined ? model.definitionById(id!) : model.definition(tid)))
    .map((target) => (target && isVisible(target) ? target : undefined))
  const keys = [...new Set(targets.flatMap((target) => (target ? keysOf(model, target.tid) : [])))]
  const found = await findValues(
    ctx,
    keys.map((attribute) => ({ attribute })),
  )
  const uses = new Map(keys.flatMap((key, i) => (found[i] ? [[key, found[i]] as const] : [])))
  const removal: Removal = { definitions: new Map(), attributes: new Map(), tables: new Map(), keys: new Set() }
  const outcomes = actions.map((action, i): Outcome => {
    const target = targets[i]
    if (!target || removal.definitions.has(target.id)) {
      const by = action.tid === undefined ? `id ${action.id}` : `tid ${action.tid}`
      return new Problem('notFound', `no attrDefinition has the ${by}`)
    }
    const inUse = usesOf(ctx.caller, model, target, uses, removal)
    if (inUse.length > 0 && metaOf(action).get('force') !== 'true') {
      return new Problem('inUse', because('attributeInUse', { uses: inUse.join('; ') }))
    }
    remove(model, target, removal)
    return { action: 'delete', id: target.id, tid: target.tid }
  })
  await write(ctx, model, removal, [...uses.keys()])
  return outcomes
}

/** The uses of the definition, except those that earlier actions of the batch delete. */
function usesOf(
  caller: Caller,
  model: Model,
  target: Definition,
  uses: ReadonlyMap<string, Use>,
  removal: Removal,
): string[] {
  const nodes = model
    .attributesOfDefinition(target.id)
    .filter(({ id }) => !removal.attributes.has(id))
    .map(({ nodeId }) => model.node(nodeId)!)
  const visible = nodes.filter(visibleTo(caller))
  const tables = tablesOf(model, target, removal).map(({ tid }) => tid)
  const values = keysOf(model, target.tid).flatMap((key) => (removal.keys.has(key) ? [] : (uses.get(key) ?? [])))
  return [
    ...(visible.length > 0 ? [`the nodes ${some(visible.map(({ path }) => path))}`] : []),
    ...(nodes.length > visible.length ? ['nodes that you may not read'] : []),
    ...(tables.length > 0 ? [`the tables ${some(tables)}`] : []),
    ...values.map((use) => `values of ${describeUse(use)}`),
  ]
}

const tablesOf = (model: Model, { tid }: Definition, { definitions, tables }: Removal): DefinitionRow[] =>
  model.definitions
    .filter(({ id, columns }) => columns.includes(tid) && !definitions.has(id))
    .map(({ id, row }) => tables.get(id) ?? row)

function remove(model: Model, target: Definition, removal: Removal): void {
  removal.definitions.set(target.id, target)
  removal.tables.delete(target.id)
  for (const key of keysOf(model, target.tid)) removal.keys.add(key)
  for (const row of model.attributesOfDefinition(target.id)) removal.attributes.set(row.id, row)
  for (const table of tablesOf(model, target, removal)) {
    const { references, ...definition } = table.definition
    const itm = (references?.itm ?? []).filter(({ value }) => value !== target.tid)
    removal.tables.set(table.id, {
      ...table,
      definition: { ...definition, ...(itm.length > 0 && { references: { itm } }) },
    })
  }
}

async function write(ctx: Context, model: Model, removal: Removal, used: readonly string[]): Promise<void> {
  const { definitions, attributes, tables, keys } = removal
  const { userName } = ctx.caller
  if (definitions.size === 0) return
  const lostKeys = used.filter((key) => keys.has(key))
  if (lostKeys.length > 0) await deleteValues(ctx, lostKeys)
  for (const { id, tid } of definitions.values()) {
    const gone = { tid, attribute: { tid, of: 'product' } }
    ctx.record({ dataType: 'attrDefinition', id, event: 'DELETE', changes: { tid }, gone })
  }
  for (const row of attributes.values()) recordDeleted(ctx, model, row)
  for (const { id, definition } of tables.values()) {
    ctx.record({
      dataType: 'attrDefinition',
      id,
      event: 'UPDATE',
      changes: { references: { to: definition.references } },
    })
  }
  if (tables.size > 0) await rows.updateDefinitions(ctx.db, [...tables.values()], userName)
  if (attributes.size > 0) await deleteAttributes(ctx.db, [...attributes.keys()])
  await rows.deleteDefinitions(ctx.db, [...definitions.keys()])
}

async function deleteValues(ctx: Context, keys: readonly string[]): Promise<void> {
  for (const { id, level, lost } of await removeValues(ctx.db, keys, ctx.caller.userName)) {
    const changes = Object.fromEntries(Object.entries(lost).map(([key, from]) => [`vals.${key}`, { from }]))
    ctx.record({ dataType: productTypes[level]!, id, event: 'UPDATE', changes })
  }
}
