/**
 * The rules of /common/glossaryEntries.
 *
 * An entry belongs to a glossary and has a value in one locale; other items of `meta` are kept. Its translations are
 * the groups of `links`. The system sets the last editor and the date; values that were sent for them are ignored.
 */
import { randomUUID } from 'node:crypto'
import type { common, GlossaryEntry, Infer } from '@kontor/contract'
import { orProblem, type Outcome, soundOf } from '../../core/batch/batch.ts'
import { rightsAnywhere } from '../../core/access/permissions.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/batch/handlers.ts'
import { finder, namesOf } from '../../core/batch/identify.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { metaOf } from '../../core/batch/settle.ts'
import { upsert, type UpsertRules } from '../../core/batch/upsert.ts'
import { Problem } from '../../errors.ts'
import { checkLocale } from '../locales/locales.ts'
import { mergeMeta, metaText, refuseValues, toId } from '../meta.ts'
import * as rows from './glossaryEntries.sql.ts'
import { mergeTranslations, toBoolean } from './glossaryEntries.translations.ts'

type EntryValue = Infer<typeof GlossaryEntry>

export const glossaryEntries: Handlers<typeof common.resources.glossaryEntries> = {
  async persist(ctx, objects) {
    const parents = await findParents(ctx, objects)
    return upsert(ctx, rulesFor(ctx, parents), objects)
  },
  perform: {
    delete: deleteAll,
    copyToGlossary: (ctx, actions) => place(ctx, actions, 'copy'),
    moveToGlossary: (ctx, actions) => place(ctx, actions, 'move'),
  },
}

const rulesFor = (ctx: Context, parents: Parents): UpsertRules<EntryValue, rows.EntryRow> => ({
  dataType: 'glossaryEntry',
  load: (db, items) => rows.lockEntries(db, namesOf(items)),
  create: (item, row) => ({ ...row, ...contentOf(ctx, item, parents) }),
  change: (item, row) => ({ ...row, ...contentOf(ctx, item, parents, row) }),
  insert: (db, set) => rows.insertEntries(db, set, ctx.caller.userName),
  update: (db, set) => rows.updateEntries(db, set, ctx.caller.userName),
  facts: ({ id: _id, tid: _tid, ...facts }) => facts,
})

const systemKeys: ReadonlySet<string> = new Set(['value', 'forbidden', 'lastEditedUsername', 'lastEditedDate'])

/** The content of the entry after the edit: the stored content merged with the message. */
function contentOf({ caller }: Context, item: EntryValue, parents: Parents, stored?: rows.EntryRow) {
  refuseValues('glossary entries', item.vals)
  const loc = item.loc === undefined ? stored?.loc : checkLocale('loc', item.loc)
  const type = item.type ?? stored?.type
  const glossaryId = parents.idOf(item) ?? stored?.glossaryId
  const value = valueOf(item, loc) ?? stored?.value
  if (glossaryId === undefined || loc === undefined || type === undefined || value === undefined) {
    const needed = Object.entries({ 'parentId or parentTid': glossaryId, loc, type, 'meta value': value })
    const missing = needed.filter(([, given]) => given === undefined).map(([name]) => name)
    throw new Problem('invalid', `${missing.join(', ')} missing; a new entry needs them`)
  }
  const forbidden = metaText(item.meta, 'forbidden')
  return {
    glossaryId,
    loc,
    type,
    value,
    forbidden: forbidden === undefined ? (stored?.forbidden ?? false) : toBoolean('meta forbidden', forbidden),
    meta: mergeMeta(stored?.meta ?? [], item.meta, systemKeys, rightsAnywhere(caller.permissions, 'glossaryEntry')),
    translations: mergeTranslations(stored?.translations ?? {}, item.links?.itms ?? [], type, caller.userName),
  }
}

/** The value of the message, which is in the locale of the entry. */
function valueOf({ meta }: EntryValue, loc: string | undefined): string | undefined {
  const sent = (meta?.itm ?? []).filter((item) => item.key === 'value' && item.value?.trim())
  const fitting = sent.find((item) => (item.loc ?? loc) === loc)
  if (!fitting && sent[0]) {
    throw new Problem('invalid', `meta value: its loc ${sent[0].loc} is not that of the entry (${loc ?? 'none'})`)
  }
  return fitting?.value
}

// Glossaries that a batch refers to

type InGlossary = Pick<EntryValue, 'parentId' | 'parentTid'>
interface Parents {
  /** The glossary that an entry names, if it names one. Throws when it does not exist. */
  idOf(item: InGlossary): number | undefined
}

async function findParents({ db }: Context, items: readonly InGlossary[]): Promise<Parents> {
  const toName = ({ parentId: id, parentTid: tid }: InGlossary) => ({
    ...(id !== undefined && { id }),
    ...(tid !== undefined && { tid }),
  })
  const find = finder('glossary', await rows.lockGlossaries(db, namesOf(items.map(toName))))
  return {
    idOf(item) {
      if (item.parentId === undefined && item.parentTid === undefined) return undefined
      const glossary = find(toName(item))
      if (glossary instanceof Problem) throw glossary
      return glossary.id
    },
  }
}

// Actions

const findTargets = async (ctx: Context, actions: readonly ActionValue[]) =>
  finder('glossaryEntry', await rows.lockEntries(ctx.db, namesOf(actions)))

async function deleteAll(ctx: Context, actions: readonly ActionValue[]): Promise<Outcome[]> {
  const targetOf = await findTargets(ctx, actions)
  const gone = new Set<number>()
  const outcomes = actions.map((action): Outcome => {
    const row = targetOf(action)
    if (row instanceof Problem) return row
    if (gone.has(row.id)) {
      return new Problem('notFound', `the glossary entry ${row.tid} was deleted by an earlier action`)
    }
    gone.add(row.id)
    const { id, tid, loc: locale, value } = row
    ctx.record({ dataType: 'glossaryEntry', id, event: 'DELETE', changes: { value }, gone: { tid, locale } })
    return { action: 'delete', id: row.id, tid: row.tid }
  })
  await rows.deleteEntries(ctx.db, [...gone])
  return outcomes
}

/** Copies or moves entries into the glossary that each action's meta names. */
async function place(ctx: Context, actions: readonly ActionValue[], how: 'copy' | 'move'): Promise<Outcome[]> {
  const destinations = actions.map(orProblem(destinationOf))
  const parents = await findParents(ctx, soundOf(destinations))
  const targetOf = await findTargets(ctx, actions)
  const ids = how === 'copy' ? await newIds(ctx.db, actions.length) : []
  const placed = new Map<number, rows.EntryRow>()
  const outcomes = actions.map((action, i) =>
    orProblem((destination: InGlossary | Problem): Outcome => {
      const found = targetOf(action)
      if (found instanceof Problem) return found
      if (destination instanceof Problem) return destination
      const row = placed.get(found.id) ?? found
      const glossaryId = parents.idOf(destination)!
      const result = { ...row, glossaryId, ...(how === 'copy' && { id: ids[i]!, tid: randomUUID() }) }
      placed.set(result.id, result)
      recordPlace(ctx, row, result, how)
      return { action: action.type, id: result.id, tid: result.tid }
    })(destinations[i]!),
  )
  const write = how === 'move' ? rows.updateEntries : rows.insertEntries
  if (placed.size > 0) await write(ctx.db, [...placed.values()], ctx.caller.userName)
  return outcomes
}

function recordPlace(ctx: Context, from: rows.EntryRow, to: rows.EntryRow, action: 'copy' | 'move'): void {
  const { id, glossaryId } = to
  if (action === 'copy') {
    const changes = { copyOf: from.id, glossaryId }
    ctx.record({ dataType: 'glossaryEntry', id, event: 'CREATE', action, changes })
  } else if (from.glossaryId !== glossaryId) {
    const changes = { glossaryId: { from: from.glossaryId, to: glossaryId } }
    ctx.record({ dataType: 'glossaryEntry', id, event: 'UPDATE', action, changes })
  }
}

function destinationOf(action: ActionValue): InGlossary {
  const meta = metaOf(action)
  const id = meta.get('glossaryId')
  const parentTid = meta.get('glossaryTid')
  if (parentTid !== undefined) return { parentTid }
  if (id !== undefined) return { parentId: toId('meta glossaryId', id) }
  throw new Problem('invalid', `${action.type} needs meta glossaryId or glossaryTid`)
}
