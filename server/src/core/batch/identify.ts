/** How callers identify objects: by tid, else by id. One look-up table serves a whole batch. */
import { because, type Long } from '@kontor/contract'
import { Problem } from '../../errors.ts'

export interface Named {
  readonly id?: Long
  readonly tid?: string
}

/** A tid in its stored form. names.ts checks whether it is valid when it is stored. */
const plain = (tid: string) => tid.normalize('NFC').trim()

/** `tid x` or `id 7`: for messages and as a key of the look-up table. */
export const nameOf = ({ id, tid }: Named) => (tid === undefined ? `id ${id}` : `tid ${plain(tid)}`)

/** All tids and ids of a batch, for one statement that finds them. An id next to a tid is ignored. */
export function namesOf(items: readonly Named[]): { ids: Long[]; tids: string[] } {
  return {
    ids: items.flatMap(({ id, tid }) => (tid === undefined && id !== undefined ? [id] : [])),
    tids: items.flatMap(({ tid }) => (tid === undefined ? [] : [plain(tid)])),
  }
}

/** Finds the row of an item, or returns the Problem that there is none. */
export function finder<R extends { id: number; tid: string }>(dataType: string, rows: readonly R[]) {
  const index = new Map(
    rows.flatMap((row) => [
      [nameOf({ id: row.id }), row],
      [nameOf(row), row],
    ]),
  )
  return (named: Named): R | Problem =>
    index.get(nameOf(named)) ?? new Problem('notFound', because('unknown', { kind: dataType, name: nameOf(named) }))
}
