/** Messages that the server itself sends to a user. */
import type { Db } from '../../adapters/postgres/db.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import { insertMessages } from './messages.sql.ts'

/** The subject of a message without line breaks, because it can become the subject of a mail. */
export const oneLine = (subject: string) => subject.replaceAll(/[\n\r\u0085\u2028\u2029]+/g, ' ')

export interface Notice {
  /** Of several notices with the same tid, the first one is delivered. */
  readonly tid: string
  readonly recipientUser: string
  readonly subject: string
  readonly body: string
  readonly severity: 'INFO' | 'WARN' | 'ERROR'
}

export async function notify(db: Db, notice: Notice): Promise<void> {
  const [id] = await newIds(db, 1)
  const sender = { senderUser: 'kontor', senderApplication: 'kontor' }
  const subject = oneLine(notice.subject)
  await insertMessages(db, [{ ...notice, subject, ...sender, id: id!, parameters: {}, isRead: false }])
}
