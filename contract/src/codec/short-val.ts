/**
 * An attribute value in the short form in which it is kept:
 *
 *   "red"     ["a", "b"]     {"en_GB": "red", "de_DE": "rot"}
 *
 * It is a `val` like any other to whoever reads its fields. Writers know it and print it as it is: replies of thousands of
 * products would else spend most of their time on making messages of values, only to take them apart again.
 */
import type { Item, Val } from '../schema/blocks.ts'
import type { Infer } from '../schema/describe.ts'

type ValMessage = Infer<typeof Val>
type ItemMessage = Infer<typeof Item>

/** At least one text, and none that is empty. */
export type ShortValue = string | readonly string[] | { readonly [locale: string]: string }

/** What the values of one attribute have in common; one for all of them, so that writers can keep its text. */
export class ShortHead {
  readonly fields: Readonly<Pick<ValMessage, 'attr' | 'type' | 'parent' | 'dataType'>>
  /** As JSON and XML write it. */
  json: string | undefined
  xml: string | undefined

  constructor(fields: ShortHead['fields']) {
    this.fields = fields
  }
}

export class ShortVal implements ValMessage {
  readonly head: ShortHead
  readonly value: ShortValue

  constructor(head: ShortHead, value: ShortValue) {
    this.head = head
    this.value = value
  }

  get attr() {
    return this.head.fields.attr
  }
  get type() {
    return this.head.fields.type
  }
  get parent() {
    return this.head.fields.parent
  }
  get dataType() {
    return this.head.fields.dataType
  }
  get itm(): ItemMessage[] {
    const { value } = this
    if (typeof value === 'string') return [{ value }]
    if (isList(value)) return value.map((text, pos) => ({ value: text, pos }))
    return Object.entries(value).map(([loc, text]) => ({ value: text, loc }))
  }

  /** As a plain object, which can be copied. */
  inLong(): ValMessage {
    return { itm: this.itm, ...this.head.fields }
  }
}

export const isList = (value: ShortValue): value is readonly string[] => Array.isArray(value)

/** The type of a value that goes without saying for its form. */
export function impliedType(value: ShortValue): ValMessage['type'] {
  if (typeof value === 'string') return undefined
  return isList(value) ? 'multiple' : 'localized'
}
