/** Which nodes a caller may see: the subtrees that their grants name, and the nodes above those. */
import type { Caller } from '../../core/context.ts'
import { isWithin } from '../../core/batch/names.ts'
import { pathsFor } from '../../core/access/permissions.ts'
import type { NodeRow } from '../model/model.sql.ts'

export function visibleTo({ permissions }: Caller): (node: NodeRow) => boolean {
  const tops = pathsFor(permissions, 'read', 'node')
  return ({ path }) => tops === 'all' || tops.some((top) => isWithin(path, top) || isWithin(top, path))
}
