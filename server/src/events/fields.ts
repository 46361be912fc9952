/** The fields that a change names, as far as the reader may see them. */
import type { ChangedField, Infer } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { type Permissions, rightsAt } from '../core/access/permissions.ts'
import type { SettledRow } from '../core/outbox/outbox.ts'
import { type Reading, readingsOf } from '../values/api.ts'
import { findAttributes } from './attributes.sql.ts'

type Field = Infer<typeof ChangedField>

/** `scopes`: where the object is now. */
export type Fields = (change: SettledRow, scopes?: readonly string[]) => Field[]

/** Articles and variations follow the rights to their product. */
export const rightsKindOf = (dataType: string) =>
  dataType === 'article' || dataType === 'variant' ? 'product' : dataType

export async function changedFields(db: Db, permissions: Permissions, changes: readonly SettledRow[]): Promise<Fields> {
  const named = new Set(changes.flatMap(({ fields }) => fields ?? []))
  const keys = [...named].flatMap((field) => readingsOf(field, () => false).map(([key]) => key))
  const attributes = keys.length === 0 ? new Set<string>() : await findAttributes(db, [...new Set(keys)])
  const readings = new Map([...named].map((field) => [field, readingsOf(field, (key) => attributes.has(key))]))
  return ({ dataType, fields }, scopes) => {
    if (!fields?.length) return []
    const rights = rightsAt(permissions, rightsKindOf(dataType), scopes)
    const isVisible = ([key, locale]: Reading) => rights.attribute(key, locale).visible
    return fields.flatMap((field): Field[] => {
      const [first, ...others] = readings.get(field)!
      if (!first) return [{ field }]
      if (![first, ...others].every(isVisible)) return []
      const [attribute, locale] = others[0] ?? first
      return [{ field: 'vals', attribute, ...(locale !== undefined && { locale }) }]
    })
  }
}
