/** Refuses changes of definitions that products have values against. */
import type { Context } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { breakingChanges, columnKey, type DefinitionContent, type DefinitionRow } from '../../values/api.ts'
import type { Model } from '../model/model.ts'
import { findValues, type Sought, type Use } from '../model/uses.sql.ts'
import { keysOf } from './attribute-definitions.keys.ts'

interface Break {
  readonly reason: string
  /** The values that would not fit any more. */
  readonly values: readonly Sought[]
}
export interface ChangedDefinition {
  readonly stored: DefinitionRow
  readonly next: DefinitionContent
}

/** Finds, with one statement, the values that any of the changes would break. The result refuses such a change. */
export async function findBreaks(
  ctx: Pick<Context, 'db' | 'caller'>,
  model: Model,
  changes: readonly ChangedDefinition[],
) {
  const sought = changes.flatMap((change) => breaksOf(model, change).flatMap(({ values }) => values))
  const found = await findValues(ctx, sought)
  const uses = new Map(sought.map((each, i) => [JSON.stringify(each), found[i]]))
  return (change: ChangedDefinition): void => {
    for (const { reason, values } of breaksOf(model, change)) {
      const use = values.map((each) => uses.get(JSON.stringify(each))).find((each) => each !== undefined)
      if (use)
        throw new Problem('inUse', `${reason}, but ${describeUse(use)} have such values; remove these values first`)
    }
  }
}

export function describeUse({ count, tids, hidden }: Use): string {
  const some = `${count} products, articles or variations (${tids.join(', ')}${count > tids.length ? ', …' : ''})`
  if (!hidden) return some
  return count === 0 ? 'products that you may not read' : `${some} and others that you may not read`
}

function breaksOf(model: Model, { stored, next }: ChangedDefinition): Break[] {
  const keys = keysOf(model, stored.tid)
  return breakingChanges(stored, next).map(({ reason, affected: { columns, ...values } }) => {
    const attributes = columns ? columns.map((column) => columnKey(stored.tid, column)) : keys
    return { reason, values: attributes.map((attribute) => ({ attribute, ...values })) }
  })
}
