/**
 * The rules of /common/glossaries. Names are unique in the whole system. Retrieving a glossary can include its entries,
 * and deleting it deletes them.
 */
import { type common, enforcements, type Glossary, type Infer } from '@kontor/contract'
import type { Outcome } from '../../core/batch/batch.ts'
import { type Rights, rightsAnywhere } from '../../core/access/permissions.ts'
import type { Caller, Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { finder, namesOf } from '../../core/batch/identify.ts'
import { newName } from '../../core/batch/names.ts'
import { upsert, type UpsertRules } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import { listEntries } from '../glossaryEntries/glossaryEntries.list.ts'
import type { Target } from '../links/targets.ts'
import { mergeMeta, metaText, refuseValues, stampKeys, stampsOf, toMeta } from '../meta.ts'
import * as rows from './glossaries.sql.ts'

type GlossaryValue = Infer<typeof Glossary>

export const glossaries: Handlers<typeof common.resources.glossaries> = {
  async retrieve(ctx, request) {
    const { locale } = rightsAnywhere(ctx.caller.permissions, 'glossaryEntry')
    const names = request.names?.map(asCompared)
    const found = await rows.listGlossaries(ctx.db, names, request.ids)
    if (found.length === 0 && (request.names || request.ids)) {
      throw new Problem('notFound', 'none of the glossaries exists')
    }
    const ids = found.map(({ id }) => id)
    return {
      glossaries: found.map((row) => toGlossary(row, { locale })),
      ...(request.retrieveEntries && { glossaryEntries: listEntries(ctx, ids, request) }),
    }
  },

  persist: (ctx, objects) => upsert(ctx, rulesFor(ctx), objects),

  perform: { delete: deleteAll },
}

/** The glossary as a target of other areas. */
export const glossaryTarget: Target = { lock: rows.holdGlossaries, describe: rows.describeGlossaries }

/** Names that look the same count as the same name. */
const asCompared = (name: string) => name.normalize('NFC').trim()

const rulesFor = ({ caller }: Context): UpsertRules<GlossaryValue, rows.GlossaryRow> => ({
  dataType: 'glossary',
  load: (db, items) => {
    const names = items.flatMap(({ name }) => (name === undefined ? [] : [asCompared(name)]))
    return rows.lockGlossaries(db, { ...namesOf(items), names })
  },
  create: (item, row) => ({ ...row, ...contentOf(caller, item) }),
  change: (item, row) => ({ ...row, ...contentOf(caller, item, row) }),
  insert: (db, set) => rows.insertGlossaries(db, set, caller.userName),
  update: (db, set) => rows.updateGlossaries(db, set, caller.userName),
  unique: ({ name }) => `name ${name}`,
  facts: ({ name, meta, enforcement }) => ({ name, meta, enforcement }),
})

function contentOf({ permissions }: Caller, { name, meta, vals }: GlossaryValue, stored?: rows.GlossaryRow) {
  refuseValues('glossaries', vals)
  return {
    name: newName('name', name, stored?.name),
    enforcement: toEnforcement(metaText(meta, 'enforcement')) ?? stored?.enforcement ?? 'off',
    meta: mergeMeta(stored?.meta ?? [], meta, systemKeys, rightsAnywhere(permissions, 'glossaryEntry')),
  }
}

function toEnforcement(text: string | undefined) {
  const known = enforcements.find((one) => one === text)
  if (text === undefined || known) return known
  throw new Problem('invalid', `meta enforcement: ${text.slice(0, 50)} is not ${enforcements.join(' or ')}`)
}

const systemKeys: ReadonlySet<string> = new Set([
  ...stampKeys,
  'enforcement',
  'getNumberOfTerms',
  'getNumberOfSentences',
])

/** Entries in hidden locales do not count. */
function toGlossary(row: rows.ListedGlossary, rights: Pick<Rights, 'locale'>): GlossaryValue {
  const count = (type: string) =>
    row.entries.reduce((sum, one) => sum + (one.type === type && rights.locale(one.loc).visible ? one.count : 0), 0)
  const enforced = row.enforcement === 'off' ? {} : { enforcement: row.enforcement }
  const counts = {
    ...enforced,
    getNumberOfTerms: String(count('term')),
    getNumberOfSentences: String(count('sentence')),
  }
  return { name: row.name, meta: toMeta({ ...stampsOf(row), ...counts }, row.meta, rights), id: row.id, tid: row.tid }
}

async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const find = finder('glossary', await rows.lockGlossaries(ctx.db, { ...namesOf(actions), names: [] }))
  const gone = new Set<number>()
  const outcomes = actions.map((action): Outcome => {
    const row = find(action)
    if (row instanceof Problem) return row
    if (gone.has(row.id)) return new Problem('notFound', `the glossary ${row.name} was deleted by an earlier action`)
    gone.add(row.id)
    const { id, tid, name } = row
    ctx.record({ dataType: 'glossary', id, event: 'DELETE', changes: { name }, gone: { tid } })
    return { action: 'delete', id, tid }
  })
  for (const { id, tid, locale } of await rows.findEntries(ctx.db, [...gone])) {
    ctx.record({ dataType: 'glossaryEntry', id, event: 'DELETE', gone: { tid, locale } })
  }
  await rows.deleteGlossaries(ctx.db, [...gone])
  return outcomes
}
