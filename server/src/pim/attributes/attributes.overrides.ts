/**
 * The overrides of a node for an attribute: those sent, merged into those stored, and checked against the definition.
 *
 * A node stores only what differs. The rest comes from the nearest node above that overrides it, or from the definition.
 */
import type { Attr, Infer } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import {
  checkDefault,
  checkDefaultFits,
  checkRange,
  type Definition,
  type DomainList,
  type LocaleOf,
  mergeList,
  some,
  toDomain,
  toRange,
  typeRules,
} from '../../values/api.ts'
import type { AttributeRow } from '../model/model.sql.ts'

export type AttributeValue = Infer<typeof Attr>
type Overrides = Omit<AttributeRow, 'id' | 'nodeId' | 'definitionId' | 'version'>

export function overridesOf(
  sent: AttributeValue,
  stored: AttributeRow | undefined,
  definition: Definition,
  localeOf: LocaleOf,
): Overrides {
  const { tid, localized } = definition
  if (sent.localized !== undefined && (sent.localized === 'true') !== localized) {
    throw new Problem(
      'invalid',
      `@localized: ${tid} is ${localized ? '' : 'not '}localized everywhere; change its definition`,
    )
  }
  const before = stored?.domainVals ?? undefined
  const overrides = checked(
    {
      level: sent.level === undefined ? (stored?.level ?? null) : levelOf(sent.level),
      inheritance: sent.inheritance === undefined ? (stored?.inheritance ?? null) : inheritanceOf(sent.inheritance),
      restriction: sent.restriction ?? stored?.restriction ?? null,
      option: sent.option ?? stored?.option ?? null,
      cardinality: sent.cardinality ?? stored?.cardinality ?? null,
      defaultVal: sent.defaultVal ?? stored?.defaultVal ?? null,
      domainVals: (sent.domainVals ? mergeList(before, sent.domainVals, localeOf) : before) ?? null,
      domainRange: sent.domainRange ?? stored?.domainRange ?? null,
    },
    definition,
  )
  const { cardinality, defaultVal, domainRange } = overrides
  if (defaultVal && (sent.defaultVal ?? sent.domainRange ?? sent.cardinality) !== undefined)
    checkDefaultFits(
      {
        ...definition,
        cardinality: cardinality ?? definition.cardinality,
        range: toRange(domainRange) ?? definition.range,
        domain: toDomain(overrides.domainVals) ?? definition.domain,
      },
      defaultVal,
    )
  return overrides
}

/** Why the overrides of a node would not fit a definition; undefined if they do. */
export function misfitOf(overrides: Overrides, definition: Definition): string | undefined {
  try {
    checked(overrides, definition)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

function checked(overrides: Overrides, definition: Definition): Overrides {
  const { cardinality, defaultVal, domainVals, domainRange } = overrides
  const { type, format, row } = definition
  if (cardinality !== null) checkCardinality(cardinality, definition)
  if (domainVals) checkList(domainVals, definition)
  const list = domainVals ?? row.definition.domainVals
  return {
    ...overrides,
    defaultVal: (defaultVal && checkDefault(type, list, defaultVal, format)) ?? null,
    domainRange: (domainRange && checkRange(type, domainRange, format)) ?? null,
  }
}

function levelOf(sent: string): string {
  const letters = new Set(sent.toLowerCase().replaceAll(/[\s,;]/g, ''))
  const level = [...'pav'].filter((letter) => letters.delete(letter)).join('')
  if (level !== '' && letters.size === 0) return level
  throw new Problem(
    'invalid',
    `@level: unknown level ${sent}; expected letters of p (product), a (article), v (variation)`,
  )
}

function inheritanceOf(sent: string): 'visible' | 'not_visible' {
  if (sent === 'visible' || sent === 'not_visible') return sent
  throw new Problem('invalid', `@inheritance: unknown value ${sent}; expected visible or not_visible`)
}

function checkCardinality(sent: number, { tid, multi, cardinality = Infinity }: Definition): void {
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
}

/** A node narrows the list of the definition; where that has none, the list is the node's own. */
function checkList(list: DomainList, { tid, type, row }: Definition): void {
  if (!typeRules[type].allowsList) {
    throw new Problem('invalid', `domainVals: a ${type} has no list of values`)
  }
  const wider = row.definition.domainVals
  if (!wider) return
  const known = new Set(wider.domainVal?.map((value) => value.tid))
  const unknown = (list.domainVal ?? []).map((value) => value.tid).filter((key) => !known.has(key))
  if (unknown.length === 0) return
  throw new Problem(
    'invalid',
    `domainVals: ${some(unknown)} is not in the list of ${tid}; add it to the definition first`,
  )
}
