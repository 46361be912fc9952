/** Advances a process: locks its row, lets the engine compute one step, and stores it, in one transaction. */
import type { Context } from '../../core/context.ts'
import type { Input } from '../engine/engine.ts'
import type { Runtime } from '../runtime.ts'
import { notifyFailure } from '../tasks/notices.ts'
import type { LockedProcess } from './processes.sql.ts'
import { storeStep } from './steps.ts'

/** `values` are added to the variables before the step. */
export async function moveOn(
  ctx: Context,
  runtime: Runtime,
  process: LockedProcess,
  input: Input,
  values: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const model = await runtime.models.of(ctx.db, process.definitionId)
  const variables = { ...process.variables, ...values }
  const step = await runtime.engine.advance(model, variables, process.engine, input)
  await storeStep(ctx, runtime, { process: { ...process, variables }, model, step })
  if (step.status === 'failed') await notifyFailure(ctx, process, step.problem ?? '')
}
