/** Adding a value to the list of an attribute, for users that miss one. */
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { addValue, loadLocales } from '../model/domain-list.ts'
import { startDraft } from '../model/draft.ts'
import type { Models } from '../model/model.ts'
import { updateDefinitions } from '../attribute-definitions/attribute-definitions.sql.ts'

/** The value goes into the list that the node has of its own, and into that of the definition, which is the wider one. */
export async function addDomainValue(ctx: Context, models: Models, id: number, value: string): Promise<string> {
  const model = await models.lock(ctx.db)
  const row = model.attribute(id)
  if (!row) throw new Problem('notFound', `no attribute has the id ${id}`)
  const definition = model.definitionById(row.definitionId)!
  const { domain } = model.attributesOf(row.nodeId).get(definition.tid)!
  if (!domain?.allowNewValue) {
    throw new Problem('invalid', `the list of ${definition.tid} is closed; set allowNewValue=true to add values`)
  }
  const localeOf = await loadLocales(ctx.db)
  const wide = definition.row.definition.domainVals
  let key: string | undefined
  if (wide) {
    const added = addValue(wide, value, localeOf)
    key = added.key
    if (added.list !== wide) {
      const changed = { ...definition.row, definition: { ...definition.row.definition, domainVals: added.list } }
      await updateDefinitions(ctx.db, [changed], ctx.caller.userName)
      ctx.record({
        dataType: 'attrDefinition',
        id: definition.id,
        event: 'UPDATE',
        action: 'addDomainValue',
        changes: { domainVals: { to: key } },
      })
    }
  }
  if (!row.domainVals) return key!
  const added = addValue(row.domainVals, key ?? value, localeOf)
  if (added.list !== row.domainVals) {
    const draft = await startDraft(ctx, model, 0)
    draft.putAttribute({ ...row, domainVals: added.list })
    draft.record({
      dataType: 'attribute',
      id: row.id,
      event: 'UPDATE',
      action: 'addDomainValue',
      changes: { domainVals: { to: added.key } },
    })
    await draft.write(ctx)
  }
  return added.key
}
