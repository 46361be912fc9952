/**
 * The rules of /common/glossaries. Names are unique in the whole system. Entries go with their glossary: they are
 * retrieved with it on request, and deleting it deletes them.
 */
import type { common, Glossary, Infer } from '@kontor/contract'
import type { Outcome } from '../../core/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/handlers.ts'
import { finder, namesOf } from '../../core/identify.ts'
import { cleanName } from '../../core/names.ts'
import { upsert, type UpsertRules } from '../../core/upsert.ts'
import { Problem } from '../../errors.ts'
import { listEntries } from '../glossaryEntries/glossaryEntries.list.ts'
import { mergeMeta, toMeta } from '../meta.ts'
import * as rows from './glossaries.sql.ts'

type GlossaryValue = Infer<typeof Glossary>

export const glossaries: Handlers<typeof common.resources.glossaries> = {
  async retrieve({ db }, request) {
    const found = await rows.listGlossaries(db, request.names, request.ids)
    if (found.length === 0 && (request.names || request.ids))
      throw new Problem('notFound', 'none of the glossaries exists')
    return {
      glossaries: found.map(toGlossary),
      ...(request.retrieveEntries && {
        glossaryEntries: listEntries(
          db,
          found.map(({ id }) => id),
          request,
        ),
      }),
    }
  },

  persist: (ctx, objects) => upsert(ctx, rulesFor(ctx), objects),

  perform: { delete: deleteAll },
}

const rulesFor = ({ caller }: Context): UpsertRules<GlossaryValue, rows.GlossaryRow> => ({
  dataType: 'glossary',
  load: (db, items) =>
    rows.lockGlossaries(db, {
      ...namesOf(items),
      names: items.flatMap(({ name }) => (name === undefined ? [] : [name.normalize('NFC').trim()])),
    }),
  create: (item, row) => ({ ...row, ...contentOf(item, { name: '', meta: [] }) }),
  change: (item, row) => ({ ...row, ...contentOf(item, row) }),
  insert: (db, set) => rows.insertGlossaries(db, set, caller.userName),
  update: (db, set) => rows.updateGlossaries(db, set, caller.userName),
  unique: ({ name }) => `name ${name}`,
  facts: ({ name, meta }) => ({ name, meta }),
})

function contentOf({ name, meta, vals }: GlossaryValue, stored: Pick<rows.GlossaryRow, 'name' | 'meta'>) {
  const unregistered = vals?.val?.[0]
  if (unregistered) {
    throw new Problem('invalid', `vals: the attribute ${unregistered.attr ?? ''} is not registered for glossaries`)
  }
  return {
    name: name === undefined && stored.name !== '' ? stored.name : cleanName('name', name),
    meta: mergeMeta(stored.meta, meta, systemKeys),
  }
}

function toGlossary(row: rows.ListedGlossary): GlossaryValue {
  return { name: row.name, meta: toMeta(factsOf(row), row.meta), id: row.id, tid: row.tid }
}

function factsOf(row: rows.ListedGlossary) {
  return {
    creationDate: row.createdAt.toISOString(),
    creationUser: row.createdBy,
    modificationDate: row.modifiedAt.toISOString(),
    modificationUser: row.modifiedBy,
    getNumberOfTerms: String(row.terms),
    getNumberOfSentences: String(row.sentences),
  }
}
/** Sent back from a retrieve, these are ignored. */
const systemKeys: ReadonlySet<string> = new Set<keyof ReturnType<typeof factsOf>>([
  'creationDate',
  'creationUser',
  'modificationDate',
  'modificationUser',
  'getNumberOfTerms',
  'getNumberOfSentences',
])

async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const find = finder('glossary', await rows.lockGlossaries(ctx.db, { ...namesOf(actions), names: [] }))
  const gone = new Set<number>()
  const outcomes = actions.map((action): Outcome => {
    const row = find(action)
    if (row instanceof Problem) return row
    if (gone.has(row.id)) return new Problem('notFound', `the glossary ${row.name} was deleted by an earlier action`)
    gone.add(row.id)
    ctx.record({ dataType: 'glossary', id: row.id, event: 'DELETE', changes: { name: row.name } })
    return { action: 'delete', id: row.id, tid: row.tid }
  })
  for (const { id } of await rows.findEntryIds(ctx.db, [...gone])) {
    ctx.record({ dataType: 'glossaryEntry', id, event: 'DELETE' })
  }
  await rows.deleteGlossaries(ctx.db, [...gone])
  return outcomes
}
