/**
 * Translations of a glossary entry: the groups of its `links`, one per target locale.
 *
 *   <itms loc="en_GB" type="term" mode="delta">       delta (the default) merges the group into the stored one,
 *     <itm key="value" loc="en_GB">sail</itm>         full replaces it
 *     <itm key="similarity">100</itm>
 *     <itm key="forbidden">false</itm>               with true, useInstead can have the word to write instead
 *   </itms>
 *   <itms loc="fr_FR"/>                               a group without items removes the translation
 *
 * The system sets the last editor and the date of a translation; values that were sent for them are ignored.
 */
import { isDeepStrictEqual } from 'node:util'
import { glossaryEntryTypes, type Infer, type Items } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { checkLocale } from '../locales/locales.ts'
import type { EntryType, Translation, Translations } from './glossaryEntries.sql.ts'

type Group = Infer<typeof Items>
type Content = Pick<Translation, 'value' | 'type' | 'similarity' | 'forbidden' | 'useInstead'>

/** Merges the groups of a message into the stored translations. `type` is the type of the entry. */
export function mergeTranslations(
  stored: Translations,
  groups: readonly Group[],
  type: EntryType,
  editedBy: string,
): Translations {
  const translations: Record<string, Translation> = { ...stored }
  for (const group of groups) {
    const loc = checkLocale('links/itms/@loc', group.loc ?? 'nothing')
    if (group.itms) throw new Problem('invalid', `links/itms ${loc}: a translation has no groups inside`)
    if (!group.itm) delete translations[loc]
    else {
      const before = translations[loc]
      const content = contentOf(loc, group, group.mode === 'full' ? undefined : before, type)
      if (!before || !isDeepStrictEqual({ ...content, editedBy: before.editedBy, editedAt: before.editedAt }, before)) {
        translations[loc] = { ...content, editedBy, editedAt: new Date().toISOString() }
      }
    }
  }
  return translations
}

function contentOf(loc: string, group: Group, before: Translation | undefined, type: EntryType): Content {
  const sent = new Map(group.itm!.map(({ key = '', value = '' }) => [key, value]))
  const value = sent.get('value') ?? before?.value ?? ''
  const similarity = sent.get('similarity')
  const forbidden = sent.get('forbidden')
  if (value.trim() === '') {
    throw new Problem('invalid', `links/itms ${loc}: the translation has no value; send an itm with key value`)
  }
  const useInstead = sent.get('useInstead') ?? before?.useInstead ?? ''
  return {
    value,
    type: toType(group.type ?? before?.type ?? type),
    similarity: similarity === undefined ? (before?.similarity ?? 100) : toSimilarity(similarity),
    forbidden: forbidden === undefined ? (before?.forbidden ?? false) : toBoolean('links/itms forbidden', forbidden),
    ...(useInstead.trim() !== '' && { useInstead }),
  }
}

function toType(text: string): EntryType {
  const type = glossaryEntryTypes.find((known) => known === text)
  if (type) return type
  throw new Problem('invalid', `links/itms/@type: ${text} is not ${glossaryEntryTypes.join(' or ')}`)
}

function toSimilarity(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text)
  throw new Problem('invalid', `links/itms similarity: ${text} is not a whole number from 0 to 100`)
}

export function toBoolean(where: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Problem('invalid', `${where}: ${text} is not true or false`)
}
