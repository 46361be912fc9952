/** Messages that the server itself sends to a user. */
import { oneLine } from '../../adapters/mail/mail.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { insertMessages } from './messages.sql.ts'

export interface Notice {
  /** Of several notices with the same tid, the first one is delivered. */
  readonly tid: string
  readonly recipientUser?: string
  /** Everybody with this role, instead of a user. */
  readonly recipientRole?: string
  readonly subject: string
  readonly body: string
  readonly severity: 'INFO' | 'WARN' | 'ERROR'
  /** Names what the message is about, so that clients can lead there. */
  readonly parameters?: Readonly<Record<string, string>>
}

export async function notify(db: Db, { parameters = {}, ...notice }: Notice): Promise<void> {
  const [id] = await newIds(db, 1)
  const sender = { senderUser: 'kontor', senderApplication: 'kontor' }
  const subject = oneLine(notice.subject)
  await insertMessages(db, [{ ...notice, subject, ...sender, id: id!, parameters, isRead: false }])
}
