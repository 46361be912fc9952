/** What the `kontor` command can do on the server's own machine: one row per noun and verb. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BadConfig, type Config, describeConfig, readConfig } from '../config.ts'
import { Problem } from '../errors.ts'
import { audit, verifyAudit } from '../identity/audit/audit-chain.ts'
import { rotateKeys } from '../identity/tokens/keys.ts'
import { createMasterKey, readMasterKeyFile, WrongMasterKey } from '../identity/tokens/master-key.ts'
import { backupCommands } from './backup.ts'
import { channelTypeCommands } from './channel-types.ts'
import { checkProduction } from '../process/production.ts'
import type { Commands, Out, Row } from './command.ts'
import { withDatabase } from './database.ts'
import { demoCommands } from './demo.ts'
import { doctor } from './doctor.ts'
import { fileCommands } from './files.ts'
import { userCommands } from './users.ts'
import { workflowCommands } from './workflow.ts'

export interface Command {
  readonly usage: string
  readonly doc: string
  /** Without their dashes. */
  readonly options: readonly string[]
  /** Returns the exit code: 1 when something was refused or is wrong, 2 when the words were not understood. */
  run(args: readonly string[], env: Readonly<Record<string, string | undefined>>, out?: Out): Promise<number>
}

// prettier-ignore
const table: Commands = [
  { name: 'config print', usage: '', doc: 'Every setting, what it is now, and what it means', work: async (config, _args, out) => out(printed(config)) },
  { name: 'config check', usage: '', doc: 'Tells all faults of the settings at once, and starts nothing', work: async (config, _args, out) => (checkProduction(config), out('The settings are fine.')) },
  ...userCommands,
  { name: 'doctor', usage: '', doc: 'Looks at everything an installation stands on, and says what is wrong', work: doctor },
  { name: 'keys rotate', usage: '', doc: 'Signs tokens with the next key from now on', work: rotate },
  { name: 'audit verify', usage: '[anchor]', words: 1, doc: 'Whether the audit log is whole, and still has the row that was noted elsewhere', work: verify },
  ...backupCommands,
  ...fileCommands,
  ...demoCommands,
  ...channelTypeCommands,
  ...workflowCommands,
]

export const commands: ReadonlyMap<string, Command> = new Map(table.map((row) => [row.name, command(row)]))

function command(row: Row): Command {
  const options = { ...row.options, json: { type: 'boolean' } } as const
  return {
    usage: row.usage,
    doc: row.doc,
    options: Object.keys(options),
    async run(args, env, out = console.log) {
      const typed = understand(row, options, args)
      if (!typed) return 2
      const run = (told: Out) => inWords(() => row.work(readConfig(env), typed.positionals, told, typed.values))
      return typed.values.json === true ? asJson(run, out) : run(out)
    },
  }
}

/** What was typed; nothing, when it cannot be meant, after saying how the command is used. */
function understand({ name, usage, words = 0 }: Row, options: NonNullable<Row['options']>, args: readonly string[]) {
  try {
    const typed = parseArgs({ args: [...args], options, allowPositionals: true })
    const [extra] = typed.positionals.slice(words)
    if (extra === undefined) return typed
    throw new Problem('invalid', `unexpected argument ${extra}`)
  } catch (error) {
    console.error(`kontor: ${(error as Error).message}\nusage: ${`kontor ${name} ${usage}`.trimEnd()}`)
    return undefined
  }
}

/** With `--json` what was said is one object for programs: whether it went well, and the lines. */
async function asJson(run: (out: Out) => Promise<number>, out: Out): Promise<number> {
  const lines: string[] = []
  const code = await run((line) => void lines.push(line))
  out(JSON.stringify({ ok: code === 0, lines }))
  return code
}

/** What is wrong with the settings, or with what was asked for, is told in a sentence; anything else is a bug. */
async function inWords(work: () => Promise<unknown>): Promise<number> {
  try {
    return (await work()) === false ? 1 : 0
  } catch (error) {
    if (error instanceof BadConfig) console.error(`Settings that cannot be used:\n${error.message}`)
    else if (error instanceof Problem || error instanceof WrongMasterKey) console.error(error.message)
    else throw error
    return 1
  }
}

const printed = (config: Config) =>
  describeConfig(config)
    .map(({ env, value, doc }) => `# ${doc}\n${env}=${value}`)
    .join('\n\n')

async function rotate(config: Config, _args: readonly string[], out: Out): Promise<void> {
  const masterKey = createMasterKey(config.masterKey ?? readMasterKeyFile(join(config.data, 'master-key')))
  await withDatabase(config, async (db) => {
    await rotateKeys(db, config.tokenAlgorithm, masterKey)
    await audit(db, { actor: 'kontor command', action: 'keys.rotate' })
  })
  out('The next key signs from now on; the one before is accepted for two hours more.')
}

/** `audit verify [number:hash]`: the whole chain, and that it still has the row that was noted elsewhere. */
async function verify(config: Config, [anchor]: readonly string[], out: Out): Promise<boolean> {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(anchor ?? '') ?? []
  if (anchor !== undefined && hash === undefined)
    throw new Problem('invalid', 'the anchor has the form <number>:<hash>')
  const { rows, end, fault } = await withDatabase(config, (db) =>
    verifyAudit(db, hash === undefined ? undefined : { seq: Number(seq), hash }),
  )
  if (fault !== undefined) out(`The audit log is broken: ${fault}. ${rows} rows before that are whole.`)
  else out(`The audit log is whole: ${rows} rows${end ? `, which end at ${end.seq}:${end.hash}` : ''}.`)
  return fault === undefined
}
