/** Attributes of nodes in replies: as they hold at a node, or only what the node itself overrides. */
import type { Attr, Infer } from '@kontor/contract'
import { type Domain, fullList, toItems } from '../../values/api.ts'
import type { EffectiveAttribute } from '../model/effective.ts'
import type { Model } from '../model/model.ts'
import type { AttributeRow } from '../model/model.sql.ts'

type AttributeValue = Infer<typeof Attr>

export interface ViewOptions {
  readonly withDomainValues?: boolean
  readonly withDefaultValues?: boolean
}

/** The attribute as it holds: from the node, a node above it, or the definition. */
export function toAttribute(
  attribute: EffectiveAttribute,
  { withDomainValues, withDefaultValues }: ViewOptions,
): AttributeValue {
  const { definition, domain, range, defaultVal, cardinality } = attribute
  return {
    ...(withDefaultValues && defaultVal && { defaultVal }),
    ...(withDomainValues && domain && { domainVals: listOf(attribute, domain) }),
    ...(range && { domainRange: { ...range, intOnly: range.intOnly ? 'true' : 'false' } }),
    key: attribute.key,
    level: [...attribute.levels].join(''),
    inheritance: attribute.inheritance,
    restriction: attribute.restriction,
    localized: definition.localized ? 'true' : 'false',
    ...(cardinality !== undefined && { cardinality }),
    option: attribute.option,
    id: attribute.id,
    nodeId: attribute.nodeId,
    nodePath: attribute.nodePath,
  }
}

function listOf({ row, definition }: EffectiveAttribute, { values, allowNewValue }: Domain) {
  const { sortDirection = 'MANUAL', sortLanguageId } = row.domainVals ?? definition.row.definition.domainVals ?? {}
  return fullList({
    domainVal: [...values].map(([tid, labels]) => ({ tid, itm: toItems(labels) })),
    allowNewValue: allowNewValue ? 'true' : 'false',
    sortDirection,
    ...(sortLanguageId !== undefined && { sortLanguageId }),
  })
}

/** Only what the node itself overrides; sent back, it changes nothing. */
export function toOverrides(model: Model, row: AttributeRow): AttributeValue {
  const { tid, localized } = model.definitionById(row.definitionId)!
  const { id, nodeId, level, inheritance, restriction, option, cardinality, defaultVal, domainVals, domainRange } = row
  const overrides = {
    defaultVal,
    domainVals: domainVals && fullList(domainVals),
    domainRange,
    level,
    inheritance,
    restriction,
    option,
    cardinality,
  }
  return {
    ...Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== null)),
    key: tid,
    localized: localized ? 'true' : 'false',
    id,
    nodeId,
    nodePath: model.node(nodeId)!.path,
  }
}
