/**
 * E-mail over SMTP. A mail is sent at least once: if the server crashes between sending a mail and recording it, the
 * mail is sent again with the same Message-ID, and mail programs recognize the duplicate.
 */
import { createTransport } from 'nodemailer'
import { oneLine } from '../../common/api.ts'
import type { Config } from '../../config.ts'

export interface Mail {
  /** Used as Message-ID, equal for every attempt. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}
export type Send = (mail: Mail) => Promise<void>

export function createSend({ smtpUrl, mailFrom, baseUrl }: Config): Send | undefined {
  if (smtpUrl === undefined) return undefined
  const host = new URL(baseUrl).hostname
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 30_000, pool: false })
  return async ({ id, to, subject, text }) => {
    await transport.sendMail({
      from: mailFrom ?? `kontor@${host}`,
      to,
      subject: oneLine(subject),
      text,
      messageId: `<${id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
}
