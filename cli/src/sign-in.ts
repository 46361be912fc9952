/** login, logout, whoami. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { signInOffline } from '@kontor/sdk'
import { type Call, type Command, textOf } from './command.ts'

export const signInCommands: readonly Command[] = [
  {
    name: 'login',
    usage: '[--url <address>] [--user <name>] [--password-stdin]',
    doc: 'Signs in and keeps an offline token for the commands that follow.',
    options: { url: { type: 'string' }, user: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
    async run(call) {
      const url = (textOf(call, 'url') ?? call.env.KONTOR_URL ?? 'http://localhost:8080').replace(/\/+$/, '')
      const user = textOf(call, 'user') ?? (await ask(call, 'User: '))
      const offlineToken = await signInOffline({ baseUrl: url }, user, await passwordOf(call))
      call.session.write({ url, user, offlineToken })
      call.out.value({ url, user }, () => [`Signed in at ${url} as ${user}.`])
    },
  },
  {
    name: 'logout',
    usage: '',
    doc: 'Forgets the token.',
    async run({ session, out }) {
      session.forget()
      out.line('Signed out.')
    },
  },
  {
    name: 'whoami',
    usage: '',
    doc: 'Who one is, and what one may do.',
    async run(call) {
      const me = await call.client().identity.me()
      call.out.value(me, () => [`${me.name}: ${(me.roles ?? []).join(', ')}`])
    },
  },
]

async function passwordOf(call: Call): Promise<string> {
  if (call.values['password-stdin']) return (await text(process.stdin)).trimEnd()
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  return call.env.KONTOR_PASSWORD || ask(call, 'Password: ', nowhere)
}

/** Terminals show nothing by themselves while a line is read: what is typed goes to `echo`. */
async function ask({ out }: Call, question: string, echo: NodeJS.WritableStream = process.stderr): Promise<string> {
  out.settle()
  const reader = createInterface({ input: process.stdin, output: echo, terminal: process.stdin.isTTY })
  const isUnseen = echo !== process.stderr
  if (isUnseen) process.stderr.write(question)
  try {
    return await reader.question(question)
  } finally {
    reader.close()
    if (isUnseen) process.stderr.write('\n')
  }
}
