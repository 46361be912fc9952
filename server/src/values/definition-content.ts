/**
 * What an attribute definition says: merged with what is stored, and judged.
 *
 * Only what is sent changes. Texts are merged by locale, lists of values by tid, everything else is replaced; an element
 * that comes empty removes what is stored. A fault is told with its place and what to do.
 */
import { attributeTypes, type AttrDefinition, type Infer } from '@kontor/contract'
import { mergeMeta } from '../common/api.ts'
import { Problem } from '../errors.ts'
import { checkDefault, checkRange, mergeTexts } from './definition-parts.ts'
import { attributeTypeOf } from './definition.ts'
import { type LocaleOf, mergeList } from './domain-list.ts'
import { type AttributeType, type DefinitionMessage, type DefinitionRow } from './definition-row.ts'
import { compilePattern } from './pattern.ts'

export type DefinitionValue = Infer<typeof AttrDefinition>
export type Content = Pick<DefinitionRow, 'type' | 'localized' | 'multi' | 'definition'>

/** What a definition is judged against. */
export interface Surroundings {
  readonly localeOf: LocaleOf
  /** The type of another definition, if there is one. */
  typeOf(tid: string): AttributeType | undefined
}

/** Facts that the system knows itself; sent back from a retrieve, they are ignored. */
export const systemKeys: ReadonlySet<string> = new Set([
  'creationDate',
  'creationUser',
  'modificationDate',
  'modificationUser',
])

export function contentOf(sent: DefinitionValue, stored: Content | undefined, around: Surroundings): Content {
  const before: DefinitionMessage = stored?.definition ?? {}
  const type = typeOf(sent)
  const multiValued = sent.multiValued ? multiOf(sent.multiValued) : before.multiValued
  const domainVals = sent.domainVals
    ? mergeList(before.domainVals, sent.domainVals, around.localeOf)
    : before.domainVals
  const name = sent.name ? mergeTexts('name', before.name, sent.name) : before.name
  if (!name?.itm) throw new Problem('invalid', 'name: a definition needs a name; send an itm with loc and text')
  if (domainVals && (type === 'boolean' || type === 'table')) {
    throw new Problem('invalid', `domainVals: a ${type} has no list of values; remove it or choose another type`)
  }
  const defaultVal = sent.defaultVal ?? before.defaultVal
  const domainRange = sent.domainRange ?? before.domainRange
  const validation = sent.validation ?? before.validation
  const references = sent.references ?? before.references
  const definition: DefinitionMessage = {
    meta: { itm: mergeMeta(before.meta?.itm ?? [], sent.meta, systemKeys) },
    name,
    abbr: sent.abbr ? { ...tidOf(sent.abbr, before.abbr), ...mergeTexts('abbr', before.abbr, sent.abbr) } : before.abbr,
    tooltip: sent.tooltip ? mergeTexts('tooltip', before.tooltip, sent.tooltip) : before.tooltip,
    defaultVal: defaultVal && checkDefault(type, domainVals, defaultVal),
    multiValued,
    validation: validation && validationOf(type, validation),
    domainVals,
    domainRange: domainRange && checkRange(type, domainRange),
    tags: sent.tags ?? before.tags,
    references: references && columnsOf(sent.tid, type, references, around),
    noValidateAsRichText: sent.noValidateAsRichText ?? before.noValidateAsRichText,
    required: sent.required ?? before.required,
    domain: sent.domain ?? before.domain,
  }
  return {
    type,
    localized: sent.localized === undefined ? (stored?.localized ?? false) : sent.localized === 'true',
    multi: multiValued?.value === 'true',
    definition: saidOf(definition),
  }
}

function typeOf({ type }: DefinitionValue): AttributeType {
  const known = attributeTypeOf(type)
  if (known) return known
  throw new Problem('invalid', `@type: ${type} is no type of attribute; expected ${attributeTypes.join(', ')}`)
}

function multiOf({
  value,
  cardinality,
}: NonNullable<DefinitionValue['multiValued']>): DefinitionMessage['multiValued'] {
  if (cardinality !== undefined && cardinality < 1) {
    throw new Problem('invalid', `multiValued: cardinality ${cardinality} allows no value; expected 1 or more`)
  }
  if (value === 'false' && (cardinality ?? 1) > 1) {
    throw new Problem('invalid', `multiValued: cardinality ${cardinality} needs the value true`)
  }
  if (value === undefined && cardinality === undefined) return undefined
  return { value: value ?? (cardinality === 1 ? 'false' : 'true'), ...(cardinality !== undefined && { cardinality }) }
}

function validationOf(type: AttributeType, sent: NonNullable<DefinitionValue['validation']>) {
  const { type: pattern, minLength, maxLength } = sent
  if (pattern === undefined && minLength === undefined && maxLength === undefined) return undefined
  if (type !== 'text') throw new Problem('invalid', `validation: only texts are validated, this is a ${type}`)
  if (pattern !== undefined) compilePattern('validation/@type', pattern)
  for (const [field, length] of Object.entries({ minLength, maxLength })) {
    if (length !== undefined && length < 0) throw new Problem('invalid', `validation/@${field}: ${length} is below 0`)
  }
  if ((minLength ?? 0) > (maxLength ?? Infinity)) {
    throw new Problem('invalid', `validation: minLength ${minLength} is above maxLength ${maxLength}; no text would do`)
  }
  return sent
}

/** The columns of a table: definitions that exist and are no tables themselves. */
function columnsOf(
  tid: string,
  type: AttributeType,
  sent: NonNullable<DefinitionValue['references']>,
  { typeOf: typeByTid }: Surroundings,
) {
  const columns = (sent.itm ?? []).flatMap(({ value, key }) => value ?? key ?? [])
  if (columns.length === 0) return undefined
  if (type !== 'table') throw new Problem('invalid', `references: only a table has columns, this is a ${type}`)
  columns.forEach((column, i) => {
    if (column === tid) throw new Problem('invalid', `references: the table ${tid} cannot be its own column`)
    if (columns.indexOf(column) < i) throw new Problem('invalid', `references: the column ${column} is named twice`)
    const columnType = typeByTid(column)
    if (!columnType) {
      throw new Problem(
        'notFound',
        `references: no attribute definition has the tid ${column}; create the column first`,
      )
    }
    if (columnType === 'table') throw new Problem('invalid', `references: the column ${column} is a table itself`)
  })
  return { itm: columns.map((value, pos) => ({ value, pos })) }
}

const tidOf = (sent: { tid?: string }, stored: { tid?: string } | undefined) => {
  const tid = sent.tid ?? stored?.tid
  return tid === undefined ? {} : { tid }
}

/** Without what says nothing: absent fields, empty texts and empty lists. */
function saidOf(message: DefinitionMessage): DefinitionMessage {
  const said = Object.entries(message).filter(
    ([, value]) =>
      value !== undefined &&
      !(typeof value === 'object' && Object.values(value).every((part) => Array.isArray(part) && part.length === 0)),
  )
  return Object.fromEntries(said)
}
