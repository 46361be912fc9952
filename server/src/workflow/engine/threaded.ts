/** The engine in a thread of its own: people choose the files, the variables and with both the cost of every step. */
import { createThread } from '../../core/thread.ts'
import type { Model } from './bpmn.ts'
import type { JobInputs } from './element.ts'
import type { EngineCalls } from './engine-thread.ts'
import type { Input, Step } from './engine.ts'
import type { Scope } from './expressions.ts'
import type { Fault } from './rules.ts'

export interface Engine {
  /** Key, name and faults of a file. */
  check(xml: string): Promise<Checked>
  begin(model: Model, variables: Scope): Promise<Step>
  advance(model: Model, variables: Scope, state: string, input: Input): Promise<Step>
  close(): Promise<void>
}

export interface Checked {
  readonly key?: string | undefined
  readonly name?: string | undefined
  readonly faults: readonly Fault[]
}

/** The event loop reads a model of this size in well under 100 ms. */
const maxLength = 256 * 1024
const maxElements = 1000
const maxFaults = 100

export function createEngine(jobs: JobInputs): Engine {
  const program = new URL('./engine-thread.ts', import.meta.url)
  const checks = createThread<EngineCalls>(program, 'the check of the definition')
  const steps = createThread<EngineCalls>(program, 'the step of the workflow')
  return {
    async check(xml) {
      if (xml.length > maxLength)
        return tooLarge(`has ${xml.length} characters; at most ${maxLength} (256 KiB) are allowed`)
      const { elements, key, name, faults } = await checks.call('check', xml, jobs)
      if (elements > maxElements) return tooLarge(`has ${elements} elements; at most ${maxElements} are allowed`)
      const more = faults.length - maxFaults
      return { key, name, faults: [...faults.slice(0, maxFaults), ...(more > 0 ? [{ reason: `${more} more` }] : [])] }
    },
    begin: ({ xml }, variables) => steps.call('begin', xml, jobs, variables),
    advance: ({ xml }, variables, state, input) => steps.call('advance', xml, jobs, variables, state, input),
    close: async () => void (await Promise.all([checks.close(), steps.close()])),
  }
}

const tooLarge = (reason: string): Checked => ({
  faults: [{ reason: `the file ${reason}; split it into several workflows with the job startWorkflow` }],
})
