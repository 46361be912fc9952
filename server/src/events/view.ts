/**
 * Outbox rows as CloudEvents, filtered by rights.
 *
 * A caller with rights to a part of a tree gets the events of objects that are there now. A deletion carries only a
 * kind and an id, which reveal nothing about the object. Every caller who may read objects of the kind gets it, because
 * a follower that missed it would keep the deleted object. Some kinds have an audience: a process is only for the users
 * whom it concerns.
 */
import { eventWords, type Infer, type KontorEvent } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { mayAct, type Target, type TargetRow, type Targets } from '../common/api.ts'
import type { Caller } from '../core/context.ts'
import { type OutboxRow, positionOf } from '../core/outbox/outbox.ts'
import { allows, pathsFor } from '../core/access/permissions.ts'
import type { TypeFilter } from './types.ts'

type EventValue = Infer<typeof KontorEvent>

export const typeOf = ({ dataType, event }: OutboxRow) => `kontor.${dataType}.${eventWords[event]}`

/** Control rows (index commands), not object changes. */
const isInternal = ({ dataType }: OutboxRow) => dataType.includes('.')

/** The search history of a user is theirs. Others may not even know when it changes. */
const actionFor = ({ dataType }: OutboxRow) => (dataType === 'searchHistory' ? 'administer' : 'read')

/** `isPersonal`: objects of the kind concern certain people only, whom nobody knows any more when they are deleted. */
export type DescribedKinds = ReadonlyMap<string, Pick<Target, 'describe'> & { readonly isPersonal?: boolean }>

export interface View {
  readonly db: Db
  readonly source: string
  /** The kinds of objects whose events name them. */
  readonly targets: Targets
  /** Finds the places, locales and people of objects, on which the right to read them depends. */
  readonly kinds: DescribedKinds
  readonly reader: Pick<Caller, 'permissions' | 'userName' | 'roles'>
  readonly wanted: TypeFilter
}

/** The events of the changes, in their order. One statement per kind of object, for any number of changes. */
export async function toEvents(view: View, changes: readonly OutboxRow[]): Promise<EventValue[]> {
  const { permissions } = view.reader
  const known = changes.filter(
    (change) =>
      !isInternal(change) && view.wanted(typeOf(change)) && allows(permissions, actionFor(change), change.dataType),
  )
  const described = await describeAll(view, known)
  return known.flatMap((change) => {
    const found = described.get(change.objectId)
    return mayRead(view, change, found) ? [toEvent(view, change, found)] : []
  })
}

async function describeAll({ db, kinds }: View, changes: readonly OutboxRow[]) {
  const byType = Map.groupBy(changes, ({ dataType }) => dataType)
  const described = new Map<number, TargetRow>()
  for (const [dataType, rows] of byType) {
    const ids = [...new Set(rows.filter(({ event }) => event !== 'DELETE').map(({ objectId }) => objectId))]
    if (ids.length === 0) continue
    for (const row of (await kinds.get(dataType)?.describe(db, ids)) ?? []) described.set(row.id, row)
  }
  return described
}

function mayRead({ reader, kinds }: View, { dataType, event }: OutboxRow, found: TargetRow | undefined): boolean {
  if (found) return mayAct(reader, 'read', dataType, found)
  if (kinds.get(dataType)?.isPersonal) return reader.roles.has('admin')
  return event === 'DELETE' || pathsFor(reader.permissions, 'read', dataType) === 'all'
}

function toEvent({ source, targets }: View, change: OutboxRow, row: TargetRow | undefined): EventValue {
  const { dataType, objectId: id, event, action, at } = change
  const found = targets.has(dataType) ? row : undefined
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
