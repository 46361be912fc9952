/**
 * Outbox rows as CloudEvents, filtered by rights.
 *
 * A caller with rights to a part of a tree gets the events of objects that are there now. Every caller who may read
 * objects of a kind gets the deletions of all of them, because a follower that missed one would keep the deleted object.
 * If the caller could not have read it, the event has only the kind and the id, which reveal nothing about it. Some kinds
 * have an audience: a process is only for the users whom it concerns.
 */
import { type EventKind, eventWords, type Infer, type KontorEvent } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { mayAct, type Target, type TargetRow } from '../common/api.ts'
import type { Caller } from '../core/context.ts'
import { type OutboxRow, positionOf, type SettledRow } from '../core/outbox/outbox.ts'
import { allows, pathsFor } from '../core/access/permissions.ts'
import { changedFields, type Fields, rightsKindOf } from './fields.ts'
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
  /** Finds the places, locales and people of objects, on which the right to read them depends. */
  readonly kinds: DescribedKinds
  readonly reader: Pick<Caller, 'permissions' | 'userName' | 'roles'>
  readonly wanted: TypeFilter
}

/**
 * The events of the changes, in their order. One statement per kind of object, and one for the attributes, for any number
 * of changes.
 */
export async function toEvents(view: View, changes: readonly SettledRow[]): Promise<EventValue[]> {
  const { permissions } = view.reader
  const known = changes.filter(
    (change) =>
      !isInternal(change) &&
      view.wanted(typeOf(change)) &&
      allows(permissions, actionFor(change), rightsKindOf(change.dataType)),
  )
  const described = await describeAll(view, known)
  const fields = await changedFields(view.db, permissions, known)
  return known.flatMap((change) => {
    const found = change.gone ?? described.get(change.objectId)
    const isReadable = found !== undefined && mayAct(view.reader, 'read', rightsKindOf(change.dataType), found)
    return isReadable || mayKnow(view, change, found)
      ? [toEvent(view, change, isReadable ? found : undefined, fields)]
      : []
  })
}

type Found = Partial<Omit<TargetRow, 'id'>>

async function describeAll({ db, kinds }: View, changes: readonly OutboxRow[]) {
  const byType = Map.groupBy(changes, ({ dataType }) => dataType)
  const described = new Map<number, Found>()
  for (const [dataType, rows] of byType) {
    const ids = [...new Set(rows.filter(({ event }) => event !== 'DELETE').map(({ objectId }) => objectId))]
    if (ids.length === 0) continue
    for (const row of (await kinds.get(dataType)?.describe(db, ids)) ?? []) described.set(row.id, row)
  }
  return described
}

/** Whether the reader may know that there was a change, without knowing the object. */
function mayKnow({ reader, kinds }: View, { dataType, event }: OutboxRow, found: Found | undefined): boolean {
  if (kinds.get(dataType)?.isPersonal) return found === undefined && reader.roles.has('admin')
  if (event === 'DELETE') return true
  return found === undefined && pathsFor(reader.permissions, 'read', rightsKindOf(dataType)) === 'all'
}

interface Names {
  readonly tid?: string | undefined
  readonly path?: string | undefined
  /** Identifies the object within its kind, if the tid does not. */
  readonly subject?: string | undefined
}
const inTree = ({ tid, scopes }: Found): Names => ({ tid, path: scopes?.[0] })
/** How events name objects; the others have only a tid. */
const namesOf: Readonly<Partial<Record<EventKind, (found: Found) => Names>>> = {
  product: inTree,
  article: inTree,
  variant: inTree,
  project: inTree,
  asset: ({ tid, path }) => ({ tid, path: path && `/${path.replace(/^\//, '')}` }),
  dir: ({ tid, path }) => ({ tid, path }),
  keyword: ({ tid, path }) => ({ tid, path }),
  node: ({ path }) => ({ tid: path?.slice(path.lastIndexOf('/') + 1), path, subject: path }),
  attribute: ({ attribute, path }) => ({ tid: attribute?.tid, path, subject: undefined }),
}

function toEvent({ source }: View, change: SettledRow, found: Found | undefined, fields: Fields): EventValue {
  const { dataType, objectId: id, event, action, at, userName } = change
  const toNames = namesOf[dataType as EventKind] ?? (({ tid }: Found): Names => ({ tid }))
  const names: Names = found ? toNames(found) : {}
  const changed = found ? fields(change, found.scopes) : []
  return {
    specversion: '1.0',
    id: positionOf(change),
    source,
    type: typeOf(change),
    subject: ('subject' in names ? names.subject : names.tid) ?? String(id),
    time: at.toISOString(),
    datacontenttype: 'application/json',
    data: {
      dataType,
      id,
      ...(names.tid !== undefined && { tid: names.tid }),
      ...(names.path !== undefined && { path: names.path }),
      event,
      ...(action !== null && { action }),
      ...(changed.length > 0 && { changes: changed }),
      ...(found && userName !== null && { user: userName }),
    },
  }
}
