/** The keys under which values of an attribute are stored: its own, and one for every table it is a column of. */
import type { Model } from '../model/model.ts'
import { columnKey } from '../../values/api.ts'

export function keysOf(model: Model, tid: string): string[] {
  const columns = model.definition(tid)?.columns ?? []
  const tables = model.definitions.filter((table) => table.columns.includes(tid))
  return [tid, ...columns.map((column) => columnKey(tid, column)), ...tables.map((table) => columnKey(table.tid, tid))]
}
