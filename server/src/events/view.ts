/**
 * Outbox rows as CloudEvents, filtered by rights.
 *
 * A caller with rights to a part of a tree gets the events of objects that are there now. A deletion carries only a
 * kind and an id, which reveal nothing about the object. Every caller who may read objects of the kind gets it, because
 * a follower that missed it would keep the deleted object. Some kinds have an audience: a process is only for the users
 * whom it concerns.
 */
import type { Infer, KontorEvent } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import type { Targets } from '../common/api.ts'
import { type OutboxRow, positionOf } from '../core/outbox/outbox.ts'
import { allows, allowsAt, pathsFor, type Permissions } from '../core/access/permissions.ts'
import { Problem } from '../errors.ts'

type EventValue = Infer<typeof KontorEvent>

const words = { CREATE: 'created', UPDATE: 'updated', DELETE: 'deleted' } as const
export const typeOf = ({ dataType, event }: OutboxRow) => `kontor.${dataType}.${words[event]}`

/** Whether a type was requested; all are when the filter is empty. */
type TypeFilter = (type: string) => boolean

export function toTypeFilter(patterns: readonly string[]): TypeFilter {
  for (const pattern of patterns) {
    if (!/^[\w*.-]{1,100}$/.test(pattern))
      throw new Problem(
        'invalid',
        `types: ${pattern.slice(0, 50)} is not a type like kontor.product.updated or kontor.*`,
      )
  }
  if (patterns.length > maxPatterns)
    throw new Problem('invalid', `types: at most ${maxPatterns} are allowed, not ${patterns.length}`)
  if (patterns.length === 0) return () => true
  // A page repeats few types many times.
  const judged = new Map<string, boolean>()
  return (type) => {
    const known = judged.get(type) ?? patterns.some((pattern) => matches(pattern, type))
    judged.set(type, known)
    return known
  }
}

const maxPatterns = 100

/**
 * Whether the text matches a pattern in which `*` stands for any letters. Each piece between two stars is found at its
 * first place after the previous one, so nothing is ever tried twice.
 */
function matches(pattern: string, text: string): boolean {
  const [head = '', ...pieces] = pattern.split('*')
  const tail = pieces.pop()
  if (tail === undefined) return pattern === text
  if (!text.startsWith(head)) return false
  let at = head.length
  for (const piece of pieces) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at + tail.length <= text.length && text.endsWith(tail)
}

/** Control rows (index commands), not object changes. */
const isInternal = ({ dataType }: OutboxRow) => dataType.includes('.')

/** The search history of a user is theirs. Others may not even know when it changes. */
const actionFor = ({ dataType }: OutboxRow) => (dataType === 'searchHistory' ? 'administer' : 'read')

export interface View {
  readonly db: Db
  readonly source: string
  readonly targets: Targets
  /** The rights of the reader. */
  readonly permissions: Permissions
  readonly wanted: TypeFilter
  /** Those objects of a kind that the reader may see; undefined for kinds that all may see who have the right to read. */
  readonly audience?: (dataType: string, ids: readonly number[]) => Promise<ReadonlySet<number>> | undefined
}

/** The events of the changes, in their order. One statement per kind of object, for any number of changes. */
export async function toEvents(view: View, changes: readonly OutboxRow[]): Promise<EventValue[]> {
  const { permissions } = view
  const known = changes.filter(
    (change) =>
      !isInternal(change) && view.wanted(typeOf(change)) && allows(permissions, actionFor(change), change.dataType),
  )
  const described = await describeAll(view, known)
  const isFor = await audienceOf(view, known)
  return known.filter(isFor).flatMap((change) => {
    const found = described.get(change.objectId)
    return mayRead(permissions, change, found) ? [toEvent(view, change, found)] : []
  })
}

interface Described {
  readonly tid: string
  readonly scopes?: readonly string[]
}

async function describeAll({ db, targets }: View, changes: readonly OutboxRow[]) {
  const byType = Map.groupBy(changes, ({ dataType }) => dataType)
  const described = new Map<number, Described>()
  for (const [dataType, rows] of byType) {
    const ids = [...new Set(rows.filter(({ event }) => event !== 'DELETE').map(({ objectId }) => objectId))]
    if (ids.length === 0) continue
    for (const row of (await targets.get(dataType)?.describe(db, ids)) ?? []) described.set(row.id, row)
  }
  return described
}

async function audienceOf({ audience }: View, changes: readonly OutboxRow[]): Promise<(change: OutboxRow) => boolean> {
  const seen = new Map<string, ReadonlySet<number>>()
  for (const [dataType, rows] of Map.groupBy(changes, (change) => change.dataType)) {
    const ids = await audience?.(dataType, [...new Set(rows.map(({ objectId }) => objectId))])
    if (ids) seen.set(dataType, ids)
  }
  return ({ dataType, event, objectId }) => event === 'DELETE' || (seen.get(dataType)?.has(objectId) ?? true)
}

function mayRead(permissions: Permissions, { dataType, event }: OutboxRow, found: Described | undefined): boolean {
  if (event === 'DELETE' || pathsFor(permissions, 'read', dataType) === 'all') return true
  return found?.scopes?.some((path) => allowsAt(permissions, 'read', dataType, path)) ?? false
}

function toEvent({ source }: View, change: OutboxRow, found: Described | undefined): EventValue {
  const { dataType, objectId: id, event, action, at } = change
  return {
    specversion: '1.0',
    id: positionOf(change),
    source,
    type: typeOf(change),
    subject: found?.tid ?? String(id),
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data: { dataType, id, ...(found && { tid: found.tid }), event, ...(action !== null && { action }) },
  }
}
