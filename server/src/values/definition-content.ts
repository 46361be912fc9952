/**
 * The content of an attribute definition: the fields sent, merged into the stored ones, and checked.
 *
 * Fields that are not sent keep their value. Texts are merged by locale, lists of values by tid; everything else is
 * replaced. An empty element removes the stored one. Errors name the field and the remedy.
 */
import { because, type AttributeType, attributeTypes, type AttrDefinition, type Infer } from '@kontor/contract'
import { mergeMeta } from '../common/api.ts'
import { storable } from '../core/storable.ts'
import { Problem } from '../errors.ts'
import { checkDefault, checkRange, mergeTexts } from './definition-parts.ts'
import { attributeTypeOf, typeRules, typesWhere } from './attribute-types.ts'
import { type LocaleOf, mergeList } from './domain-list.ts'
import type { DefinitionMessage, DefinitionRow } from './definition-row.ts'
import { toDefinition } from './definition.ts'
import { type FormatContext, formatOf } from './format.ts'
import { checkPattern } from './pattern.ts'
import { checkDefaultFits } from './rule.ts'

export type DefinitionValue = Infer<typeof AttrDefinition>
export type DefinitionContent = Pick<DefinitionRow, 'type' | 'localized' | 'multi' | 'definition'>

/** Lookups that the checks need. */
interface DefinitionContext extends FormatContext {
  readonly localeOf: LocaleOf
  /** The type of another definition; undefined if there is no such definition. */
  typeOf(tid: string): AttributeType | undefined
}

/** Meta items that the server fills itself; clients send them back, and they are ignored. */
const systemKeys: ReadonlySet<string> = new Set([
  'creationDate',
  'creationUser',
  'modificationDate',
  'modificationUser',
])

export function contentOf(
  sent: DefinitionValue,
  stored: DefinitionContent | undefined,
  context: DefinitionContext,
): DefinitionContent {
  const before: DefinitionMessage = stored?.definition ?? {}
  const type = typeOf(sent)
  const multiValued = sent.multiValued ? multiOf(sent.multiValued) : before.multiValued
  const domainVals = sent.domainVals
    ? mergeList(before.domainVals, sent.domainVals, context.localeOf)
    : before.domainVals
  const name = sent.name ? mergeTexts('name', before.name, sent.name) : before.name
  if (!name?.itm) throw new Problem('invalid', because('definitionName'))
  if (domainVals && !typeRules[type].allowsList) {
    throw new Problem('invalid', `domainVals: a ${type} has no list of values; remove it or choose another type`)
  }
  const defaultVal = sent.defaultVal ?? before.defaultVal
  const domainRange = sent.domainRange ?? before.domainRange
  const validation = sent.validation ?? before.validation
  const references = sent.references ?? before.references
  const format = formatOf(type, sent.format, before.format, context)
  const definition: Incomplete<DefinitionMessage> = {
    meta: { itm: mergeMeta(before.meta?.itm ?? [], sent.meta, systemKeys) },
    name,
    abbr: sent.abbr ? { ...tidOf(sent.abbr, before.abbr), ...mergeTexts('abbr', before.abbr, sent.abbr) } : before.abbr,
    tooltip: sent.tooltip ? mergeTexts('tooltip', before.tooltip, sent.tooltip) : before.tooltip,
    defaultVal: defaultVal && checkDefault(type, domainVals, defaultVal, format),
    multiValued,
    validation: validation && validationOf(type, validation),
    domainVals,
    domainRange: domainRange && checkRange(type, domainRange, format),
    tags: sent.tags ?? before.tags,
    references: references && columnsOf(sent.tid, type, references, context),
    format,
    group: sent.group ? groupOf(sent.group, before.group, context) : before.group,
    noValidateAsRichText: sent.noValidateAsRichText ?? before.noValidateAsRichText,
    required: sent.required ?? before.required,
    domain: sent.domain ?? before.domain,
  }
  const content = {
    type,
    localized: sent.localized === undefined ? (stored?.localized ?? false) : sent.localized === 'true',
    multi: multiValued?.value === 'true',
    definition: storable('attrDef', withoutEmpty(definition)),
  }
  const decides = sent.defaultVal ?? sent.validation ?? sent.domainRange ?? sent.multiValued ?? sent.format
  if (decides && content.definition.defaultVal)
    checkDefaultFits(toDefinition({ id: 0, tid: sent.tid, ...content }), content.definition.defaultVal)
  return content
}

function typeOf({ type }: DefinitionValue): AttributeType {
  const known = attributeTypeOf(type)
  if (known) return known
  throw new Problem('invalid', `@type: unknown attribute type ${type}; expected ${attributeTypes.join(', ')}`)
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
  if (!typeRules[type].allowsValidation) {
    const types = typesWhere(({ allowsValidation }) => allowsValidation)
    throw new Problem('invalid', `validation: only attributes of type ${types} have one, this is a ${type}`)
  }
  if (pattern !== undefined) checkPattern('validation/@type', pattern)
  for (const [field, length] of Object.entries({ minLength, maxLength })) {
    if (length !== undefined && length < 0) throw new Problem('invalid', `validation/@${field}: ${length} is below 0`)
  }
  if ((minLength ?? 0) > (maxLength ?? Infinity)) {
    throw new Problem('invalid', because('lengthsCrossed', { min: minLength!, max: maxLength! }))
  }
  return sent
}

/** The columns of a table: definitions that exist and are not tables themselves. */
function columnsOf(
  tid: string,
  type: AttributeType,
  sent: NonNullable<DefinitionValue['references']>,
  { typeOf: typeByTid }: DefinitionContext,
) {
  const columns = (sent.itm ?? []).flatMap(({ value, key }) => value ?? key ?? [])
  if (columns.length === 0) return undefined
  if (typeRules[type].scalar) throw new Problem('invalid', `references: only a table has columns, this is a ${type}`)
  columns.forEach((column, i) => {
    if (column === tid) throw new Problem('invalid', `references: the table ${tid} cannot be its own column`)
    if (columns.indexOf(column) < i)
      throw new Problem('invalid', `references: the column ${column} is named twice; send it once`)
    const columnType = typeByTid(column)
    if (!columnType) {
      throw new Problem(
        'notFound',
        `references: no attribute definition has the tid ${column}; create the column first`,
      )
    }
    if (!typeRules[columnType].scalar)
      throw new Problem('invalid', `references: the column ${column} is a table itself`)
  })
  return { itm: columns.map((value, pos) => ({ value, pos })) }
}

/** The group and the place in it; the last one by default. An empty element takes the attribute out of its group. */
function groupOf(
  { tid, pos }: NonNullable<DefinitionValue['group']>,
  stored: DefinitionMessage['group'],
  { placeIn }: DefinitionContext,
): DefinitionMessage['group'] {
  if (tid === undefined && pos === undefined) return undefined
  const group = tid ?? stored?.tid
  if (!placeIn) throw new Problem('invalid', 'group: only attributes of products have a group; remove it')
  if (group === undefined) throw new Problem('invalid', 'group: the place needs a group; send its tid')
  const next = placeIn(group)
  if (next === undefined) throw new Problem('notFound', because('groupUnknown', { group }))
  if ((pos ?? 0) < 0) throw new Problem('invalid', `group/@pos: ${pos} is below 0`)
  return { tid: group, pos: pos ?? (group === stored?.tid ? stored.pos! : next) }
}

const tidOf = (sent: { tid?: string }, stored: { tid?: string } | undefined) => {
  const tid = sent.tid ?? stored?.tid
  return tid === undefined ? {} : { tid }
}

type Incomplete<T> = { readonly [K in keyof T]: T[K] | undefined }

/** Without absent fields, empty texts and empty lists. */
function withoutEmpty(message: Incomplete<DefinitionMessage>): DefinitionMessage {
  const filled = Object.entries(message).filter(
    ([, value]) =>
      value !== undefined &&
      !(typeof value === 'object' && Object.values(value).every((part) => Array.isArray(part) && part.length === 0)),
  )
  return Object.fromEntries(filled)
}
