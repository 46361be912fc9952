/**
 * An entry of a glossary as it is edited: one text per locale, each of which may be forbidden. The message has the text of
 * the source locale in `meta`, and each translation as a group of `links`; a group without items removes a translation.
 */
import type { glossaryEntryTypes, GlossaryEntry, Infer } from '@kontor/contract'
import { fact, toItems } from './items.ts'

type EntryMessage = Infer<typeof GlossaryEntry>
type EntryType = (typeof glossaryEntryTypes)[number]
export interface Wording {
  readonly text: string
  readonly forbidden: boolean
  /** The word to write instead, if it is forbidden. */
  readonly instead: string
}
export interface Entry {
  readonly tid?: string | undefined
  readonly type: EntryType
  readonly locale: string
  readonly wordings: Readonly<Record<string, Wording>>
}

export function toEntry(message: EntryMessage): Entry {
  const { tid, type = 'term', loc = '', links } = message
  const wording = (texts: Parameters<typeof fact>[0]): Wording => ({
    text: fact(texts, 'value') ?? '',
    forbidden: fact(texts, 'forbidden') === 'true',
    instead: fact(texts, 'useInstead') ?? '',
  })
  const translations = (links?.itms ?? []).flatMap(({ loc: locale, itm = [] }) =>
    locale ? [[locale, wording({ meta: { itm } })] as const] : [],
  )
  return { tid, type, locale: loc, wordings: { ...Object.fromEntries(translations), [loc]: wording(message) } }
}

export function fromEntry({ tid, type, locale, wordings }: Entry, parentTid: string): EntryMessage {
  const { [locale]: own, ...others } = wordings
  const facts = ({ text, forbidden, instead }: Wording) => [
    ...toItems({ value: text.trim(), forbidden: String(forbidden) }),
    { key: 'useInstead', ...(forbidden && instead.trim() !== '' && { value: instead.trim() }) },
  ]
  const itms = Object.entries(others).map(([loc, wording]) =>
    wording.text.trim() === '' ? { loc } : { loc, itm: facts(wording) },
  )
  return {
    ...(tid !== undefined && { tid }),
    parentTid,
    type,
    loc: locale,
    meta: { itm: own ? facts(own) : [] },
    ...(itms.length > 0 && { links: { itms } }),
  }
}
