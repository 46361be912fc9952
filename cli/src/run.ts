/**
 * One command line from its words to its exit code.
 *
 *   0 done   1 something was refused   2 not understood   3 not signed in   4 the server does not answer
 */
import { parseArgs } from 'node:util'
import { BadMessage } from '@kontor/contract'
import { type Client, createClient, fixedToken, KontorError, offlineTokens } from '@kontor/sdk'
import { type Command, exitCodes, UsageError } from './command.ts'
import type { Completed } from './completion.ts'
import { fileCommands } from './files.ts'
import { objectCommands } from './objects.ts'
import { otherCommands } from './others.ts'
import { createOutput, type Output } from './output.ts'
import { openSession, type Session } from './session.ts'
import { signInCommands } from './sign-in.ts'

type Env = Readonly<Record<string, string | undefined>>

const remote: readonly Command[] = [
  ...signInCommands,
  ...objectCommands,
  ...fileCommands,
  ...otherCommands(() => completed()),
]
/** What runs on the server's own machine comes with half of the server; it is loaded when it is needed. */
const local = async () => (await import('@kontor/server/admin')).commands
const completed = async (): Promise<Completed[]> => [
  ...remote.map(({ name, options = {} }) => ({ name, options: [...Object.keys(options), ...Object.keys(everywhere)] })),
  ...[...(await local())].map(([name, { options }]) => ({ name, options: [...options, 'help'] })),
]
/** What every command takes. */
const everywhere = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const

export async function run(words: readonly string[], env: Env): Promise<number> {
  if (words.length === 0 || words[0] === 'help' || words[0] === '--help') return help(words.slice(1))
  const found = find(words)
  if (found) return runRemote(found.command, found.rest, env)
  const admins = await local()
  for (const length of [2, 1]) {
    const admin = admins.get(words.slice(0, length).join(' '))
    if (admin && words.includes('--help')) return help(words.slice(0, length))
    if (admin) return admin.run(words.slice(length), env)
  }
  console.error(`kontor: no command ${words.slice(0, 2).join(' ')}; \`kontor help\` lists them`)
  return exitCodes.usage
}

function find(words: readonly string[]) {
  for (const length of [2, 1]) {
    const command = remote.find(({ name }) => name === words.slice(0, length).join(' '))
    if (command) return { command, rest: words.slice(length) }
  }
  return undefined
}

async function runRemote(command: Command, rest: readonly string[], env: Env): Promise<number> {
  const session = openSession(env)
  let out: Output = createOutput(false, process.stdout, process.stderr)
  try {
    const options = { ...command.options, ...everywhere }
    const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true })
    if (values.help) return help(command.name.split(' '))
    const [extra] = positionals.slice(command.words ?? 0)
    if (extra !== undefined) throw new UsageError(`${extra} is one word too many`)
    out = createOutput(values.json === true, process.stdout, process.stderr)
    const client = lazily(() => connect(session, env))
    return (await command.run({ args: positionals, values, out, session, env, client })) ?? exitCodes.fine
  } catch (error) {
    out.settle()
    return explain(command, error)
  }
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** KONTOR_URL and KONTOR_TOKEN win over what `login` has kept: for scripts. */
function connect(session: Session, env: Env): Client {
  const kept = session.read()
  const baseUrl = env.KONTOR_URL?.replace(/\/+$/, '') ?? kept?.url
  if (env.KONTOR_TOKEN !== undefined && baseUrl !== undefined)
    return createClient({ baseUrl, tokens: fixedToken(env.KONTOR_TOKEN) })
  if (!kept) throw new KontorError(401, ['you are not signed in: run `kontor login`'])
  const keep = (offlineToken: string) => session.write({ ...kept, offlineToken })
  return createClient({ baseUrl: kept.url, tokens: offlineTokens({ baseUrl: kept.url }, kept.offlineToken, keep) })
}

function explain({ name, usage }: Command, error: unknown): number {
  const { message, code, cause } = error as Error & { code?: string; cause?: { code?: string } }
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')) {
    console.error(`kontor: ${message}\nusage: kontor ${name} ${usage}`)
    return exitCodes.usage
  }
  if (error instanceof KontorError) {
    console.error(`kontor: ${message}${error.supportId ? ` (support id ${error.supportId})` : ''}`)
    return error.status === 401 ? exitCodes.signIn : exitCodes.refused
  }
  if (error instanceof BadMessage) {
    console.error(`kontor: ${message}`)
    return exitCodes.refused
  }
  if (cause?.code !== undefined || message === 'fetch failed') {
    console.error(`kontor: the server does not answer (${cause?.code ?? 'no connection'})`)
    return exitCodes.unreachable
  }
  if (code === undefined) throw error // a bug; a file that is not there has a code
  console.error(`kontor: ${message}`)
  return exitCodes.refused
}

async function help(words: readonly string[]): Promise<number> {
  const start = words.join(' ')
  const here = [...(await local())].map(([name, { usage, doc }]) => ({ name, usage, doc }))
  const all: readonly Shown[] = [...remote, ...here]
  const shown = all.filter(({ name }) => name === start || name.startsWith(`${start} `))
  if (start === '') {
    console.log('kontor <command>: every command takes --json, and --help says what else\n')
    list(remote)
    console.log('\non the machine of the server:\n')
    list(here)
  } else if (shown.length === 0) console.error(`kontor: no command ${start}; \`kontor help\` lists them`)
  for (const { name, usage, doc } of shown) console.log(`${`kontor ${name} ${usage}`.trimEnd()}\n  ${doc}`)
  return start === '' || shown.length > 0 ? exitCodes.fine : exitCodes.usage
}

type Shown = Pick<Command, 'name' | 'usage' | 'doc'>
function list(commands: readonly Shown[]): void {
  for (const { name, doc } of commands) console.log(`  ${name.padEnd(34)}  ${doc.split(/[.:;]/)[0]}`)
}
