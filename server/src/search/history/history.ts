/** Search history. Every user has their own; an administrator may name another user. */
import type { HistoryAdd, HistoryDelete, HistoryQuery, Infer } from '@kontor/contract'
import { inBatch, type Services } from '../../core/batch/batch.ts'
import type { Caller, Change } from '../../core/context.ts'
import { type DocumentSource, plainFields } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import { timedHead } from '../reply-head.ts'
import * as rows from './history.sql.ts'

const longestText = 1000
const defaultCount = 10
const mostCount = 200

const change = (id: number, event: Change['event']): Change => ({ dataType: 'searchHistory', id, event })

export async function addHistory(services: Services, caller: Caller, sent: Infer<typeof HistoryAdd>) {
  const head = timedHead()
  const user = userOf(caller, sent.user)
  const [text, context] = [cleanText('text', sent.text), cleanText('context', sent.context ?? '')]
  if (text === '') throw new Problem('invalid', '/historyAdd/text: is empty')
  const id = await inBatch(services, caller, async (ctx) => {
    const stored = await rows.upsertText(ctx.db, user, context, text)
    ctx.record(change(stored, 'UPDATE'))
    for (const old of await rows.deleteOldest(ctx.db, user, context)) ctx.record(change(old, 'DELETE'))
    return stored
  })
  return { ...head(), added: { id, text, user, ...(context !== '' && { context }) } }
}

export async function deleteHistory(services: Services, caller: Caller, sent: Infer<typeof HistoryDelete> = {}) {
  const head = timedHead()
  const user = userOf(caller, sent.user)
  const gone = await inBatch(services, caller, async (ctx) => {
    const ids = await rows.deleteTexts(ctx.db, user, sent.context)
    for (const id of ids) ctx.record(change(id, 'DELETE'))
    return ids
  })
  return { ...head(), deleted: { user, ...(sent.context && { context: sent.context }), count: gone.length } }
}

export async function queryHistory({ database }: Services, caller: Caller, sent: Infer<typeof HistoryQuery> = {}) {
  const head = timedHead()
  const { text, context, count = defaultCount } = sent
  if (count < 1 || count > mostCount) throw new Problem('invalid', `/historyQuery/count: expected 1 to ${mostCount}`)
  const histories = await rows.findTexts(database, userOf(caller, sent.user), {
    count,
    ...(text !== undefined && { text }),
    ...(context !== undefined && { context }),
  })
  return { ...head(), histories }
}

function userOf({ userName, roles }: Caller, requested: string | undefined): string {
  if (requested === undefined || requested === userName || roles.has('admin')) return requested ?? userName
  throw new Problem('forbidden', 'user: only administrators may name another user; leave it out')
}

function cleanText(what: string, text: string): string {
  if (text.length > longestText) {
    throw new Problem('invalid', `/historyAdd/${what}: is longer than ${longestText} characters`)
  }
  return text.normalize('NFC').replaceAll('\0', '').trim()
}

/** Fields of the index HISTORY. */
// prettier-ignore
const fields = [
  { name: 'id', type: 'number', label: { '': 'Id' } },
  { name: 'text', type: 'text', weight: 1, label: { '': 'Searched for', de_DE: 'Gesucht', fr_FR: 'Recherché' } },
  { name: 'user', type: 'keyword', label: { '': 'User', de_DE: 'Benutzer', fr_FR: 'Utilisateur' } },
  { name: 'context', type: 'keyword', label: { '': 'Where', de_DE: 'Wo', fr_FR: 'Où' } },
  { name: 'modificationDate', type: 'date', label: { '': 'When', de_DE: 'Wann', fr_FR: 'Quand' } },
] as const

export const historyDocuments: DocumentSource = {
  index: 'HISTORY',
  kinds: [],
  audience: true,
  dataTypes: new Set(['searchHistory']),
  fields: async () => fields,
  read: async (db, ids) =>
    (await rows.readTexts(db, ids)).map(({ id, userName, context, text, usedAt }) => ({
      id,
      fields: plainFields({ id, text, user: userName, context, modificationDate: usedAt }),
      scopes: { user: [userName] },
      refs: [],
    })),
  list: rows.listIds,
  count: rows.countAll,
  find: async () => [],
  referred: async () => [],
}
