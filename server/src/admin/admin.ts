/** What the `kontor` command can do on the server's own machine: one row per noun and verb. Returns an exit code. */
import { join } from 'node:path'
import { BadConfig, type Config, describeConfig, readConfig } from '../config.ts'
import { Problem } from '../errors.ts'
import { audit, verifyAudit } from '../identity/audit.ts'
import { rotateKeys } from '../identity/keys.ts'
import { createMasterKey, readMasterKeyFile, WrongMasterKey } from '../identity/master-key.ts'
import { backupCommands } from './backup.ts'
import { channelTypeCommands } from './channel-types.ts'
import { checkProduction } from '../production.ts'
import type { Commands, Out, Work } from './command.ts'
import { withDatabase } from './database.ts'
import { demoCommands } from './demo.ts'
import { doctor } from './doctor.ts'
import { fileCommands } from './files.ts'
import { searchCommands } from './search.ts'
import { runUserCommand, userCommands } from './users.ts'
import { workflowCommands } from './workflow.ts'

export type Command = (args: readonly string[], env: Record<string, string | undefined>, out?: Out) => Promise<number>

// prettier-ignore
const table: Commands = [
  ['config print', async (config, _args, out) => out(printed(config))],
  ['config check', async (config, _args, out) => (checkProduction(config), out('The settings are fine.'))],
  ...Object.keys(userCommands).map((verb) =>
    [`users ${verb}`, (config: Config, args: readonly string[], out: Out) => runUserCommand(config, verb, args, out)] as const),
  ['doctor', doctor],
  ['keys rotate', rotate],
  ['audit verify', verify],
  ...backupCommands,
  ...fileCommands,
  ...demoCommands,
  ...channelTypeCommands,
  ...workflowCommands,
  ...searchCommands,
]

export const commands: ReadonlyMap<string, Command> = new Map(table.map(([name, work]) => [name, command(work)]))

/** With `--json` what was said is one object for programs: whether it went well, and the lines. */
function command(work: Work): Command {
  const run = inWords(work)
  return async (args, env, out = console.log) => {
    if (!args.includes('--json')) return run(args, env, out)
    const lines: string[] = []
    const code = await run(args.filter((arg) => arg !== '--json'), env, (line) => void lines.push(line)) // prettier-ignore
    out(JSON.stringify({ ok: code === 0, lines }))
    return code
  }
}

/** What is wrong with the settings, or with what was asked for, is told in a sentence; anything else is a bug. */
function inWords(work: Work) {
  return async (args: readonly string[], env: Record<string, string | undefined>, out: Out): Promise<number> => {
    try {
      return (await work(readConfig(env), args, out)) === false ? 1 : 0
    } catch (error) {
      if (error instanceof BadConfig) console.error(`Settings that cannot be used:\n${error.message}`)
      else if (error instanceof Problem || error instanceof WrongMasterKey) console.error(error.message)
      else throw error
      return 1
    }
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
