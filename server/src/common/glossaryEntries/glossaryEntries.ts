/**
 * The rules of /common/glossaryEntries.
 *
 * An entry belongs to a glossary and has a value in one locale. Its translations are the groups of `links`, one per target
 * locale: with mode `delta` (the default) what was sent is put over the stored translation, with mode `full` it replaces
 * it; a group without items removes it. Who edited last, and when, is what the system saw, whatever was sent.
 */
import { randomUUID } from 'node:crypto'
import type { common, GlossaryEntry, Infer, Items } from '@kontor/contract'
import { orProblem, type Outcome, soundOf } from '../../core/batch.ts'
import type { Context } from '../../core/context.ts'
import type { ActionValue, Handlers } from '../../core/handlers.ts'
import { finder, namesOf } from '../../core/identify.ts'
import { newIds } from '../../core/ids.sql.ts'
import { metaOf } from '../../core/settle.ts'
import { upsert, type UpsertRules } from '../../core/upsert.ts'
import { Problem } from '../../errors.ts'
import { checkLocale } from '../locales/locales.ts'
import { mergeMeta, metaText } from '../meta.ts'
import * as rows from './glossaryEntries.sql.ts'

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
  create: (item, row) => ({ ...row, ...contentOf(ctx, item, parents, undefined) }),
  change: (item, row) => ({ ...row, ...contentOf(ctx, item, parents, row) }),
  insert: (db, set) => rows.insertEntries(db, set, ctx.caller.userName),
  update: (db, set) => rows.updateEntries(db, set, ctx.caller.userName),
  facts: ({ id: _id, tid: _tid, ...facts }) => facts,
})

const systemKeys: ReadonlySet<string> = new Set(['value', 'forbidden', 'lastEditedUsername', 'lastEditedDate'])

/** What the entry shall be: the stored content with what was sent put over it. */
function contentOf(ctx: Context, item: EntryValue, parents: Parents, stored: rows.EntryRow | undefined) {
  const value = metaText(item.meta, 'value') ?? stored?.value
  const loc = item.loc ?? stored?.loc
  const type = item.type ?? stored?.type
  const glossaryId = parents.idOf(item) ?? stored?.glossaryId
  const missing = Object.entries({ 'parentId or parentTid': glossaryId, loc, type, 'meta value': value })
    .filter(([, given]) => given === undefined)
    .map(([name]) => name)
  if (missing.length > 0) throw new Problem('invalid', `${missing.join(', ')} missing; a new entry needs them`)
  if (item.vals?.val?.[0]) {
    throw new Problem(
      'invalid',
      `vals: the attribute ${item.vals.val[0].attr ?? ''} is not registered for glossary entries`,
    )
  }
  const forbidden = metaText(item.meta, 'forbidden')
  return {
    glossaryId: glossaryId!,
    loc: checkLocale('loc', loc!),
    type: type!,
    value: value!,
    forbidden: forbidden === undefined ? (stored?.forbidden ?? false) : toBoolean('meta forbidden', forbidden),
    meta: mergeMeta(stored?.meta ?? [], item.meta, systemKeys),
    translations: mergeTranslations(ctx, stored?.translations ?? {}, item.links?.itms ?? [], type!),
  }
}

function mergeTranslations(
  { caller }: Context,
  stored: rows.EntryRow['translations'],
  groups: readonly Infer<typeof Items>[],
  type: rows.EntryType,
) {
  const translations = { ...stored }
  for (const group of groups) {
    const loc = checkLocale('links/itms/@loc', group.loc ?? 'nothing')
    if (!group.itm) {
      delete translations[loc]
      continue
    }
    const sent = new Map(group.itm.map(({ key = '', value = '' }) => [key, value]))
    const before = group.mode === 'full' ? undefined : translations[loc]
    const value = sent.get('value') ?? before?.value
    if (!value)
      throw new Problem('invalid', `links/itms ${loc}: the translation has no value; send an itm with key value`)
    translations[loc] = {
      value,
      type: toType(group.type ?? before?.type ?? type),
      similarity: sent.has('similarity') ? toSimilarity(sent.get('similarity')!) : (before?.similarity ?? 100),
      forbidden: sent.has('forbidden')
        ? toBoolean('links/itms forbidden', sent.get('forbidden')!)
        : (before?.forbidden ?? false),
      editedBy: caller.userName,
      editedAt: new Date().toISOString(),
    }
    if (before && sameTranslation(before, translations[loc])) translations[loc] = before
  }
  return translations
}

const sameTranslation = (a: rows.Translation, b: rows.Translation) =>
  a.value === b.value && a.type === b.type && a.similarity === b.similarity && a.forbidden === b.forbidden

function toBoolean(where: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Problem('invalid', `${where}: ${text} is not true or false`)
}

function toType(text: string): rows.EntryType {
  if (text === 'term' || text === 'sentence') return text
  throw new Problem('invalid', `links/itms/@type: ${text} is not sentence or term`)
}

function toSimilarity(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text)
  throw new Problem('invalid', `links/itms similarity: ${text} is not a whole number from 0 to 100`)
}

// Glossaries that a batch refers to

interface Parents {
  /** The glossary an entry names, if it names one. Throws when there is none. */
  idOf(item: Pick<EntryValue, 'parentId' | 'parentTid'>): number | undefined
}

async function findParents(
  { db }: Context,
  items: readonly Pick<EntryValue, 'parentId' | 'parentTid'>[],
): Promise<Parents> {
  const toName = ({ parentId, parentTid }: Pick<EntryValue, 'parentId' | 'parentTid'>) => ({
    id: parentId,
    tid: parentTid,
  })
  const find = finder('glossary', await rows.findGlossaries(db, namesOf(items.map(toName))))
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
    if (gone.has(row.id))
      return new Problem('notFound', `the glossary entry ${row.tid} was deleted by an earlier action`)
    gone.add(row.id)
    ctx.record({ dataType: 'glossaryEntry', id: row.id, event: 'DELETE', changes: { value: row.value } })
    return { action: 'delete', id: row.id, tid: row.tid }
  })
  await rows.deleteEntries(ctx.db, [...gone])
  return outcomes
}

/** Copies or moves entries into the glossary that each action's meta names. */
async function place(ctx: Context, actions: readonly ActionValue[], how: 'copy' | 'move'): Promise<Outcome[]> {
  const destinations = actions.map(orProblem(destinationOf))
  const targetOf = await findTargets(ctx, actions)
  const parents = await findParents(ctx, soundOf(destinations))
  const ids = how === 'copy' ? await newIds(ctx.db, actions.length) : []
  const placed = new Map<number, rows.EntryRow>()
  const outcomes = actions.map((action, i) =>
    orProblem((destination: (typeof destinations)[number]): Outcome => {
      const row = targetOf(action)
      if (row instanceof Problem) return row
      if (destination instanceof Problem) return destination
      const glossaryId = parents.idOf(destination)!
      const fresh = how === 'copy' && { id: ids[i]!, tid: randomUUID() }
      const result = { ...(placed.get(row.id) ?? row), glossaryId, ...fresh }
      placed.set(result.id, result)
      const changes = fresh ? { copyOf: row.id, glossaryId } : { glossaryId: { from: row.glossaryId, to: glossaryId } }
      ctx.record({ dataType: 'glossaryEntry', id: result.id, event: fresh ? 'CREATE' : 'UPDATE', action: how, changes })
      return { action: action.type, id: result.id, tid: result.tid }
    })(destinations[i]!),
  )
  const write = how === 'move' ? rows.updateEntries : rows.insertEntries
  if (placed.size > 0) await write(ctx.db, [...placed.values()], ctx.caller.userName)
  return outcomes
}

function destinationOf(action: ActionValue): Pick<EntryValue, 'parentId' | 'parentTid'> {
  const meta = metaOf(action)
  const id = meta.get('glossaryId')
  const tid = meta.get('glossaryTid')
  if (id !== undefined && !/^\d{1,15}$/.test(id)) throw new Problem('invalid', `meta glossaryId: ${id} is not an id`)
  if (id === undefined && tid === undefined)
    throw new Problem('invalid', `${action.type} needs meta glossaryId or glossaryTid`)
  return id === undefined ? { parentTid: tid! } : { parentId: Number(id) }
}
