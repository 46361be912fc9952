/** Checks of the parts that definitions and attributes on nodes share: names, ranges, default values. */
import { because } from '@kontor/contract'
import type { AttributeType, DefaultValue, DomainRange, Infer, Item } from '@kontor/contract'
import { checkLocale } from '../common/api.ts'
import { Problem } from '../errors.ts'
import { type Format, scalarOf, typesWhere } from './attribute-types.ts'
import type { DomainList } from './domain-list.ts'

type Items = { itm?: Infer<typeof Item>[] }
export type Range = Infer<typeof DomainRange>
export type Default = Infer<typeof DefaultValue>

/** Merges texts by locale; a locale without text is removed. */
export function mergeTexts(where: string, stored: Items | undefined, sent: Items): Items {
  const texts = new Map((stored?.itm ?? []).map((item) => [item.loc ?? '', item]))
  for (const { loc, value } of sent.itm ?? []) {
    if (loc !== undefined) checkLocale(where, loc)
    if (value === undefined) texts.delete(loc ?? '')
    else texts.set(loc ?? '', { value: value.normalize('NFC'), ...(loc !== undefined && { loc }) })
  }
  return texts.size > 0 ? { itm: [...texts.values()] } : {}
}

/** The range in stored form, or undefined if it is empty. */
export function checkRange(
  type: AttributeType,
  { from, to, intOnly }: Range,
  format: Format | undefined,
): Range | undefined {
  if (from === undefined && to === undefined && intOnly === undefined) return undefined
  const scalar = scalarOf(type, format)
  if (!scalar?.compare) {
    const types = typesWhere((_, rules) => rules?.compare)
    throw new Problem('invalid', `domainRange: a ${type} has no range; expected an attribute of type ${types}`)
  }
  const { read, expected, compare } = scalar
  if (!scalar.isWhole && intOnly === 'true') {
    const types = typesWhere((_, rules) => rules?.isWhole)
    throw new Problem('invalid', `domainRange: intOnly is for the type ${types}`)
  }
  const [least, most] = [from, to].map((bound) => {
    const stored = bound === undefined ? undefined : read(bound)
    if (bound !== undefined && stored === undefined)
      throw new Problem('invalid', `domainRange: ${bound} is not ${expected}`)
    return stored
  })
  if (least !== undefined && most !== undefined && compare(least, most) > 0) {
    throw new Problem('invalid', because('rangeCrossed', { from: from!, to: to! }))
  }
  return {
    ...(least !== undefined && { from: least }),
    ...(most !== undefined && { to: most }),
    ...(intOnly !== undefined && { intOnly }),
  }
}

/** The default value in stored form: one of the closed list if there is one, else a value of the type. */
export function checkDefault(
  type: AttributeType,
  list: DomainList | undefined,
  sent: Default,
  format: Format | undefined,
): Default | undefined {
  const { tid, itm = [] } = sent
  if (tid === undefined && itm.length === 0) return undefined
  const keys = new Set(list?.domainVal?.map((value) => value.tid))
  if (tid !== undefined && !list) {
    throw new Problem(
      'invalid',
      `defaultVal: tid ${tid} names a value of a list, but the attribute has no list; send the value as itm`,
    )
  }
  const isClosed = list !== undefined && list.allowNewValue !== 'true'
  for (const key of list ? [tid, ...itm.map((item) => item.key ?? item.value)] : []) {
    if (key === undefined || keys.has(key) || !isClosed) continue
    throw new Problem('invalid', because('defaultNotListed', { value: key, known: some([...keys]) }))
  }
  if (list) return sent
  const scalar = scalarOf(type, format)
  if (!scalar) throw new Problem('invalid', `defaultVal: a ${type} has no default value, but its columns may`)
  const { read, expected } = scalar
  const items = itm.map((item) => {
    const value = item.value === undefined ? undefined : read(item.value)
    if (value === undefined)
      throw new Problem('invalid', `defaultVal: ${item.value ?? 'an empty item'} is not ${expected}`)
    return { ...item, value }
  })
  return { itm: items }
}

/** The first few words of a list, for error messages. */
export function some(words: readonly string[], most = 10): string {
  const rest = words.length - most
  return rest > 0 ? `${words.slice(0, most).join(', ')} and ${rest} more` : words.join(', ')
}

/** The same value with its fields sorted, for comparing: jsonb does not keep their order. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([field, part]) => [field, ordered(part)]))
}
