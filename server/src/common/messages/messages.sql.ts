/** Every statement about user messages. A message to a role is in the inbox of everyone who has it. */
import type { Long } from '@kontor/contract'
import { columns } from '../../adapters/postgres/columns.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { nothing, sql } from '../../adapters/postgres/sql.ts'

// prettier-ignore
const message = columns(
  'message', 'id', 'tid', 'subject', 'body', 'severity', 'recipient_user', 'recipient_role', 'sender_user',
  'sender_application', 'sender_plugin', 'parameters',
)

export interface NewMessage {
  id: number
  tid: string
  subject: string
  body: string
  severity?: string
  recipientUser?: string
  recipientRole?: string
  senderUser: string
  senderApplication?: string
  senderPlugin?: string
  parameters: Record<string, string>
  isRead: boolean
}
export interface MessageRow extends NewMessage {
  createdAt: Date
}

/** Stores messages and returns their ids. A tid that was ever stored before is skipped. */
export const insertMessages = (db: Db, messages: readonly NewMessage[]) =>
  db.writeRows<{ id: number }>(sql`
    with sent as (
      select * from ${message.recordset(messages, 'm', sql`"isRead" boolean`)}
    ), stored as (
      insert into message (${message.names})
      select ${message.fields('sent')} from sent order by id on conflict (tid) do nothing returning id
    ), read as (
      insert into message_read (message_id, user_name)
      select s.id, s."recipientUser" from sent s join stored using (id)
      where s."isRead" and s."recipientRole" is null
    )
    select id from stored`)

export interface Reader {
  userName: string
  roles: readonly string[]
}
const inboxOf = ({ userName, roles }: Reader) => sql`
  (m.recipient_role = any(${roles}::text[]) or (m.recipient_role is null and m.recipient_user = ${userName}))`

export const listMessages = (db: Db, reader: Reader, page: { unread: boolean; before: number; count: number }) =>
  db.rows<MessageRow>(sql`
    select ${message.select('m')}, m.created_at as "createdAt", r.message_id is not null as "isRead"
    from message m left join message_read r on r.message_id = m.id and r.user_name = ${reader.userName}
    where ${inboxOf(reader)} and m.id < ${page.before} ${page.unread ? sql`and r.message_id is null` : nothing}
    order by m.id desc limit ${page.count + 1}`)

export const countUnread = async (db: Db, reader: Reader) =>
  (await db.row<{ count: number }>(sql`
    select count(*)::int as count from message m
    where ${inboxOf(reader)}
      and not exists (select from message_read r where r.message_id = m.id and r.user_name = ${reader.userName})`))!
    .count

export const markRead = (db: Db, reader: Reader, ids: readonly Long[]) =>
  db.run(sql`
    insert into message_read (message_id, user_name)
    select m.id, ${reader.userName} from message m where m.id = any(${ids}::bigint[]) and ${inboxOf(reader)}
    on conflict do nothing`)

export const markUnread = (db: Db, reader: Reader, ids: readonly Long[]) =>
  db.run(sql`delete from message_read where user_name = ${reader.userName} and message_id = any(${ids}::bigint[])`)
