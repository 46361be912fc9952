/**
 * The rules of /common/messages: notifications to a user or to everyone with a role.
 *
 * A message needs a recipient; the role wins when both are named. A missing value or a wrong type is 400 for the whole
 * call; what concerns one message (a tid in use, an unknown recipient) is told in its record. Everyone reads a role's
 * message for themselves.
 */
import { randomUUID } from 'node:crypto'
import type { common, Infer, Message } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { inBatch, orProblem, type Outcome, soundOf, toRecord } from '../../core/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import { once } from '../../core/idempotency.ts'
import { newIds } from '../../core/ids.sql.ts'
import { cleanName } from '../../core/names.ts'
import type { RouteHandlers } from '../../core/routes.ts'
import { Problem } from '../../errors.ts'
import * as rows from './messages.sql.ts'

type MessageValue = Infer<typeof Message>
type Routes = Pick<typeof common.routes, 'persistMessages' | 'listMessages' | 'readMessages'>

const maxBody = 64 * 1024
const maxParameters = 50
const maxPage = 1000

/** Which of the users and roles there are, as `user kim` and `role admin`. */
export type Recipients = (db: Db, users: readonly string[], roles: readonly string[]) => Promise<ReadonlySet<string>>

export const messages = (recipients: Recipients): RouteHandlers<Routes> => ({
  async persistMessages(_, { body, services, caller, idempotency }) {
    const sent = body.messages ?? []
    checkWhole(sent, services.config.maxItems)
    const outcomes = await inBatch(services, caller, (ctx) =>
      once(ctx, idempotency, () => deliver(ctx, recipients, sent)),
    )
    return { response: outcomes }
  },

  async listMessages({ db, caller }, { query }) {
    const page = {
      unread: query.unread === 'true',
      before: numberOf('before', query.before, Number.MAX_SAFE_INTEGER),
      count: Math.min(numberOf('count', query.count, 50), maxPage),
    }
    const [found, unread] = [
      await rows.listMessages(db, readerOf(caller), page),
      await rows.countUnread(db, readerOf(caller)),
    ]
    return { messages: found.map(toMessage), unread }
  },

  async readMessages({ db, caller }, { body: { ids, isRead = true } }) {
    return { count: await (isRead ? rows.markRead : rows.markUnread)(db, readerOf(caller), ids) }
  },
})

const readerOf = ({ userName, roles }: Caller): rows.Reader => ({ userName, roles: [...roles] })

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem('invalid', `${name}: ${text.slice(0, 50)} is not a whole number`)
}

function checkWhole(sent: readonly MessageValue[], maxItems: number): void {
  const at = (index: number) => `/messagesPersistRequest/messages[${index + 1}]`
  const faults = sent.flatMap((message, i) => [
    ...(message.recipientUser || message.recipientRole ? [] : [`${at(i)}: recipientUser or recipientRole is missing`]),
    ...(message.subject.trim() === '' ? [`${at(i)}/subject: is empty`] : []),
    ...(message.subject.length > 255 ? [`${at(i)}/subject: has more than 255 characters`] : []),
    ...(message.body === '' ? [`${at(i)}/body: is empty`] : []),
    ...(message.body.length > maxBody ? [`${at(i)}/body: has more than ${maxBody} characters`] : []),
    ...(Object.keys(message.parameters ?? {}).length > maxParameters
      ? [`${at(i)}/parameters: more than ${maxParameters}`]
      : []),
  ])
  if (sent.length === 0) faults.push('/messagesPersistRequest/messages: nothing to do; send at least one message')
  if (sent.length > maxItems) faults.push(`/messagesPersistRequest/messages: more than ${maxItems}; send less`)
  if (faults.length > 0) throw new Problem('invalid', faults.slice(0, 20))
}

async function deliver(ctx: Context, recipients: Recipients, sent: readonly MessageValue[]) {
  const taken = new Set(
    (
      await rows.findTids(
        ctx.db,
        sent.flatMap(({ tid }) => tid ?? []),
      )
    ).map(({ tid }) => tid),
  )
  const users = sent.flatMap(({ recipientUser }) => recipientUser ?? [])
  const roles = sent.flatMap(({ recipientRole }) => recipientRole ?? [])
  const known = await recipients(ctx.db, users, roles)
  const ids = await newIds(ctx.db, sent.length)
  const checked = sent.map(orProblem((message) => accept(ctx, message, taken, known)))
  const fresh = checked.map((message, i) => (message instanceof Problem ? message : { ...message, id: ids[i]! }))
  await rows.insertMessages(ctx.db, soundOf(fresh))
  return fresh.map((message, i) => {
    const outcome: Outcome =
      message instanceof Problem ? message : { action: 'create', id: message.id, tid: message.tid }
    return toRecord('message', 'create', sent[i]!, outcome)
  })
}

function accept({ caller }: Context, message: MessageValue, taken: Set<string>, known: ReadonlySet<string>) {
  const tid = message.tid === undefined ? randomUUID() : cleanName('tid', message.tid)
  if (taken.has(tid)) throw new Problem('exists', `a message with the tid ${tid} exists already`)
  const { recipientUser, recipientRole, senderUser = caller.userName } = message
  const recipient = recipientRole ? `role ${recipientRole}` : `user ${recipientUser}`
  if (!known.has(recipient)) throw new Problem('notFound', `there is no ${recipient} to deliver the message to`)
  if (senderUser !== caller.userName && !caller.roles.has('admin')) {
    throw new Problem('forbidden', `senderUser: only an administrator may send in the name of ${senderUser}`)
  }
  taken.add(tid)
  const { subject, body, severity, senderApplication, senderPlugin, parameters = {}, isRead = false } = message
  return {
    tid,
    subject,
    body,
    severity,
    recipientUser,
    recipientRole,
    senderUser,
    senderApplication,
    senderPlugin,
    parameters,
    isRead,
  }
}

function toMessage({ createdAt, ...row }: rows.MessageRow): MessageValue {
  const given = Object.entries(row).filter(([, value]) => value !== null)
  return { ...(Object.fromEntries(given) as unknown as MessageValue), creationDate: createdAt.toISOString() }
}
