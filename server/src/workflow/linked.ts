/**
 * The linked objects of processes, as far as the caller may read them.
 *
 * A user can have a task about objects that they may not read. They get the process and the task without these objects:
 * links are left out, and `…` replaces their tids in texts and values.
 */
import type { Infer, LinkedObject } from '@kontor/contract'
import { mayAct, type Targets } from '../common/api.ts'
import { pathsFor, readsAll } from '../core/access/permissions.ts'
import type { Context } from '../core/context.ts'
import { Problem } from '../errors.ts'
import type { LinkedRow, ProcessFilter } from './processes/processes.sql.ts'

type Reading = Pick<Context, 'db' | 'caller'>

/** Maps the object types of the API to the data types of the areas. */
export const dataTypes: ReadonlyMap<string, string> = new Map([
  ['file', 'asset'],
  ['product', 'product'],
  ['peo', 'peo'],
  ['project', 'project'],
  ['glossary', 'glossary'],
])

/** The linked object that a query filters by; undefined if the caller may not read it. */
export async function findFilter(
  { db, caller }: Reading,
  targets: Targets,
  { type, id, tid }: Infer<typeof LinkedObject>,
): Promise<ProcessFilter['object']> {
  if (type === undefined || (id === undefined) === (tid === undefined)) {
    throw new Problem('invalid', 'linkedObject: give its type, and either id or tid')
  }
  const dataType = dataTypes.get(type)
  if (dataType === undefined) return undefined
  if (pathsFor(caller.permissions, 'read', dataType) === 'all') {
    return { type, ...(id !== undefined && { id }), ...(tid !== undefined && { tid }) }
  }
  const [ids, tids] = [id === undefined ? [] : [id], tid === undefined ? [] : [tid]]
  const found = (await targets.get(dataType)?.describe(db, ids, tids)) ?? []
  const row = found.find((one) => mayAct(caller, 'read', dataType, one))
  return row && { type, id: row.id }
}

/** A process or task without the objects that the caller may not read. */
export interface Sight {
  readonly linkedObjects: LinkedRow[]
  text(text: string): string
  /** Also removes the objects from lists. */
  value(value: unknown): unknown
  /** A text that a job or the engine wrote with the rights of the starter. It can name any object and attribute. */
  report(text: string): string
}

interface Linking {
  readonly starter: string
  readonly linkedObjects: readonly LinkedRow[]
}

/** One statement per kind of object that the caller may read in part, for any number of processes or tasks. */
export async function sightOf(
  { db, caller }: Reading,
  targets: Targets,
  rows: readonly Linking[],
): Promise<(row: Linking) => Sight> {
  const { permissions, userName } = caller
  const readable = new Set<string>()
  const linked = rows.flatMap(({ linkedObjects }) => linkedObjects)
  for (const [type, some] of Map.groupBy(linked, (one) => one.type)) {
    const dataType = dataTypes.get(type)!
    const paths = pathsFor(permissions, 'read', dataType)
    const ids = [...new Set(some.map(({ id }) => id))]
    if (paths === 'all') for (const id of ids) readable.add(keyOf({ type, id }))
    else if (paths.length > 0) {
      for (const row of (await targets.get(dataType)?.describe(db, ids)) ?? []) {
        if (mayAct(caller, 'read', dataType, row)) readable.add(keyOf({ type, id: row.id }))
      }
    }
  }
  const readsEverything = readsAll(permissions.filter((one) => !one.visibleAttributes && !one.visibleLocales))
  return ({ linkedObjects, starter }) => {
    const seen = linkedObjects.filter((one) => readable.has(keyOf(one)))
    const mask = maskOf(
      linkedObjects.filter((one) => !readable.has(keyOf(one))),
      seen,
    )
    const isReported = seen.length === linkedObjects.length && (starter === userName || readsEverything)
    return {
      linkedObjects: seen,
      ...mask,
      report: (text) => (isReported ? text : `You may not read everything that is concerned; ask ${starter}.`),
    }
  }
}

const keyOf = ({ type, id }: Pick<LinkedRow, 'type' | 'id'>) => `${type} ${id}`

function maskOf(hidden: readonly LinkedRow[], seen: readonly LinkedRow[]): Pick<Sight, 'text' | 'value'> {
  if (hidden.length === 0) return { text: (text) => text, value: (value) => value }
  const known = new Set(seen.map(({ tid }) => tid))
  const tids = new Set(hidden.map(({ tid }) => tid).filter((tid) => !known.has(tid)))
  const keys = new Set(hidden.map(keyOf))
  const text = withoutTids(tids)
  const isHidden = (one: unknown) =>
    typeof one === 'string' ? tids.has(one) : isRecord(one) && keys.has(`${String(one.type)} ${String(one.id)}`)
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given)
    if (Array.isArray(given)) return given.filter((one) => !isHidden(one)).map(value)
    return isRecord(given) ? Object.fromEntries(Object.entries(given).map(([name, one]) => [name, value(one)])) : given
  }
  return { text, value }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces whole tids. It looks them up by length instead of one by one, because a process can have thousands. */
export function withoutTids(tids: ReadonlySet<string>): (text: string) => string {
  const lengths = [...new Set([...tids].map(({ length }) => length))].toSorted((a, b) => b - a)
  return (text) => {
    let masked = ''
    let done = 0
    for (let at = 0; at < text.length; at++) {
      if (!isEdge(text, at)) continue
      const length = lengths.find((one) => isEdge(text, at + one) && tids.has(text.slice(at, at + one)))
      if (length === undefined) continue
      masked += `${text.slice(done, at)}…`
      done = at + length
      at = done - 1
    }
    // The number of objects stays hidden, too.
    return done === 0 ? text : (masked + text.slice(done)).replaceAll(/…(?:, …)+/g, '…')
  }
}

const word = /[\p{L}\p{N}_-]/u
const isEdge = (text: string, at: number) =>
  at <= 0 || at >= text.length || !word.test(text[at - 1]!) || !word.test(text[at]!)
