/** The record of a deleted attribute, whether it is deleted alone, with its node or with its definition. */
import type { Context } from '../../core/context.ts'
import type { Model } from '../model/model.ts'
import type { AttributeRow } from '../model/model.sql.ts'

/** The model is that before the deletion. */
export function recordDeleted(ctx: Context, model: Model, { id, nodeId, definitionId }: AttributeRow): void {
  const { path } = model.node(nodeId)!
  const { tid: key } = model.definitionById(definitionId)!
  const gone = { path, scopes: [path], attribute: { tid: key, of: 'product' } }
  ctx.record({ dataType: 'attribute', id, event: 'DELETE', changes: { key, nodeId }, gone })
}
