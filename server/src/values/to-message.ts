/** Stored values as replies carry them, with labels and types from the rule of their attribute. */
import { shortVal, type ShortValue } from '@kontor/contract'
import type { DomainRule, Labels, ValueRule } from './rule.ts'
import {
  type ItemMessage,
  type List,
  type Localized,
  plainOf,
  type StoredValue,
  tagsOf,
  type ValMessage,
} from './stored.ts'

/** Where an inherited value comes from. */
export interface Origin {
  readonly origin: string
  readonly inheritance: string
}

export function toVal(rule: ValueRule, stored: StoredValue, from?: Origin): ValMessage {
  const tags = tagsOf(stored)
  const { attr, type, parent, dataType } = rule.head.fields
  return {
    ...content(rule, plainOf(stored)),
    ...(tags && { tags: { itm: [...tags] } }),
    ...(attr !== undefined && { attr }),
    ...(type !== undefined && { type }),
    ...from,
    ...(parent !== undefined && { parent }),
    ...(dataType !== undefined && { dataType }),
  }
}

/** The same for a reply that is only written: most values can be printed as they are stored, without building a message. */
export function toPrinted(rule: ValueRule, stored: StoredValue): ValMessage {
  return !rule.domain && isShort(stored) ? shortVal(rule.head, stored) : toVal(rule, stored)
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

/** Whether writers can print the value as it is: a text, a list of texts, or one text per locale. */
function isShort(stored: StoredValue): stored is StoredValue & ShortValue {
  if (typeof stored === 'string') return stored !== ''
  if (Array.isArray(stored)) return stored.length > 0 && stored.every(isText)
  let any = false
  for (const key in stored) {
    if (!isText((stored as Localized)[key])) return false
    any = true
  }
  return any
}

/** Follows the stored form rather than the rule: the definition may have changed since the value was stored. */
function content({ domain }: ValueRule, plain: string | List | Localized): ValMessage {
  if (typeof plain === 'string') return { itm: [toItem(plain, domain)] }
  if (Array.isArray(plain)) return { itm: toItems(plain, domain) }
  const itm: ItemMessage[] = []
  const i18N: NonNullable<ValMessage['i18N']> = []
  for (const loc in plain) {
    const one = plain[loc]!
    if (typeof one === 'string') itm.push({ ...toItem(one, domain, loc), loc })
    else i18N.push({ itm: toItems(one, domain, loc), loc })
  }
  return { ...(itm.length > 0 && { itm }), ...(i18N.length > 0 && { i18N }) }
}

function toItems(list: List, domain: DomainRule | undefined, loc?: string): ItemMessage[] {
  const items: ItemMessage[] = []
  for (let pos = 0; pos < list.length; pos++) {
    const text = list[pos]
    if (text === null || text === undefined) continue
    items.push(domain ? { value: labelOf(domain, text, loc), pos, key: text } : { value: text, pos })
  }
  return items
}

const toItem = (text: string, domain: DomainRule | undefined, loc?: string): ItemMessage =>
  domain ? { value: labelOf(domain, text, loc), key: text } : { value: text }

/** A value that was added to an open list is its own label. */
function labelOf({ labels }: DomainRule, key: string, loc: string | undefined): string {
  const known: Labels | undefined = labels.get(key)
  return known === undefined ? key : ((loc === undefined ? undefined : known.byLocale[loc]) ?? known.any)
}
