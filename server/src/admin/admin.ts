/** The commands of `kontor` that run on the server's own machine, as a table. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BadConfig, type Config, describeConfig, readConfig } from '../config.ts'
import { Problem } from '../errors.ts'
import { audit, verifyAudit } from '../identity/audit/audit-chain.ts'
import { rotateKeys } from '../identity/tokens/keys.ts'
import { createMasterKey, findMasterKey, WrongMasterKey } from '../identity/tokens/master-key.ts'
import { backupCommands } from './backup.ts'
import { channelTypeCommands } from './channel-types.ts'
import { closeNewFiles } from '../process/data-folder.ts'
import { checkProduction } from '../process/production.ts'
import type { Commands, Out, Row } from './command.ts'
import { withDatabase } from './database.ts'
import { demoCommands } from './demo.ts'
import { doctor } from './doctor.ts'
import { fileCommands } from './files.ts'
import { userCommands } from './users.ts'
import { workflowCommands } from './workflow.ts'

interface Command {
  readonly usage: string
  readonly doc: string
  /** The names of the options, without dashes. */
  readonly options: readonly string[]
  /** Returns the exit code: 1 if the command failed or found faults, 2 if the arguments are invalid. */
  run(args: readonly string[], env: Readonly<Record<string, string | undefined>>, out?: Out): Promise<number>
}

// prettier-ignore
const table: Commands = [
  { name: 'config print', usage: '', doc: 'Prints every setting with its value and its meaning', work: async (config, _args, out) => out(printConfig(config)) },
  { name: 'config check', usage: '', doc: 'Reports all faults of the settings without starting anything', work: async (config, _args, out) => (checkProduction(config), out('The settings are fine.')) },
  ...userCommands,
  { name: 'doctor', usage: '', doc: 'Checks the installation: database, disk, keys, jobs; explains what is wrong, and changes nothing', work: doctor },
  { name: 'keys rotate', usage: '', doc: 'Promotes the next key, which signs tokens from now on', work: rotate },
  { name: 'audit verify', usage: '[anchor]', maxArguments: 1, doc: 'Verifies the hash chain of the audit log, and that it still contains the row of the anchor', work: verify },
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
      const parsed = parse(row, options, args)
      if (!parsed) return 2
      closeNewFiles() // backups contain everything
      const run = (out: Out) => reportErrors(() => row.work(readConfig(env), parsed.positionals, out, parsed.values))
      return parsed.values.json === true ? asJson(run, out) : run(out)
    },
  }
}

/** Parses the arguments; prints the usage and returns undefined if they are invalid. */
function parse({ name, usage, maxArguments = 0 }: Row, options: NonNullable<Row['options']>, args: readonly string[]) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true })
    const [extra] = parsed.positionals.slice(maxArguments)
    if (extra === undefined) return parsed
    throw new Problem('invalid', `unexpected argument ${extra}`)
  } catch (error) {
    console.error(`kontor: ${(error as Error).message}\nusage: ${`kontor ${name} ${usage}`.trimEnd()}`)
    return undefined
  }
}

/** With `--json` the output is one object: whether the command succeeded, and its lines. */
async function asJson(run: (out: Out) => Promise<number>, out: Out): Promise<number> {
  const lines: string[] = []
  const code = await run((line) => void lines.push(line))
  out(JSON.stringify({ ok: code === 0, lines }))
  return code
}

/** Prints errors in the settings and arguments as a sentence. All other errors are bugs and are thrown. */
async function reportErrors(work: () => Promise<unknown>): Promise<number> {
  try {
    return (await work()) === false ? 1 : 0
  } catch (error) {
    if (error instanceof BadConfig) console.error(`Invalid settings:\n${error.message}`)
    else if (error instanceof Problem || error instanceof WrongMasterKey) console.error(error.message)
    else throw error
    return 1
  }
}

const printConfig = (config: Config) =>
  describeConfig(config)
    .map(({ env, value, doc }) => `# ${doc}\n${env}=${value}`)
    .join('\n\n')

async function rotate(config: Config, _args: readonly string[], out: Out): Promise<void> {
  const file = join(config.data, 'master-key')
  await withDatabase(config, async (db) => {
    const secret = config.masterKey ?? findMasterKey(file)
    if (secret === undefined)
      throw new Problem('notFound', `there is no master key in ${file}; set KONTOR_DATA or KONTOR_MASTER_KEY`)
    await rotateKeys(db, config.tokenAlgorithm, createMasterKey(secret))
    await audit(db, { actor: 'kontor command', action: 'keys.rotate' })
  })
  out('The next key signs tokens from now on; the previous one is accepted for two more hours.')
}

/** `audit verify [number:hash]`: verifies the chain, and that it still contains the row of the anchor. */
async function verify(config: Config, [anchor]: readonly string[], out: Out): Promise<boolean> {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(anchor ?? '') ?? []
  if (anchor !== undefined && hash === undefined)
    throw new Problem('invalid', 'the anchor has the form <number>:<hash>')
  const { rows, end, fault } = await withDatabase(config, (db) =>
    verifyAudit(db, hash === undefined ? undefined : { seq: Number(seq), hash }),
  )
  if (fault !== undefined) out(`The audit log is broken: ${fault}. The ${rows} rows before are intact.`)
  else out(`The audit log is whole: ${rows} rows${end ? `; the last one is ${end.seq}:${end.hash}` : ''}.`)
  return fault === undefined
}
