/**
 * An attribute as an editor needs it, made from a definition (of products, assets or channels) and from the overrides of a
 * classification node, where there are any.
 */
import type { Attr, AttrDefinition, AttributeType, DomainVals, FormatUnit, Infer, UnitSize } from '@kontor/contract'
import { fact, nameIn } from '../items.ts'

interface DomainOption {
  readonly value: string
  readonly label: string
}

export interface Attribute {
  readonly key: string
  readonly label: string
  readonly help?: string
  readonly dataType: AttributeType
  readonly localized: boolean
  readonly multiple: boolean
  readonly most?: number
  /** The values to choose from; `open` allows other values too. */
  readonly options?: readonly DomainOption[]
  readonly open: boolean
  readonly required: boolean
  /** Every language needs a value, not just one. */
  readonly requiredInAll: boolean
  readonly readOnly: boolean
  /** Whether the top level has a default value, and whether lower levels inherit the values of upper ones. */
  readonly hasDefault: boolean
  readonly inherits: boolean
  readonly from?: string
  readonly to?: string
  readonly wholeOnly: boolean
  readonly minLength?: number
  readonly maxLength?: number
  /** Of numbers: kg, EUR. */
  readonly unit?: string
  /** Of measures: the units to choose from, the base unit first. */
  readonly units?: readonly UnitSize[]
  /** Of prices. */
  readonly currencies?: readonly string[]
  readonly columns: readonly string[]
  /** The levels of a product that have it: p, a, v. */
  readonly levels: string
  /** The node that it comes from. */
  readonly nodePath?: string
}

type Definition = Infer<typeof AttrDefinition>
type NodeAttribute = Infer<typeof Attr>

export function toAttribute(definition: Definition, locale: string, node?: NodeAttribute): Attribute {
  const { tid, type, multiValued, validation, references, required } = definition
  const range = node?.domainRange ?? definition.domainRange
  const domain = node?.domainVals ?? definition.domainVals
  const help = nameIn(definition.tooltip, locale)
  const unit = type === 'number' ? fact(definition, 'unit') : undefined
  const most = node?.cardinality ?? multiValued?.cardinality
  return {
    key: tid,
    label: nameIn(definition.name, locale) || tid,
    ...(help && { help }),
    dataType: type as AttributeType,
    localized: (node?.localized ?? definition.localized) === 'true',
    multiple: multiValued?.value === 'true',
    ...(most !== undefined && { most }),
    ...(domain && { options: optionsOf(domain, locale) }),
    open: domain?.allowNewValue === 'true',
    required: node?.restriction ? node.restriction !== 'optional' : required !== undefined && required !== 'optional',
    requiredInAll: required === 'requiredInAllLanguages',
    readOnly: node?.option === 'READONLY',
    hasDefault: node?.defaultVal !== undefined,
    inherits: node?.inheritance !== 'not_visible',
    ...(range?.from && { from: range.from }),
    ...(range?.to && { to: range.to }),
    wholeOnly: range?.intOnly === 'true',
    ...(validation?.minLength !== undefined && { minLength: validation.minLength }),
    ...(validation?.maxLength !== undefined && { maxLength: validation.maxLength }),
    ...(unit && { unit }),
    ...(type === 'measure' && { units: (definition.format?.unit ?? []).map(toUnitSize) }),
    ...(type === 'price' && { currencies: (definition.format?.unit ?? []).map(({ code }) => code) }),
    columns: references?.itm?.flatMap(({ key, value }) => key ?? value ?? []) ?? [],
    levels: node?.level ?? 'pav',
    ...(node?.nodePath && { nodePath: node.nodePath }),
  }
}

const toUnitSize = ({ code, factor = '1', offset = '0', synonym = [] }: Infer<typeof FormatUnit>): UnitSize => ({
  code,
  factor: Number(factor),
  offset: Number(offset),
  synonyms: synonym,
})

const optionsOf = (domain: Infer<typeof DomainVals>, locale: string): DomainOption[] =>
  (domain.domainVal ?? []).map(({ tid, itm }) => ({ value: tid, label: nameIn(itm && { itm }, locale) || tid }))
