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
    doc: 'Signs in and stores an offline token for later commands.',
    options: { url: { type: 'string' }, user: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
    async run(call) {
      const url = (textOf(call, 'url') ?? call.env.KONTOR_URL ?? 'http://localhost:8080').replace(/\/+$/, '')
      const user = textOf(call, 'user') ?? (await ask(call, 'User: '))
      const offlineToken = await signInOffline({ baseUrl: url }, user, await readPassword(call))
      call.session.write({ url, user, offlineToken })
      call.out.value({ url, user }, () => [`Signed in at ${url} as ${user}.`])
    },
  },
  {
    name: 'logout',
    usage: '',
    doc: 'Deletes the stored token.',
    async run({ session, out }) {
      session.remove()
      out.line('Signed out.')
    },
  },
  {
    name: 'whoami',
    usage: '',
    doc: 'Shows the signed-in user and their roles.',
    async run(call) {
      const me = await call.client().identity.me()
      call.out.value(me, () => [`${me.name}: ${(me.roles ?? []).join(', ')}`])
    },
  },
]

async function readPassword(call: Call): Promise<string> {
  if (call.values['password-stdin']) return (await text(process.stdin)).trimEnd()
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() })
  return call.env.KONTOR_PASSWORD || ask(call, 'Password: ', discarded)
}

/** readline, not the terminal, echoes the typed line: it writes it to `echo`. */
async function ask({ out }: Call, question: string, echo: NodeJS.WritableStream = process.stderr): Promise<string> {
  out.settle()
  const reader = createInterface({ input: process.stdin, output: echo, terminal: process.stdin.isTTY })
  const isHidden = echo !== process.stderr
  if (isHidden) process.stderr.write(question)
  try {
    return await reader.question(question)
  } finally {
    reader.close()
    if (isHidden) process.stderr.write('\n')
  }
}
