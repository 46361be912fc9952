/** Moving a process on: its row is locked, the engine takes one step, and the step is stored, in one transaction. */
import type { Context } from '../../core/context.ts'
import { advance, type Input } from '../engine/engine.ts'
import type { Parts } from '../parts.ts'
import { tellFailure } from '../tasks/notices.ts'
import type { LockedProcess } from './processes.sql.ts'
import { storeStep } from './steps.ts'

/** `values` become variables before the step is taken. */
export async function moveOn(
  ctx: Context,
  parts: Parts,
  process: LockedProcess,
  input: Input,
  values: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const model = await parts.models.of(ctx.db, process.definitionId)
  const variables = { ...process.variables, ...values }
  const step = advance(model, variables, process.engine, input)
  await storeStep(ctx, parts, { process: { ...process, variables }, model, step })
  if (step.status === 'failed') await tellFailure(ctx, process, step.problem ?? '')
}
