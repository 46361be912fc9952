/** Glossary entries as messages show them. glossaries/retrieve includes them. */
import type { GlossaryEntry, GlossaryRequest, Infer } from '@kontor/contract'
import { type Rights, rightsAnywhere } from '../../core/access/permissions.ts'
import type { Context } from '../../core/context.ts'
import { toMeta } from '../meta.ts'
import * as rows from './glossaryEntries.sql.ts'

type EntryValue = Infer<typeof GlossaryEntry>
const pageSize = 1000

/**
 * Sends page after page, so that a glossary of any size needs the same memory. Empty lists of locales mean all locales.
 */
export async function* listEntries(
  { db, caller }: Context,
  glossaryIds: readonly number[],
  { sourceLocales = [], targetLocales = [] }: Infer<typeof GlossaryRequest>,
): AsyncGenerator<EntryValue> {
  const { locale } = rightsAnywhere(caller.permissions, 'glossaryEntry')
  for (let after = 0; ;) {
    const page = await rows.listEntries(db, glossaryIds, sourceLocales, after, pageSize)
    for (const row of page) {
      if (locale(row.loc).visible) yield toEntry(row, targetLocales, { locale })
    }
    if (page.length < pageSize) return
    after = page.at(-1)!.id
  }
}

function toEntry(row: rows.ListedEntry, targetLocales: readonly string[], rights: Pick<Rights, 'locale'>): EntryValue {
  const visible = Object.entries(row.translations).filter(
    ([loc]) => rights.locale(loc).visible && (targetLocales.length === 0 || targetLocales.includes(loc)),
  )
  const meta = toMeta(
    { forbidden: String(row.forbidden), lastEditedUsername: row.editedBy, lastEditedDate: row.editedAt.toISOString() },
    row.meta,
    rights,
  )
  return {
    meta: { itm: [{ value: row.value, key: 'value', loc: row.loc }, ...meta.itm!] },
    ...(visible.length > 0 && { links: { itms: visible.map(([loc, translation]) => toGroup(loc, translation)) } }),
    tid: row.tid,
    id: row.id,
    parentId: row.glossaryId,
    parentTid: row.glossaryTid,
    type: row.type,
    loc: row.loc,
  }
}

function toGroup(loc: string, translation: rows.Translation) {
  const { itm } = toMeta({
    similarity: String(translation.similarity),
    forbidden: String(translation.forbidden),
    ...(translation.useInstead !== undefined && { useInstead: translation.useInstead }),
    lastEditedUsername: translation.editedBy,
    lastEditedDate: translation.editedAt,
  })
  return { itm: [{ value: translation.value, key: 'value', loc }, ...itm!], loc, type: translation.type }
}
