/** Writes JSON. Most values are arranged and passed to JSON.stringify; types that contain short values are printed field by field. */
import { Val } from '../schema/blocks.ts'
import type { Field, Type } from '../schema/describe.ts'
import {
  each,
  isSet,
  arrangedFields,
  type Arrange,
  arrangeFields,
  type Layout,
  perType,
  type Print,
  stringify,
} from './json-layout.ts'
import { writerOf } from './json-writer.ts'
import { isList, type ShortHead, ShortVal } from './short-val.ts'
import type { JsonObject } from './validate.ts'

const inOrder = perType((type) => arrangeFields(type, arrangeField))
const plain: Layout = { item: perType(printerOf), value: inOrder, fields: inOrder, foldsToList: () => false }

function arrangeField(field: Field): Arrange | undefined {
  if (field.kind === 'child') return inOrder(field.type!())
  return field.kind === 'children' ? each(inOrder(field.type!())) : undefined
}

export const jsonWriter = writerOf(plain)
export const toJson = (root: Type, value: object): string => plain.item(root)(value)

// Types that contain attribute values

function printerOf(type: Type): Print {
  if (type === Val) return (val) => (val instanceof ShortVal ? printShort(val) : stringify(arrangeVal(val)))
  return holdsVals(type) ? fieldsPrinter(type) : (value) => stringify(inOrder(type)(value))
}
const arrangeVal = inOrder(Val)

function holdsVals(type: Type, above: readonly Type[] = []): boolean {
  return Object.values(type.fields).some((field) => {
    const inside = field.type?.()
    return inside !== undefined && !above.includes(inside) && (inside === Val || holdsVals(inside, [...above, type]))
  })
}

function fieldsPrinter(type: Type): Print {
  let fields: (readonly [name: string, field: Field, print: Print])[] | undefined
  return (value: JsonObject) => {
    fields ??= arrangedFields(type, arrangeField).map(({ name, field }) => [name, field, fieldPrinter(field)] as const)
    let text = ''
    for (const [name, field, print] of fields) {
      const one = value[name]
      if (isSet(one, field)) text += `${text === '' ? '' : ','}"${name}":${print(one)}`
    }
    return `{${text}}`
  }
}

function fieldPrinter({ kind, type }: Field): Print {
  if (kind === 'child') return printerOf(type!())
  if (kind !== 'children') return stringify
  const print = printerOf(type!())
  return (values: unknown[]) => `[${values.map(print).join(',')}]`
}

function printShort({ head, value }: ShortVal): string {
  const ending = (head.json ??= endingOf(head))
  if (typeof value === 'string') return `{"itm":[{"value":${quoted(value)}}${ending}`
  let text = '{"itm":['
  if (isList(value)) {
    for (let pos = 0; pos < value.length; pos++) {
      text += `${pos === 0 ? '' : ','}{"value":${quoted(value[pos]!)},"pos":${pos}}`
    }
  } else {
    let separator = ''
    for (const loc in value) {
      text += `${separator}{"value":${quoted(value[loc]!)},"loc":${quoted(loc)}}`
      separator = ','
    }
  }
  return text + ending
}
const endingOf = ({ fields }: ShortHead) => `],${stringify(fields).slice(1)}`

/** Up to this length, scanning for characters to escape is faster than calling JSON.stringify. */
const shortText = 100

function quoted(text: string): string {
  if (text.length > shortText) return JSON.stringify(text)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return JSON.stringify(text)
  }
  return `"${text}"`
}
