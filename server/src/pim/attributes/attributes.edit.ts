/**
 * Playing one attribute of a node on a draft: what is sent goes over what is stored, and is judged by the definition.
 *
 * A node says only what differs; what it does not say is said by a node above it, or by the definition.
 */
import type { Attr, Infer } from '@kontor/contract'
import type { Done } from '../../core/batch.ts'
import { cleanPath } from '../../core/names.ts'
import { difference } from '../../core/upsert.ts'
import { Problem } from '../../errors.ts'
import { checkDefault, checkRange, some } from '../model/content.ts'
import type { Definition } from '../model/definition.ts'
import { type List, type LocaleOf, mergeList } from '../model/domain-list.ts'
import type { Draft } from '../model/draft.ts'
import type { AttributeRow, NodeRow } from '../model/model.sql.ts'

export type AttributeValue = Infer<typeof Attr>

/** `within` is the node that the attribute came in, where it came inside one. */
export function playAttribute(draft: Draft, sent: AttributeValue, localeOf: LocaleOf, within?: NodeRow): Done {
  const stored = within || sent.id === undefined ? undefined : demandAttribute(draft, sent)
  const node = within ?? (stored ? draft.node(stored.nodeId)! : demandNode(draft, sent))
  const definition = stored ? draft.model.definitionById(stored.definitionId)! : demandDefinition(draft, sent)
  const before = stored ?? draft.attributeAt(node.id, definition.id)
  const row: AttributeRow = {
    id: before?.id ?? draft.newId(),
    nodeId: node.id,
    definitionId: definition.id,
    ...saysOf(sent, before, definition, localeOf),
  }
  draft.demand(before ? 'update' : 'create', 'attribute', node.path)
  draft.putAttribute(row)
  const changes = difference(before ? factsOf(before) : {}, factsOf(row))
  if (!before) changes['key'] = { to: definition.tid }
  if (!before || Object.keys(changes).length > 0) {
    draft.record({ dataType: 'attribute', id: row.id, event: before ? 'UPDATE' : 'CREATE', changes })
  }
  return { action: before ? 'update' : 'create', dataType: 'attribute', id: row.id, path: node.path }
}

function demandAttribute(draft: Draft, { id, key }: AttributeValue): AttributeRow {
  const row = draft.attribute(id!)
  if (!row) throw new Problem('notFound', `no attribute has the id ${id}`)
  const { tid } = draft.model.definitionById(row.definitionId)!
  if (key !== undefined && key !== tid) {
    throw new Problem('invalid', `@key: the attribute ${id} is ${tid} and stays it; add ${key} without an id`)
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
  const definition = draft.model.definition(key.normalize('NFC').trim())
  if (definition) return definition
  throw new Problem('notFound', `@key: no attribute definition has the tid ${key}; create it first`)
}

type Says = Omit<AttributeRow, 'id' | 'nodeId' | 'definitionId'>

function saysOf(
  sent: AttributeValue,
  stored: AttributeRow | undefined,
  definition: Definition,
  localeOf: LocaleOf,
): Says {
  const { type, tid, localized } = definition
  if (sent.localized !== undefined && (sent.localized === 'true') !== localized) {
    throw new Problem(
      'invalid',
      `@localized: ${tid} is ${localized ? '' : 'not '}localized everywhere; change its definition`,
    )
  }
  const domainVals = sent.domainVals
    ? listOf(sent.domainVals, stored?.domainVals ?? undefined, definition, localeOf)
    : stored?.domainVals
  const defaultVal = sent.defaultVal ?? stored?.defaultVal
  const domainRange = sent.domainRange ?? stored?.domainRange
  const list = domainVals ?? definition.row.definition.domainVals
  return {
    level: sent.level === undefined ? (stored?.level ?? null) : levelOf(sent.level),
    inheritance: sent.inheritance === undefined ? (stored?.inheritance ?? null) : inheritanceOf(sent.inheritance),
    restriction: sent.restriction ?? stored?.restriction ?? null,
    option: sent.option ?? stored?.option ?? null,
    cardinality:
      sent.cardinality === undefined ? (stored?.cardinality ?? null) : cardinalityOf(sent.cardinality, definition),
    defaultVal: (defaultVal && checkDefault(type, list, defaultVal)) ?? null,
    domainVals: domainVals ?? null,
    domainRange: (domainRange && checkRange(type, domainRange)) ?? null,
  }
}

function levelOf(sent: string): string {
  const letters = new Set(sent.toLowerCase().replaceAll(/[\s,;]/g, ''))
  const level = [...'pav'].filter((letter) => letters.delete(letter)).join('')
  if (level !== '' && letters.size === 0) return level
  throw new Problem('invalid', `@level: ${sent} is none; expected letters of p (product), a (article), v (variation)`)
}

function inheritanceOf(sent: string): 'visible' | 'not_visible' {
  if (sent === 'visible' || sent === 'not_visible') return sent
  throw new Problem('invalid', `@inheritance: ${sent} is none; expected visible or not_visible`)
}

function cardinalityOf(sent: number, { tid, multi, cardinality = Infinity }: Definition): number {
  if (sent < 1) throw new Problem('invalid', `@cardinality: ${sent} allows no value; expected 1 or more`)
  if (!multi && sent > 1) {
    throw new Problem('invalid', `@cardinality: ${tid} has one value; make its definition multiValued for ${sent}`)
  }
  if (sent > cardinality) {
    throw new Problem(
      'invalid',
      `@cardinality: ${sent} is above the ${cardinality} that the definition of ${tid} allows`,
    )
  }
  return sent
}

/** A node narrows the list of the definition; where that has none, the list is the node's own. */
function listOf(
  sent: List,
  stored: List | undefined,
  { tid, type, row }: Definition,
  localeOf: LocaleOf,
): List | undefined {
  if (type === 'boolean' || type === 'table')
    throw new Problem('invalid', `domainVals: a ${type} has no list of values`)
  const list = mergeList(stored, sent, localeOf)
  const wider = row.definition.domainVals
  if (!list || !wider) return list
  const known = new Set(wider.domainVal?.map((value) => value.tid))
  const strangers = (list.domainVal ?? []).map((value) => value.tid).filter((key) => !known.has(key))
  if (strangers.length === 0) return list
  throw new Problem(
    'invalid',
    `domainVals: ${some(strangers)} is not in the list of ${tid}; add it to the definition first`,
  )
}

/** What the history keeps: null is what the node does not say. */
function factsOf(row: AttributeRow): Record<string, unknown> {
  const said = Object.entries(row).filter(([field]) => field !== 'id' && field !== 'definitionId')
  return Object.fromEntries(said.map(([field, value]) => [field, value ?? undefined]))
}
