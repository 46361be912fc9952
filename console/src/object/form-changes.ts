/** The fields of an object that a form has changed. Fields that were not changed take the value that is stored now. */
export type FieldChanges = Readonly<Record<string, unknown>>

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
/** JSON has no undefined: a field that was emptied is null. */
const toJson = (value: unknown) => (value === undefined ? null : value)

export function changedFields(initial: object, value: object): FieldChanges {
  const before = initial as Record<string, unknown>
  const after = value as Record<string, unknown>
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(
    names.filter((name) => !isSame(before[name], after[name])).map((name) => [name, toJson(after[name])]),
  )
}

export function withChanges<V extends object>(initial: V, changes: FieldChanges): V {
  const merged: Record<string, unknown> = { ...initial, ...changes }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as V
}
