/**
 * E-mail over SMTP. A mail is sent at least once: if the server crashes between sending a mail and recording it, the
 * mail is sent again with the same Message-ID, and mail programs recognize the duplicate.
 */
import { createTransport } from 'nodemailer'
import { streamOf } from '../late-file.ts'

/** A subject without line breaks, which would begin another header. */
export const oneLine = (subject: string) => subject.replaceAll(/[\n\r\u0085\u2028\u2029]+/g, ' ')

export interface Mail {
  /** Used as Message-ID, equal for every attempt. */
  readonly id: string
  readonly to: string | readonly string[]
  readonly subject: string
  readonly text: string
  readonly attachment?: { readonly name: string; readonly path: string; readonly mediaType: string }
}
export type Send = (mail: Mail) => Promise<void>

interface MailOptions {
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly baseUrl: string
}

export function createSend({ smtpUrl, mailFrom, baseUrl }: MailOptions): Send | undefined {
  if (smtpUrl === undefined) return undefined
  const host = new URL(baseUrl).hostname
  const transport = createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 30_000, pool: false })
  return async ({ id, to, subject, text, attachment }) => {
    await transport.sendMail({
      from: mailFrom ?? `kontor@${host}`,
      to: [to].flat(),
      subject: oneLine(subject),
      text,
      messageId: `<${id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(attachment && {
        attachments: [
          {
            filename: attachment.name,
            content: streamOf(attachment.path),
            contentType: attachment.mediaType,
          },
        ],
      }),
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
}
