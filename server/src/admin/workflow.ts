/** Commands about workflows: whether a BPMN file can be run, putting it in place, and what is there. */
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import { checkFile, deployFile, listDeployed } from '../workflow/admin.ts'
import type { Commands, Out } from './command.ts'
import { withDatabase } from './database.ts'

export const workflowCommands: Commands = [
  ['workflows check', check],
  ['workflows deploy', deploy],
  ['workflows list', list],
]

function read(file: string | undefined): string {
  if (file === undefined) throw new Problem('invalid', 'name a BPMN file')
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Problem('notFound', `the file ${file} cannot be read`, { cause })
  }
}

/** `workflows check <file>` */
async function check(_config: Config, [file]: readonly string[], out: Out): Promise<boolean> {
  const faults = await checkFile(read(file))
  for (const fault of faults) out(fault)
  if (faults.length === 0) out('The file can be run.')
  return faults.length === 0
}

/** `workflows deploy <file> [name]` */
async function deploy(config: Config, [file, name]: readonly string[], out: Out): Promise<void> {
  const xml = read(file)
  const { key, version, id } = await withDatabase(config, (db) => deployFile(db, xml, name))
  out(`${key} is there in version ${version} (definition ${id}).`)
}

async function list(config: Config, _args: readonly string[], out: Out): Promise<void> {
  const deployed = await withDatabase(config, listDeployed)
  for (const { key, version, name, running } of deployed) out(`${key} ${version}  ${name}  ${running} running`)
}
