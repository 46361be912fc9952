/** Commands about workflows: whether a BPMN file can be run, putting it in place, and what is there. */
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import { checkFile, deployFile, listDeployed } from '../workflow/admin.ts'
import type { Commands, Out } from './command.ts'
import { withDatabase } from './database.ts'

// prettier-ignore
export const workflowCommands: Commands = [
  { name: 'workflows check', usage: '<file.bpmn>', words: 1, doc: 'Says whether a BPMN file can be run, and what hinders it', work: check },
  { name: 'workflows deploy', usage: '<file.bpmn> [name]', words: 2, doc: 'Puts a BPMN file in place, as a new version', work: deploy },
  { name: 'workflows list', usage: '', doc: 'Definitions, and how many of their processes run', work: list },
]

function read(file: string | undefined): string {
  if (file === undefined) throw new Problem('invalid', 'name a BPMN file')
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Problem('notFound', `the file ${file} cannot be read`, { cause })
  }
}

async function check(_config: Config, [file]: readonly string[], out: Out): Promise<boolean> {
  const faults = await checkFile(read(file))
  for (const fault of faults) out(fault)
  if (faults.length === 0) out('The file can be run.')
  return faults.length === 0
}

async function deploy(config: Config, [file, name]: readonly string[], out: Out): Promise<void> {
  const xml = read(file)
  const { key, version, id } = await withDatabase(config, (db) => deployFile(db, xml, name))
  out(`${key} is there in version ${version} (definition ${id}).`)
}

async function list(config: Config, _args: readonly string[], out: Out): Promise<void> {
  const deployed = await withDatabase(config, listDeployed)
  for (const { key, version, name, running } of deployed) out(`${key} ${version}  ${name}  ${running} running`)
}
