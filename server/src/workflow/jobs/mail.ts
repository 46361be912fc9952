/**
 * E-mail by SMTP. A mail is sent at least once: when the server dies between sending and noting it, it is sent again,
 * with the same Message-ID, by which mail programs know that it is the same.
 */
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'

export interface Mail {
  /** Names the mail for ever. */
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
      subject: subject.replaceAll(/[\r\n]+/g, ' '),
      text,
      messageId: `<${id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
}
