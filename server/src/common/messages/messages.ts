/**
 * The rules of /common/messages: notifications to a user or to everyone with a role.
 *
 * A message needs a recipient; the role wins when both are given. A missing value or a wrong type is 400 for the whole
 * call; a problem of one message (a tid in use, an unknown recipient) is reported in its record. Every user has their
 * own read state for a message to a role.
 */
import { randomUUID } from 'node:crypto'
import { because, type common, type Infer, maxFaults, type Message } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { inBatch, orProblem, type Outcome, soundOf, toRecord } from '../../core/batch/batch.ts'
import type { Caller, Context } from '../../core/context.ts'
import { once } from '../../core/http/idempotency.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { cleanName } from '../../core/batch/names.ts'
import { cut } from '../../core/batch/paging.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import * as rows from './messages.sql.ts'
import { oneLine } from '../../adapters/mail/mail.ts'

type MessageValue = Infer<typeof Message>
type Routes = Pick<typeof common.routes, 'persistMessages' | 'listMessages' | 'readMessages'>

const maxSubject = 255
const maxBody = 64 * 1024
const maxParameters = 50
const maxPage = 1000

/** The users and roles that exist, as `user kim` and `role admin`. */
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

  async listMessages({ db, caller }, { query, continues }) {
    const page = {
      unread: query.unread === 'true',
      before: Number(query.after ?? query.before ?? Number.MAX_SAFE_INTEGER),
      count: Math.min(Number(query.count ?? 50), maxPage),
      continues,
    }
    const found = cut(page, await rows.listMessages(db, readerOf(caller), page))
    return { messages: found.map(toMessage), unread: await rows.countUnread(db, readerOf(caller)) }
  },

  async readMessages({ db, caller }, { body: { ids, isRead = true } }) {
    return { count: await (isRead ? rows.markRead : rows.markUnread)(db, readerOf(caller), ids) }
  },
})

const readerOf = ({ userName, roles }: Caller): rows.Reader => ({ userName, roles: [...roles] })

// prettier-ignore
const faults: readonly (readonly [fault: string, has: (message: MessageValue) => boolean])[] = [
  [': recipientUser or recipientRole is missing',      ({ recipientUser, recipientRole }) => !recipientUser && !recipientRole],
  ['/subject: is empty',                               ({ subject }) => subject.trim() === ''],
  [`/subject: has more than ${maxSubject} characters`, ({ subject }) => subject.length > maxSubject],
  ['/subject: contains a line break; remove it',       ({ subject }) => oneLine(subject) !== subject],
  ['/body: is empty',                                  ({ body }) => body.trim() === ''],
  [`/body: has more than ${maxBody} characters`,       ({ body }) => body.length > maxBody],
  [`/parameters: more than ${maxParameters}`,          ({ parameters = {} }) => Object.keys(parameters).length > maxParameters],
]

function checkWhole(sent: readonly MessageValue[], maxItems: number): void {
  const list = '/messagesPersistRequest/messages'
  const found = sent.flatMap((message, i) =>
    faults.filter(([, has]) => has(message)).map(([fault]) => `${list}[${i + 1}]${fault}`),
  )
  if (sent.length === 0) found.push(`${list}: nothing to do; send at least one message`)
  if (sent.length > maxItems) found.push(`${list}: more than ${maxItems}; send fewer`)
  if (found.length > 0) throw new Problem('invalid', found.slice(0, maxFaults))
}

async function deliver(ctx: Context, recipients: Recipients, sent: readonly MessageValue[]) {
  const users = sent.flatMap(({ recipientUser }) => recipientUser ?? [])
  const roles = sent.flatMap(({ recipientRole }) => recipientRole ?? [])
  const known = await recipients(ctx.db, users, roles)
  const ids = await newIds(ctx.db, sent.length)
  const accepted = sent.map((message, i) => orProblem(() => accept(ctx, message, ids[i]!, known))(message))
  const stored = new Set((await rows.insertMessages(ctx.db, soundOf(accepted))).map(({ id }) => id))
  return accepted.map((message, i) => toRecord('message', 'create', sent[i]!, outcomeOf(message, stored)))
}

function outcomeOf(message: rows.NewMessage | Problem, stored: ReadonlySet<number>): Outcome {
  if (message instanceof Problem) return message
  const { id, tid } = message
  return stored.has(id)
    ? { action: 'create', id, tid }
    : new Problem('exists', `a message with the tid ${tid} exists already`)
}

function accept({ caller }: Context, message: MessageValue, id: number, known: ReadonlySet<string>): rows.NewMessage {
  const { creationDate: _, senderUser = caller.userName, parameters = {}, isRead = false, ...sent } = message
  const recipient = sent.recipientRole ? `role ${sent.recipientRole}` : `user ${sent.recipientUser}`
  if (!known.has(recipient)) {
    const { recipientRole, recipientUser = '' } = sent
    const why = recipientRole ? because('noRole', { name: recipientRole }) : because('noUser', { name: recipientUser })
    throw new Problem('notFound', why)
  }
  if (senderUser !== caller.userName && !caller.roles.has('admin')) {
    throw new Problem('forbidden', `senderUser: only an administrator may send in the name of ${senderUser}`)
  }
  const tid = sent.tid === undefined ? randomUUID() : cleanName('tid', sent.tid)
  return { ...sent, id, tid, senderUser, parameters, isRead }
}

function toMessage({ createdAt, ...row }: rows.MessageRow): MessageValue {
  const given = Object.entries(row).filter(([, value]) => value !== null)
  return { ...(Object.fromEntries(given) as unknown as MessageValue), creationDate: createdAt.toISOString() }
}
