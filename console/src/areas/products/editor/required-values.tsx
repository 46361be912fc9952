/**
 * Fields for the required values of a new product, article or variation, except those it inherits or has by default.
 */
import { useEffect, useRef } from 'react'
import { useContentLocale } from '../../../object/locales.ts'
import { valueFaultsOf } from '../../../object/records.ts'
import type { Attribute } from '../../../object/values/attribute.ts'
import { toVals, type ValMessage } from '../../../object/values/draft.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Failure } from '../../../ui/states.tsx'
import { AttributeRow } from './attribute-row.tsx'
import { ancestorsOf, hasValue, type Item, itemKey, newItem, type Level } from './product.ts'
import { texts } from './texts.ts'
import { type ItemsDraft, useItemsDraft, useNodeAttributes } from './use-product.ts'
import classes from './editor.module.css'

interface RequiredValues {
  readonly item: Item
  readonly asked: readonly Attribute[]
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly draft: ItemsDraft
  readonly locale: string
  /** The entered values, as they are sent. */
  readonly vals: { val: ValMessage[] }
  /** The reasons of the server's last refusal. */
  readonly refusal: unknown
}

/** Includes the attributes that the server refused, because the model may have changed since the page was loaded. */
export function useRequiredValues(
  level: Level,
  node: string | undefined,
  refusal: unknown,
  parent?: Item,
): RequiredValues {
  const [locale] = useContentLocale()
  const attributes = useNodeAttributes(node) ?? none
  const draft = useItemsDraft()
  const item = newItem(level, parent)
  const faulty = new Set([...valueFaultsOf(refusal).keys()].map(attributeOf))
  const asked = [...attributes.values()].filter((one) => faulty.has(one.key) || isLacking(one, item))
  const written = [...(draft.draft.get(itemKey(item)) ?? [])]
  const visible = written.filter(([key]) => asked.some((one) => one.key === attributeOf(key)))
  const vals = { val: toVals(new Map(visible), (key) => attributes.get(key)) }
  return { item, asked, attributes, draft, locale, vals, refusal }
}
const none: ReadonlyMap<string, Attribute> = new Map()

/** A value of a column belongs to its table. */
const attributeOf = (key: string) => key.split('/')[0]!

function isLacking(attribute: Attribute, item: Item): boolean {
  const { required, nodePath, levels, hasDefault, inherits } = attribute
  if (!required || !nodePath || !levels.includes(item.level)) return false
  const uppermost = ['p', 'a', 'v'].find((level) => levels.includes(level))
  if (hasDefault && uppermost === item.level) return false
  return !inherits || !ancestorsOf(item).some((ancestor) => hasValue(ancestor, attribute))
}

export function RequiredFields({ item, asked, attributes, draft, locale, refusal }: RequiredValues) {
  const t = useTexts(texts)
  const fields = useRef<HTMLFieldSetElement>(null)
  const faults = [...valueFaultsOf(refusal)]
  const errorOf = ({ key }: Attribute) => faults.find(([one]) => attributeOf(one) === key)?.[1]
  const isExplained = faults.length > 0 && faults.every(([key]) => asked.some((one) => one.key === attributeOf(key)))
  useEffect(() => fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [refusal])
  return (
    <>
      {asked.length > 0 && (
        <fieldset ref={fields} className={classes.required}>
          <legend>{t('requiredValues')}</legend>
          {asked.map((attribute) => (
            <AttributeRow
              key={attribute.key}
              item={item}
              attribute={attribute}
              attributes={attributes}
              draft={draft}
              locales={[locale]}
              error={errorOf(attribute)}
            />
          ))}
        </fieldset>
      )}
      {refusal !== undefined && !isExplained && <Failure error={refusal} />}
    </>
  )
}
