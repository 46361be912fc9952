/**
 * `node tools/miwg.ts <folder>` tests how Kontor handles BPMN files. It reads every .bpmn file of a folder as a
 * deployment does, runs the valid ones, completing every task and job, and prints a table for docs/workflow.md.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBpmn, sentenceOf } from '../server/src/workflow/engine/bpmn.ts'
import { advance, begin, type Input, type Step, type Wait } from '../server/src/workflow/engine/engine.ts'
import { jobInputs } from '../server/src/workflow/jobs/job-types.ts'

const inputFor = ({ kind, key, message }: Wait): Input =>
  kind === 'message' ? { kind, id: message!.id } : kind === 'timer' ? { kind, key } : { kind: 'done', key }

/** Completes waits, the oldest first, until the process ends; stops after 200, because a model may loop for ever. */
async function outcomeOf(xml: string): Promise<string> {
  const { model, faults } = await readBpmn(xml, jobInputs)
  if (!model) {
    const first = faults.slice(0, 2).map(sentenceOf).join('; ')
    return `refused: ${first}${faults.length > 2 ? `; and ${faults.length - 2} more` : ''}`
  }
  let step: Step = begin(model, {})
  let done = 0
  for (; step.status === 'running' && done < 200; done++) {
    const [wait] = step.waits
    if (!wait) return 'stuck: waits for nothing'
    step = advance(model, {}, step.state, inputFor(wait))
  }
  return step.status === 'failed' ? `failed: ${step.problem}` : `runs: ${step.status} after ${done} steps`
}

const [folder = '.'] = process.argv.slice(2)
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.bpmn'))
  .toSorted()) {
  const bytes = readFileSync(join(folder, file))
  const isLatin = /^<\?xml[^>]*encoding="ISO-8859-1"/i.test(bytes.toString('latin1', 0, 100))
  const outcome = await outcomeOf(bytes.toString(isLatin ? 'latin1' : 'utf8'))
  console.log(`| ${file.replace('.bpmn', '')} | ${outcome.replaceAll(/\s+/g, ' ').replaceAll('|', '/')} |`)
}
