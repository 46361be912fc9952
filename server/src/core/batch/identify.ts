/** How callers name objects, and how they are found: by tid, else by id. One index serves a whole batch. */
import type { Long } from '@kontor/contract'
import { Problem } from '../../errors.ts'

export interface Named {
  readonly id?: Long
  readonly tid?: string
}

/** A tid in the one form in which it is stored; whether it can be one is asked when it is stored (names.ts). */
const plain = (tid: string) => tid.normalize('NFC').trim()

/** `tid x` or `id 7`: for messages to people, and as the key of an index. */
export const nameOf = ({ id, tid }: Named) => (tid === undefined ? `id ${id}` : `tid ${plain(tid)}`)

/** What a batch names, for one statement that finds it all. An id beside a tid is not looked at. */
export function namesOf(items: readonly Named[]): { ids: Long[]; tids: string[] } {
  return {
    ids: items.flatMap(({ id, tid }) => (tid === undefined && id !== undefined ? [id] : [])),
    tids: items.flatMap(({ tid }) => (tid === undefined ? [] : [plain(tid)])),
  }
}

/** Finds the row that an item names, or the Problem that there is none. */
export function finder<R extends { id: number; tid: string }>(dataType: string, rows: readonly R[]) {
  const index = new Map(
    rows.flatMap((row) => [
      [nameOf({ id: row.id }), row],
      [nameOf(row), row],
    ]),
  )
  return (named: Named): R | Problem =>
    index.get(nameOf(named)) ?? new Problem('notFound', `no ${dataType} has the ${nameOf(named)}`)
}
