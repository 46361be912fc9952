/**
 * An attribute value in the short form in which the server stores it:
 *
 *   "red"     ["a", "b"]     {"en_GB": "red", "de_DE": "rot"}
 *
 * Readers of its fields see an ordinary `val`. Writers recognise the short form and print it directly: building a message
 * for every value, only to take it apart again, would dominate the time of replies with thousands of products.
 */
import type { Item, Val } from '../schema/blocks.ts'
import type { Infer } from '../schema/describe.ts'

type ValMessage = Infer<typeof Val>
type ItemMessage = Infer<typeof Item>

/** At least one text, and no empty texts. */
export type ShortValue = string | readonly string[] | { readonly [locale: string]: string }

/** The fields that all values of one attribute share. Values share one instance, so that writers can cache its text. */
export class ShortHead {
  readonly fields: Readonly<Pick<ValMessage, 'attr' | 'type' | 'parent' | 'dataType'>>
  /** The fields as JSON and XML text, cached by the writers. */
  json: string | undefined
  xml: string | undefined

  constructor(fields: ShortHead['fields']) {
    this.fields = fields
  }
}

export class ShortVal {
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

  /** The same value as a plain object, which can be copied. */
  inLong(): ValMessage {
    return { itm: this.itm, ...this.head.fields }
  }
}

/** A value in the short form, as a message. Its getters return undefined for fields that a message would not have. */
export const shortVal = (head: ShortHead, value: ShortValue): ValMessage => new ShortVal(head, value) as ValMessage

export const isList = (value: ShortValue): value is readonly string[] => Array.isArray(value)

/** The `type` that a value of this form has when none is given. */
export function impliedType(value: ShortValue): ValMessage['type'] {
  if (typeof value === 'string') return undefined
  return isList(value) ? 'multiple' : 'localized'
}
