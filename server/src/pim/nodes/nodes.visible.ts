/**
 * The part of the model that a caller may see: nodes in the subtrees that their grants name and the nodes above those, attributes that
 * are not hidden, and names in visible locales.
 */
import { isWithin } from '../../core/batch/names.ts'
import { allows, pathsFor } from '../../core/access/permissions.ts'
import type { Caller } from '../../core/context.ts'
import { definitionView } from '../../values/api.ts'
import type { EffectiveAttribute } from '../model/effective.ts'
import type { Model } from '../model/model.ts'
import type { AttributeRow, ClassificationRow, NodeRow } from '../model/model.sql.ts'

/** By the right to read nodes, or objects in them. */
export function visibleTo(
  { permissions }: Pick<Caller, 'permissions'>,
  kind: 'node' | 'product' = 'node',
): (node: NodeRow) => boolean {
  const tops = pathsFor(permissions, 'read', kind)
  return ({ path }) => tops === 'all' || tops.some((top) => isWithin(path, top) || isWithin(top, path))
}

/** A classification is hidden with its root. Those who may read no node at all see the classifications alone. */
export function visibleClasses(caller: Caller, model: Model): (row: ClassificationRow) => boolean {
  if (!allows(caller.permissions, 'read', 'node')) return () => true
  const isVisible = visibleTo(caller)
  return ({ id }) => {
    const root = model.rootOf(id)
    return !root || isVisible(root)
  }
}

export function visibleAttributes(caller: Caller, model: Model) {
  const isVisibleNode = visibleTo(caller)
  const definitions = definitionView(caller.permissions, 'product')
  const ofNode = ({ definitionId }: Pick<AttributeRow, 'definitionId'>) =>
    definitions.isVisible(model.definitionById(definitionId)!)
  return {
    /** Attributes of a node that the caller may see. */
    ofNode,
    effective: ({ row, nodeId }: Pick<EffectiveAttribute, 'row' | 'nodeId'>) =>
      ofNode(row) && isVisibleNode(model.node(nodeId)!),
  }
}
