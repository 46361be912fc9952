/** login, logout, whoami. */
import { createInterface } from 'node:readline/promises'
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
  return call.env.KONTOR_PASSWORD ?? ask(call, 'Password: ')
}

async function ask({ out }: Call, question: string): Promise<string> {
  out.settle()
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await reader.question(question)
  } finally {
    reader.close()
  }
}
