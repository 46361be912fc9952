/**
 * Applies one attribute of a node to a draft. An attribute is identified by its id, or by its node and the key of its
 * definition: a node has at most one attribute per definition.
 */
import type { Done } from '../../core/batch/batch.ts'
import { cleanPath } from '../../core/batch/names.ts'
import { difference } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import { type Definition, type LocaleOf, ordered } from '../../values/api.ts'
import type { Draft } from '../model/draft.ts'
import type { AttributeRow, NodeRow } from '../model/model.sql.ts'
import { type AttributeValue, overridesOf } from './attributes.overrides.ts'

/** `within`: the enclosing node of a nested message, if any. */
export function applyAttribute(draft: Draft, sent: AttributeValue, localeOf: LocaleOf, within?: NodeRow): Done {
  const stored = within || sent.id === undefined ? undefined : demandAttribute(draft, sent)
  const node = within ?? (stored ? draft.node(stored.nodeId)! : demandNode(draft, sent))
  const definition = stored ? draft.model.definitionById(stored.definitionId)! : demandDefinition(draft, sent)
  const before = stored ?? draft.attributeAt(node.id, definition.id)
  const row: AttributeRow = {
    id: before?.id ?? draft.newId(),
    nodeId: node.id,
    definitionId: definition.id,
    ...overridesOf(sent, before, definition, localeOf),
  }
  const changes = before
    ? difference(factsOf(before), factsOf(row))
    : difference({}, { key: definition.tid, ...factsOf(row) })
  if (Object.keys(changes).length > 0) {
    draft.demand(before ? 'update' : 'create', 'attribute', node.path)
    draft.putAttribute(row)
    draft.record({ dataType: 'attribute', id: row.id, event: before ? 'UPDATE' : 'CREATE', changes })
  }
  return { action: before ? 'update' : 'create', dataType: 'attribute', id: row.id, path: node.path }
}

function demandAttribute(draft: Draft, { id, key }: AttributeValue): AttributeRow {
  const row = draft.attribute(id!)
  if (!row) throw new Problem('notFound', `no attribute has the id ${id}`)
  const { tid } = draft.model.definitionById(row.definitionId)!
  if (key !== undefined && key !== tid) {
    throw new Problem(
      'invalid',
      `@key: the attribute ${id} is ${tid} and cannot become another; add ${key} without an id`,
    )
  }
  return row
}

function demandNode(draft: Draft, { nodeId, nodePath }: AttributeValue): NodeRow {
  if (nodeId === undefined && nodePath === undefined) {
    throw new Problem('invalid', 'names no attribute; give its id, or nodeId or nodePath together with key')
  }
  const node = draft.node(nodeId ?? cleanPath(nodePath!))
  if (node) return node
  throw new Problem('notFound', `no node has the ${nodeId === undefined ? `path ${nodePath}` : `id ${nodeId}`}`)
}

function demandDefinition(draft: Draft, { key }: AttributeValue): Definition {
  if (key === undefined) throw new Problem('invalid', '@key: missing; name the attribute definition by its tid')
  const definition = draft.definition(key.normalize('NFC').trim())
  if (definition) return definition
  throw new Problem('notFound', `@key: no attribute definition has the tid ${key}; create it first`)
}

const notRecorded: ReadonlySet<string> = new Set<keyof AttributeRow>(['id', 'definitionId', 'version'])

/** The fields of an attribute that the history records. */
function factsOf(row: AttributeRow): Record<string, unknown> {
  const recorded = Object.entries(row).filter(([field]) => !notRecorded.has(field))
  return Object.fromEntries(recorded.map(([field, value]) => [field, ordered(value) ?? undefined]))
}
