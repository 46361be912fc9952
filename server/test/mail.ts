/** A mail server that keeps what it receives, as it arrived. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  readonly port: number
  readonly mails: string[]
  close(): Promise<void>
}

export async function openMailServer(): Promise<MailServer> {
  const mails: string[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _, done) {
      let text = ''
      stream
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('end', () => {
          mails.push(text)
          done()
        })
    },
  })
  smtp.on('error', () => {}) // a client that is gone
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  return { port, mails, close: () => new Promise((done) => smtp.close(() => done())) }
}
