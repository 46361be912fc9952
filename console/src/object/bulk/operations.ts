/** The operations of a change as people choose them, and the messages that they become. */
import type { Change as ChangeShape, ChangeItem, ChangeOperation, Infer, usageRightFields } from '@kontor/contract'
import type { PickerKind } from '../picker-sources.ts'
import type { Attribute } from '../values/attribute.ts'
import type { Texts } from '../values/draft.ts'

export type BulkKind = 'product' | 'asset'
export type BulkChange = Infer<typeof ChangeShape>
export type BulkItem = Infer<typeof ChangeItem>
export type Operation = Infer<typeof ChangeOperation>

type DataType = NonNullable<Operation['dataType']>
interface Choice {
  readonly type: Operation['type']
  readonly kinds: readonly BulkKind[]
  /** The fields of the form: an attribute with its value, a text to find, or an object to choose. */
  readonly fields:
    | 'value'
    | 'attribute'
    | 'find'
    | 'copy'
    | 'template'
    | 'expression'
    | 'usage'
    | 'usagePart'
    | 'keywords'
    | 'keywordPair'
    | { readonly picker: PickerKind; readonly label: ObjectLabel }
  readonly dataType?: DataType
  readonly hasRole?: boolean
}
type ObjectLabel = 'category' | 'folder' | 'channel' | 'file' | 'product' | 'keyword'
const both = ['product', 'asset'] as const
const category = { picker: 'category', label: 'category' } as const
const folder = { picker: 'folder', label: 'folder' } as const
const channel = { picker: 'project', label: 'channel' } as const
const file = { picker: 'file', label: 'file' } as const
const product = { picker: 'product', label: 'product' } as const
const keyword = { picker: 'keyword', label: 'keyword' } as const

// prettier-ignore
export const choices = {
  set:           { type: 'set', kinds: both, fields: 'value' },
  clear:         { type: 'clear', kinds: both, fields: 'attribute' },
  append:        { type: 'append', kinds: both, fields: 'value' },
  remove:        { type: 'remove', kinds: both, fields: 'value' },
  replace:       { type: 'replace', kinds: both, fields: 'find' },
  findReplace:   { type: 'findReplace', kinds: both, fields: 'find' },
  copy:          { type: 'copy', kinds: both, fields: 'copy' },
  concatenate:   { type: 'concatenate', kinds: both, fields: 'template' },
  calculate:     { type: 'calculate', kinds: both, fields: 'expression' },
  move:          { type: 'move', kinds: ['product'], fields: category },
  place:         { type: 'link', kinds: both, fields: channel, dataType: 'project' },
  withdraw:      { type: 'unlink', kinds: both, fields: channel, dataType: 'project' },
  linkFile:      { type: 'link', kinds: ['product'], fields: file, dataType: 'asset', hasRole: true },
  unlinkFile:    { type: 'unlink', kinds: ['product'], fields: file, dataType: 'asset', hasRole: true },
  linkProduct:   { type: 'link', kinds: both, fields: product, dataType: 'product', hasRole: true },
  unlinkProduct: { type: 'unlink', kinds: both, fields: product, dataType: 'product', hasRole: true },
  addKeyword:    { type: 'link', kinds: ['asset'], fields: keyword, dataType: 'keyword' },
  removeKeyword: { type: 'unlink', kinds: ['asset'], fields: keyword, dataType: 'keyword' },
  setKeywords:   { type: 'set', kinds: ['asset'], fields: 'keywords', dataType: 'keyword' },
  swapKeyword:   { type: 'replace', kinds: ['asset'], fields: 'keywordPair', dataType: 'keyword' },
  setUsage:      { type: 'set', kinds: ['asset'], fields: 'usage' },
  clearUsage:    { type: 'clear', kinds: ['asset'], fields: 'usagePart' },
  moveFile:      { type: 'move', kinds: ['asset'], fields: folder },
} as const satisfies Record<string, Choice>
export type ChoiceName = keyof typeof choices
export const choiceOf = (name: ChoiceName): Choice => choices[name]
const isUsage = (fields: Choice['fields']) => fields === 'usage' || fields === 'usagePart'
/** The choice that a stored operation was. */
export const choiceFor = (kind: BulkKind, { type, dataType, usageRight }: Operation) =>
  (Object.keys(choices) as ChoiceName[]).find((name) => {
    const choice = choiceOf(name)
    const fits = choice.type === type && choice.dataType === dataType && choice.kinds.includes(kind)
    return fits && isUsage(choice.fields) === (usageRight !== undefined)
  })
/** `types`: only these operations. */
export const choicesFor = (kind: BulkKind, types?: readonly string[]) =>
  (Object.keys(choices) as ChoiceName[]).filter((name) => {
    const choice = choiceOf(name)
    return choice.kinds.includes(kind) && (types?.includes(choice.type) ?? true)
  })

/** A row of the form. */
export interface OperationDraft {
  readonly key: string
  readonly choice: ChoiceName
  readonly attribute?: string | undefined
  readonly locale?: string | undefined
  readonly texts: Texts
  readonly find: string
  readonly replacement: string
  readonly from?: string | undefined
  readonly fromLocale?: string | undefined
  /** A template or an expression. */
  readonly formula: string
  readonly unit?: string | undefined
  readonly clearIfMissing?: boolean | undefined
  readonly to?: string | undefined
  readonly role: string
  readonly usageRight?: UsageRight | undefined
}
export type UsageRight = (typeof usageRightFields)[number]

export const newOperation = (choice: ChoiceName): OperationDraft => ({
  key: crypto.randomUUID(),
  choice,
  texts: [],
  find: '',
  replacement: '',
  formula: '',
  role: '',
})

/** Whether an attribute can be changed in this way. Only lists have values to remove; only texts have parts. */
export function suits(name: ChoiceName, { dataType, multiple, readOnly, options }: Attribute): boolean {
  if (readOnly || dataType === 'table') return false
  if (name === 'remove') return multiple
  const isText = dataType === 'text' && !options
  if (name === 'findReplace') return isText
  if (name === 'concatenate') return isText || dataType === 'identifier' || dataType === 'richtext'
  if (name === 'calculate') return dataType !== 'ref'
  return name === 'append' ? multiple || isText : true
}

/** The message; undefined while a field is missing. */
export function toOperation(draft: OperationDraft, attributes: ReadonlyMap<string, Attribute>): Operation | undefined {
  const { type, fields, dataType } = choiceOf(draft.choice)
  if (typeof fields === 'object') {
    if (!draft.to) return undefined
    return { type, to: draft.to, ...(dataType && { dataType }), ...(draft.role.trim() && { linkType: draft.role.trim() }) } // prettier-ignore
  }
  const values = draft.texts.filter(Boolean)
  if (fields === 'usage' || fields === 'usagePart') {
    if (!draft.usageRight || (fields === 'usage' && values.length === 0)) return undefined
    return { type, usageRight: draft.usageRight, ...(fields === 'usage' && { values }) }
  }
  if (fields === 'keywords') return values.length > 0 ? { type, dataType: 'keyword', values } : undefined
  if (fields === 'keywordPair')
    return draft.find && draft.replacement
      ? { type, dataType: 'keyword', find: draft.find, replacement: draft.replacement }
      : undefined
  const attribute = attributes.get(draft.attribute ?? '')
  if (!attribute || (attribute.localized && !draft.locale)) return undefined
  const head = { type, attribute: attribute.key, ...(attribute.localized && { locale: draft.locale! }) }
  if (fields === 'attribute') return head
  const computed = { ...head, ...(draft.clearIfMissing && { clearIfMissing: true }) }
  if (fields === 'copy') {
    const source = attributes.get(draft.from ?? '')
    if (!source) return undefined
    return { ...computed, from: source.key, ...(source.localized && draft.fromLocale && { fromLocale: draft.fromLocale }) } // prettier-ignore
  }
  const formula = draft.formula.trim()
  if (fields === 'template') return formula ? { ...computed, template: formula } : undefined
  if (fields === 'expression') return formula ? { ...computed, expression: formula, ...(draft.unit && { unit: draft.unit }) } : undefined // prettier-ignore
  if (fields === 'value') return values.length > 0 ? { ...head, values } : undefined
  return draft.find ? { ...head, find: draft.find, replacement: draft.replacement } : undefined
}

/** The row of the form for a stored operation. */
export function fromOperation(kind: BulkKind, operation: Operation): OperationDraft | undefined {
  const { attribute, locale, values = [], find = '', replacement = '', from, fromLocale } = operation
  const choice = choiceFor(kind, operation)
  if (!choice) return undefined
  const { to, linkType = '', template, expression, unit, clearIfMissing, usageRight } = operation
  const formula = template ?? expression ?? ''
  return { ...newOperation(choice), attribute, locale, texts: values, find, replacement, from, fromLocale, formula, unit, clearIfMissing, to, role: linkType, usageRight } // prettier-ignore
}
