/**
 * Adds a value to the list of an attribute, for users who miss one. The value is added to the list of the definition and,
 * if a node has narrowed that list, to the list of the node.
 */
import { because } from '@kontor/contract'
import { allowsAt } from '../../core/access/permissions.ts'
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { updateDefinitions } from '../attribute-definitions/attribute-definitions.sql.ts'
import { addValue, type Definition, type DomainList, loadLocales, type LocaleOf } from '../../values/api.ts'
import { visibleAttributes } from '../nodes/nodes.visible.ts'
import { startDraft } from '../model/draft.ts'
import type { Model, Models } from '../model/model.ts'
import type { AttributeRow } from '../model/model.sql.ts'

const action = 'addDomainValue'

/** Returns the key of the value. */
export async function addDomainValue(ctx: Context, models: Models, id: number, value: string): Promise<string> {
  const model = await models.lock(ctx.db)
  const row = model.attribute(id)
  if (!row || !visibleAttributes(ctx.caller, model).effective({ row, nodeId: row.nodeId }))
    throw new Problem('notFound', `no attribute has the id ${id}`)
  const { path } = model.node(row.nodeId)!
  if (!allowsAt(ctx.caller.permissions, 'update', 'attribute', path))
    throw new Problem('forbidden', `your roles do not allow to update the attribute at ${path}`)
  const definition = model.definitionById(row.definitionId)!
  const { domain } = model.attributesOf(row.nodeId).get(definition.tid)!
  if (!domain?.allowNewValue) {
    throw new Problem('invalid', because('listClosed', { attribute: definition.tid }))
  }
  const localeOf = await loadLocales(ctx.db)
  const key = await addToDefinition(ctx, definition, value, localeOf)
  const narrowed = narrowedBy(model, row)
  if (!narrowed) return key!
  // If the definition has a list, that list has the label.
  const added = addValue(narrowed.domainVals!, key ?? value, localeOf, key === undefined)
  await putList(ctx, model, narrowed, added)
  return added.key
}

async function addToDefinition(ctx: Context, { id, row }: Definition, value: string, localeOf: LocaleOf) {
  const { domainVals } = row.definition
  if (!domainVals) return undefined
  const { key, list } = addValue(domainVals, value, localeOf)
  if (list !== domainVals) {
    const changed = { ...row, definition: { ...row.definition, domainVals: list } }
    await updateDefinitions(ctx.db, [changed], ctx.caller.userName)
    ctx.record({ dataType: 'attrDefinition', id, event: 'UPDATE', action, changes: { domainVals: { to: key } } })
  }
  return key
}

/** The attribute of the nearest node that has a list of its own. */
function narrowedBy(model: Model, row: AttributeRow): AttributeRow | undefined {
  for (let at: number | null = row.nodeId; at !== null; at = model.node(at)!.parentId) {
    const own = model.ownAttributes(at).find(({ definitionId }) => definitionId === row.definitionId)
    if (own?.domainVals) return own
  }
  return undefined
}

async function putList(
  ctx: Context,
  model: Model,
  row: AttributeRow,
  { key, list }: { key: string; list: DomainList },
) {
  if (list === row.domainVals) return
  const draft = await startDraft(ctx, model, 0)
  draft.putAttribute({ ...row, domainVals: list })
  draft.record({ dataType: 'attribute', id: row.id, event: 'UPDATE', action, changes: { domainVals: { to: key } } })
  await draft.write(ctx)
}
