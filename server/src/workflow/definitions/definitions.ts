/**
 * Rules of /workflow/definitions: BPMN files are validated before they are stored, and their versions are immutable.
 */
import { because } from '@kontor/contract'
import type { Infer, workflow, WorkflowDefinition } from '@kontor/contract'
import { inBatch } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { newName } from '../../core/batch/names.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { idOf } from '../identify.ts'
import { type Model, readBpmn, sentenceOf } from '../engine/bpmn.ts'
import type { JobInputs } from '../engine/element.ts'
import type { Engine } from '../engine/threaded.ts'
import * as rows from './definitions.sql.ts'

type Routes = Pick<
  typeof workflow.routes,
  | 'listDefinitions'
  | 'retrieveDefinition'
  | 'retrieveDiagram'
  | 'checkDefinition'
  | 'deployDefinition'
  | 'deleteDefinition'
>

export const definitions = (engine: Engine): RouteHandlers<Routes> => ({
  listDefinitions: async ({ db }, { query }) => ({
    definitions: (await rows.listDefinitions(db, query.key)).map(toDefinition),
  }),

  retrieveDefinition: async ({ db }, { params }) =>
    toDefinition((await rows.findDefinition(db, idOf(params.id))) ?? missing(params.id)),

  retrieveDiagram: async ({ db }, { params }) => (await rows.findXml(db, idOf(params.id))) ?? missing(params.id),

  async checkDefinition(_, { body }) {
    const { key, name, faults } = await engine.check(body.xml)
    return { ...(key && { key }), ...(name && { name }), faults: [...faults] }
  },

  async deployDefinition(_, { body: { xml, name }, caller, services }) {
    const { key = '', name: inFile = key, faults } = await engine.check(xml)
    if (faults.length > 0) throw new Problem('invalid', faults.map(sentenceOf))
    const title = name === undefined ? inFile.slice(0, 255) : newName('name', name)
    return inBatch(services, caller, async (ctx) => {
      const id = await deploy(ctx, { key, name: title, xml, shipped: false })
      return toDefinition((await rows.findDefinition(ctx.db, id))!)
    })
  },

  deleteDefinition: (_, { params, caller, services }) =>
    inBatch(services, caller, async ({ db }) => {
      const id = idOf(params.id)
      const { processes, configurations } = (await rows.findUsers(db, id)) ?? missing(params.id)
      if (processes > 0) throw new Problem('inUse', because('definitionRuns', { id, count: processes }))
      if (configurations.length > 0) {
        throw new Problem('inUse', because('definitionNeeded', { id, uses: configurations.join(', ') }))
      }
      await rows.deleteDefinition(db, id)
    }),
})

const missing = (id: string | undefined): never => {
  throw new Problem('notFound', `no definition has the id ${id}`)
}

/** Returns the model of a valid file; throws a Problem that lists all faults otherwise. */
export async function judged(xml: string, jobs: JobInputs): Promise<Model> {
  const { model, faults } = await readBpmn(xml, jobs)
  if (!model) throw new Problem('invalid', faults.map(sentenceOf))
  return model
}

/** Stores a file as a new version, unless it equals the newest one. */
export async function deploy(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  file: { key: string; name: string; xml: string; shipped: boolean },
): Promise<number> {
  await rows.lockKey(db, file.key)
  const newest = await rows.findNewest(db, file.key)
  if (newest && newest.xml === file.xml && newest.name === file.name) return newest.id
  const version = (newest?.version ?? 0) + 1
  return rows.insertDefinition(db, { ...file, version, userName: caller.userName })
}

const toDefinition = ({ deployedAt, ...row }: rows.DefinitionRow): Infer<typeof WorkflowDefinition> => ({
  ...row,
  deployedAt: deployedAt.toISOString(),
})

/**
 * A cache of models by definition. Definitions are immutable, so entries never expire; the least recently used are
 * evicted.
 */
export interface Models {
  of(db: Context['db'], definitionId: number): Promise<Model>
}

const mostModels = 100

export function createModels(jobs: JobInputs): Models {
  const known = new Map<number, Promise<Model>>()
  const load = async (db: Context['db'], id: number) => {
    const xml = await rows.findXml(db, id)
    return judged(xml ?? missing(String(id)), jobs)
  }
  return {
    async of(db, id) {
      const model = known.get(id) ?? load(db, id)
      known.delete(id)
      known.set(id, model)
      if (known.size > mostModels) known.delete(known.keys().next().value!)
      return model.catch((error: unknown) => {
        known.delete(id)
        throw error
      })
    },
  }
}
