/**
 * Runs one command line and returns its exit code.
 *
 *   0 done   1 refused, at least in part   2 invalid command line   3 not signed in   4 the server does not answer
 */
import { parseArgs } from 'node:util'
import { BadMessage } from '@kontor/contract'
import { type Client, clientTokens, createClient, fixedToken, KontorError, offlineTokens } from '@kontor/sdk'
import { type Command, exitCodes, UsageError } from './command.ts'
import { completionCommand, type CommandWords } from './completion.ts'
import { connectionDoctor, serverPackage } from './doctor.ts'
import { eventCommands } from './events.ts'
import { feedCommands } from './feeds.ts'
import { fileCommands } from './files.ts'
import { migrateCommands } from './migrate.ts'
import { objectCommands } from './objects.ts'
import { loadLocalCommands } from './local.ts'
import { createOutput, type Output } from './output.ts'
import { profileCommands } from './profiles.ts'
import { searchCommands } from './search.ts'
import { openSession, type Session } from './session.ts'
import { signInCommands } from './sign-in.ts'
import { transferCommands } from './transfers.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Accepted by every command. */
const globalOptions = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const

const remoteCommands: readonly Command[] = [
  ...signInCommands,
  ...objectCommands,
  ...fileCommands,
  ...transferCommands,
  ...profileCommands,
  ...migrateCommands,
  ...feedCommands,
  ...searchCommands,
  ...eventCommands,
  completionCommand(allCommandWords),
]
async function allCommandWords(): Promise<CommandWords[]> {
  return [
    ...remoteCommands.map(({ name, options = {} }) => ({
      name,
      options: [...Object.keys(options), ...Object.keys(globalOptions)],
    })),
    ...[...((await loadLocalCommands()) ?? [])].map(([name, { options }]) => ({ name, options: [...options, 'help'] })),
  ]
}

export async function run(words: readonly string[], env: Env): Promise<number> {
  if (words.length === 0 || words[0] === 'help' || words[0] === '--help') return help(words.slice(1))
  const found = findRemote(words)
  if (found) return runRemote(found.command, found.rest, env)
  const localCommands = await loadLocalCommands()
  if (!localCommands) return runWithoutServer(words, env)
  for (const length of [2, 1]) {
    const command = localCommands.get(words.slice(0, length).join(' '))
    if (command && words.includes('--help')) return help(words.slice(0, length))
    if (command) return command.run(words.slice(length), env)
  }
  return refuseUnknown(words.slice(0, 2).join(' '))
}

function runWithoutServer(words: readonly string[], env: Env): number | Promise<number> {
  if (words[0] === connectionDoctor.name) return runRemote(connectionDoctor, words.slice(1), env)
  return refuseUnknown(
    words.slice(0, 2).join(' '),
    `. Commands for the machine of the server are missing: ${serverPackage}`,
  )
}

function refuseUnknown(name: string, hint = ''): number {
  console.error(`kontor: unknown command ${name}; \`kontor help\` lists all commands${hint}`)
  return exitCodes.usage
}

/** A name of two words wins over its first word alone. */
function findRemote(words: readonly string[]) {
  for (const length of [2, 1]) {
    const command = remoteCommands.find(({ name }) => name === words.slice(0, length).join(' '))
    if (command) return { command, rest: words.slice(length) }
  }
  return undefined
}

async function runRemote(command: Command, rest: readonly string[], env: Env): Promise<number> {
  const session = openSession(env)
  let out: Output = createOutput(false, process.stdout, process.stderr)
  try {
    const options = { ...command.options, ...globalOptions }
    const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true })
    if (values.help) return help(command.name.split(' '))
    const [extra] = positionals.slice(command.maxArguments ?? 0)
    if (extra !== undefined) throw new UsageError(`unexpected argument ${extra}`)
    out = createOutput(values.json === true, process.stdout, process.stderr)
    const client = memoize(() => connect(session, env))
    return (await command.run({ args: positionals, values, out, session, env, client })) ?? exitCodes.ok
  } catch (error) {
    out.settle()
    return reportError(command, error)
  }
}

function memoize<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

/**
 * KONTOR_URL with KONTOR_TOKEN, or with KONTOR_CLIENT_ID and KONTOR_CLIENT_SECRET, are meant for scripts and override the
 * sign-in that `login` has stored.
 */
function connect(session: Session, env: Env): Client {
  const signIn = session.read()
  const baseUrl = env.KONTOR_URL?.replace(/\/+$/, '') ?? signIn?.url
  if (env.KONTOR_TOKEN !== undefined && baseUrl !== undefined)
    return createClient({ baseUrl, tokens: fixedToken(env.KONTOR_TOKEN) })
  const { KONTOR_CLIENT_ID: clientId, KONTOR_CLIENT_SECRET: clientSecret } = env
  if ((clientId === undefined) !== (clientSecret === undefined))
    throw new UsageError('set both KONTOR_CLIENT_ID and KONTOR_CLIENT_SECRET')
  if (clientId !== undefined && clientSecret !== undefined) {
    if (baseUrl === undefined) throw new UsageError('set KONTOR_URL, the address of the server')
    return createClient({ baseUrl, tokens: clientTokens({ baseUrl, clientId }, clientSecret) })
  }
  if (!signIn) throw new KontorError(401, ['you are not signed in: run `kontor login`'])
  const store = (offlineToken: string) => session.write({ ...signIn, offlineToken })
  const { url } = signIn
  return createClient({ baseUrl: url, tokens: offlineTokens({ baseUrl: url }, signIn.offlineToken, store) })
}

function reportError({ name, usage }: Command, error: unknown): number {
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
  if (code === undefined) throw error // a bug; errors of the file system have a code
  console.error(`kontor: ${message}`)
  return exitCodes.refused
}

type Documented = Pick<Command, 'name' | 'usage' | 'doc'>

async function help(words: readonly string[]): Promise<number> {
  const start = words.join(' ')
  const loaded = await loadLocalCommands()
  const localCommands = loaded
    ? [...loaded].map(([name, { usage, doc }]) => ({ name, usage, doc }))
    : [connectionDoctor]
  if (start === '') {
    console.log('kontor <command>: every command accepts --json; --help shows its other options\n')
    printSummaries(remoteCommands)
    console.log(loaded ? '\non the machine of the server:\n' : `\non this machine; ${serverPackage}:\n`)
    printSummaries(localCommands)
    return exitCodes.ok
  }
  const all: readonly Documented[] = [...remoteCommands, ...localCommands]
  const matching = all.filter(({ name }) => name === start || name.startsWith(`${start} `))
  if (matching.length === 0) return refuseUnknown(start)
  for (const { name, usage, doc } of matching) console.log(`${`kontor ${name} ${usage}`.trimEnd()}\n  ${doc}`)
  return exitCodes.ok
}

/** One line per command, with the first sentence of its description. */
function printSummaries(commands: readonly Documented[]): void {
  for (const { name, doc } of commands) console.log(`  ${name.padEnd(34)}  ${doc.split(/[.:;]/)[0]}`)
}
