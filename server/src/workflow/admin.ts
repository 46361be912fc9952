/** Functions of the `kontor` command for definitions; they need no running server. */
import type { Database } from '../adapters/postgres/db.ts'
import { deploy, judged } from './definitions/definitions.ts'
import { type DefinitionRow, findDefinition, listDefinitions } from './definitions/definitions.sql.ts'
import { readBpmn, sentenceOf } from './engine/bpmn.ts'
import { jobInputs } from './jobs/job-types.ts'
import { system } from './tasks/overdue.ts'

/** The faults of a file, one sentence each. */
export const checkFile = async (xml: string): Promise<string[]> =>
  (await readBpmn(xml, jobInputs)).faults.map(sentenceOf)

export async function deployFile(database: Database, xml: string, name?: string): Promise<DefinitionRow> {
  const model = await judged(xml, jobInputs)
  return database.transaction(async (db) => {
    const caller = { ...system, userName: 'kontor command' }
    const id = await deploy(
      { db, caller },
      { key: model.key, name: name ?? model.name.slice(0, 255), xml, shipped: false },
    )
    return (await findDefinition(db, id))!
  })
}

export const listDeployed = (database: Database): Promise<DefinitionRow[]> => listDefinitions(database)
