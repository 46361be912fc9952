/** An operation in words: what it does, to which attribute, and with which value, text or object. */
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { useLocaleName } from '../locales.ts'
import { useNames } from '../picker.tsx'
import { usageTexts } from '../usage-texts.ts'
import type { Attribute } from '../values/attribute.ts'
import { type BulkKind, choiceFor, choiceOf, type Operation } from './operations.ts'
import { texts } from './texts.ts'

interface OperationTextProps {
  readonly kind: BulkKind
  readonly operation: Operation
  readonly attributes: ReadonlyMap<string, Attribute>
}

export function OperationText({ kind, operation, attributes }: OperationTextProps) {
  const t = useTexts(texts)
  const u = useTexts(usageTexts)
  const w = useTexts(commonTexts)
  const localeName = useLocaleName()
  const { type, attribute, locale, values = [], template, expression, from, find, replacement, to, usageRight } = operation // prettier-ignore
  const choice = choiceFor(kind, operation)
  const fields = choice && choiceOf(choice).fields
  const picker = typeof fields === 'object' ? fields.picker : 'locale'
  const nameOf = useNames(picker, to === undefined ? [] : [to])
  const labelOf = (key: string) => attributes.get(key)?.label ?? key
  const known = attributes.get(attribute ?? '')
  const valueText = (value: string) => {
    if (known?.dataType === 'boolean') return w(value === 'true' ? 'yes' : 'no')
    return known?.options?.find((option) => option.value === value)?.label ?? value
  }
  const target = [
    ...(usageRight === undefined ? [] : [u(usageRight)]),
    ...(attribute === undefined ? [] : [labelOf(attribute) + (locale === undefined ? '' : `, ${localeName(locale)}`)]),
  ]
  const content = [
    ...(values.length > 0 ? [values.map(valueText).join(', ')] : []),
    ...(template === undefined ? [] : [template.replaceAll(/\{([^{}$]+)\}/g, (_, key: string) => `{${labelOf(key)}}`)]),
    ...(expression === undefined ? [] : [expression.replaceAll(/"([^"]+)"/g, (_, key: string) => `"${labelOf(key)}"`)]),
    ...(from === undefined ? [] : [labelOf(from)]),
    ...(find === undefined ? [] : [`“${find}” → “${replacement ?? ''}”`]),
    ...(to === undefined ? [] : [nameOf(to)]),
  ]
  return [[choice ? t(choice) : type, ...target].join(': '), ...content].join(' – ')
}
