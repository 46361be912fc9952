/** The program of the thread that checks definitions and computes steps. Models are kept by their file. */
import { serveCalls } from '../../core/thread.ts'
import { loadModel, type Model, readBpmn } from './bpmn.ts'
import type { JobInputs } from './element.ts'
import { advance, begin, type Input } from './engine.ts'
import type { Scope } from './expressions.ts'

const mostModels = 20
const models = new Map<string, Model>()

async function modelOf(xml: string, jobs: JobInputs): Promise<Model> {
  const model = models.get(xml) ?? (await loadModel(xml, jobs))
  models.delete(xml)
  models.set(xml, model)
  if (models.size > mostModels) models.delete(models.keys().next().value!)
  return model
}

const calls = {
  async check(xml: string, jobs: JobInputs) {
    const { key, name, faults, model } = await readBpmn(xml, jobs)
    return { key, name, faults, elements: model?.elements.size ?? 0 }
  },
  begin: async (xml: string, jobs: JobInputs, variables: Scope) => begin(await modelOf(xml, jobs), variables),
  advance: async (xml: string, jobs: JobInputs, variables: Scope, state: string, input: Input) =>
    advance(await modelOf(xml, jobs), variables, state, input),
}
export type EngineCalls = typeof calls

serveCalls(calls)
