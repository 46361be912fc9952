/** Commands about workflows: check a BPMN file, deploy it, list the definitions. */
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import { checkFile, deployFile, listDeployed } from '../workflow/admin.ts'
import type { Commands, Out } from './command.ts'
import { withDatabase } from './database.ts'

// prettier-ignore
export const workflowCommands: Commands = [
  { name: 'workflows check', usage: '<file.bpmn>', maxArguments: 1, doc: 'Checks whether a BPMN file can be run', work: check },
  { name: 'workflows deploy', usage: '<file.bpmn> [name]', maxArguments: 2, doc: 'Deploys a BPMN file as a new version', work: deploy },
  { name: 'workflows list', usage: '', doc: 'Lists the definitions with the number of their running processes', work: list },
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
  out(`${key} is deployed in version ${version} (definition ${id}).`)
}

async function list(config: Config, _args: readonly string[], out: Out): Promise<void> {
  const deployed = await withDatabase(config, listDeployed)
  for (const { key, version, name, running } of deployed) out(`${key} ${version}  ${name}  ${running} running`)
}
