/**
 * Changes of objects by jobs. They use the resources of the areas, so that all rules and permissions of the API apply.
 */
import { NotAtomic } from '../../core/batch/batch.ts'
import type { Context } from '../../core/context.ts'
import { meets, needsOf } from '../../core/access/permissions.ts'
import { containersOf, settleItems } from '../../core/batch/settle.ts'
import { Problem } from '../../errors.ts'
import { asText } from '../engine/expressions.ts'
import type { Runtime } from '../runtime.ts'

const resources = { product: '/api/core/v1/pim/products', file: '/api/core/v1/dam/assets' } as const

/** All or nothing: a refusal for one object rolls back the job. */
async function settleAll(
  ctx: Context,
  runtime: Runtime,
  path: string,
  verb: 'persist' | 'perform',
  items: readonly object[],
) {
  const mounted = runtime.resources().get(path)!
  const needs = needsOf(mounted.resource, verb)
  if (!meets(ctx.caller.permissions, needs)) {
    throw new Problem(
      'forbidden',
      `${ctx.caller.userName} has no role that may ${needs.any.join(' or ')} ${needs.kind}`,
    )
  }
  const container = containersOf(mounted.resource, verb)[0]!
  if (items.length === 0) return 0
  const sent = items.map((item) => ({ container, item }))
  await settleItems(ctx, mounted, verb, sent, true).catch((error: unknown) => {
    if (!(error instanceof NotAtomic)) throw error
    const refused = error.outcomes
      .flat()
      .filter((one) => one instanceof Problem && one.kind !== 'notApplied') as Problem[]
    throw new Problem(
      refused[0]!.kind,
      refused.slice(0, 10).flatMap(({ messages }) => messages),
    )
  })
  return items.length
}

export function setValues(
  ctx: Context,
  runtime: Runtime,
  of: 'product' | 'file',
  tids: readonly string[],
  { attr, value, locale }: { attr: string; value: unknown; locale: string },
): Promise<number> {
  const texts = Array.isArray(value) ? value.map(asText) : [asText(value)]
  const itm = texts.map((text) => ({ value: text, ...(locale !== '' && { loc: locale }) }))
  return settleAll(
    ctx,
    runtime,
    resources[of],
    'persist',
    tids.map((tid) => ({ tid, vals: { val: [{ attr, itm }] } })),
  )
}

export function moveOrCopy(
  ctx: Context,
  runtime: Runtime,
  type: 'move' | 'copy',
  tids: readonly string[],
  directory: string,
) {
  const meta = { itm: [{ key: 'destinationDirPath', value: directory }] }
  return settleAll(
    ctx,
    runtime,
    resources.file,
    'perform',
    tids.map((tid) => ({ type, dataType: 'asset', tid, meta })),
  )
}
