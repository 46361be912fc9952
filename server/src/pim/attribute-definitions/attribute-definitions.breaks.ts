/**
 * What a changed definition would break. Values are stored in the form their definition gives them, so that type,
 * localization and lists stay as they are while there are values, and nothing that is in use is taken away.
 */
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { columnKey, type Content, type DefinitionMessage, type DefinitionRow, some } from '../../values/api.ts'
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
  readonly next: Content
}

/** Finds, with one statement, the values that stand against any of the changes; the result refuses those changes. */
export async function findBreaks(db: Db, model: Model, changes: readonly ChangedDefinition[]) {
  const sought = changes.flatMap((change) => breaksOf(model, change).flatMap(({ values }) => values))
  const found = await findValues(db, sought)
  const uses = new Map(sought.map((each, i) => [JSON.stringify(each), found[i]]))
  return (change: ChangedDefinition): void => {
    for (const { reason, values } of breaksOf(model, change)) {
      const use = values.map((each) => uses.get(JSON.stringify(each))).find((each) => each !== undefined)
      if (use)
        throw new Problem('inUse', `${reason}, but ${describeUse(use)} have such values; remove these values first`)
    }
  }
}

export const describeUse = ({ count, tids }: Use) =>
  `${count} products, articles or variations (${tids.join(', ')}${count > tids.length ? ', …' : ''})`

function breaksOf(model: Model, { stored, next }: ChangedDefinition): Break[] {
  const keys = keysOf(model, stored.tid)
  const breaks = (reason: string, values: Omit<Sought, 'attribute'> = {}): Break => ({
    reason,
    values: keys.map((attribute) => ({ attribute, ...values })),
  })
  const most = next.definition.multiValued?.cardinality
  return [
    ...(stored.type === next.type ? [] : [breaks(`the type ${stored.type} would become ${next.type}`)]),
    ...(stored.localized === next.localized
      ? []
      : [breaks(next.localized ? 'values without a locale would need one' : 'values per locale would become one')]),
    ...(stored.multi === next.multi
      ? []
      : [breaks(next.multi ? 'single values would become lists' : 'lists would become single values')]),
    ...(next.multi && most !== undefined && most < (stored.definition.multiValued?.cardinality ?? Infinity)
      ? [breaks(`lists could have only ${most} values`, { most })]
      : []),
    ...listBreaks(stored.definition, next.definition, breaks),
    ...columnBreaks(stored, next),
  ]
}

function listBreaks(
  { domainVals: stored }: DefinitionMessage,
  { domainVals: next }: DefinitionMessage,
  breaks: (reason: string, values?: { keys: string[] }) => Break,
): Break[] {
  const isClosed = next !== undefined && next.allowNewValue !== 'true'
  if (!stored) return isClosed ? [breaks('values would have to be in the list')] : []
  const kept = new Set(next?.domainVal?.map(({ tid }) => tid))
  const lost = (stored.domainVal ?? []).map(({ tid }) => tid).filter((tid) => !kept.has(tid))
  return lost.length > 0 ? [breaks(`the list would lose ${some(lost)}`, { keys: lost })] : []
}

function columnBreaks({ tid, definition }: DefinitionRow, next: Content): Break[] {
  const columnsOf = ({ references }: DefinitionMessage) => (references?.itm ?? []).flatMap(({ value }) => value ?? [])
  const kept = new Set(columnsOf(next.definition))
  const lost = columnsOf(definition).filter((column) => !kept.has(column))
  if (lost.length === 0) return []
  const values = lost.map((column) => ({ attribute: columnKey(tid, column) }))
  return [{ reason: `the table would lose ${some(lost)}`, values }]
}
