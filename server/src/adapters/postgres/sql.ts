/**
 * SQL as SQL: a tagged template whose values become parameters.
 *
 *   db.rows<{ id: number }>(sql`select id from keyword where path = ${path}`)
 *
 * A fragment made by `sql` may stand inside another. Every distinct text gets a name, so that PostgreSQL prepares it
 * once per connection. Identifiers never come from input: a fragment is always written in the source.
 */
import { createHash } from 'node:crypto'

export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** The literal parts, kept so that the fragment can be put into another one. */
  readonly parts: readonly string[]
}

export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const parts: string[] = [strings[0]!]
  const values: unknown[] = []
  inserts.forEach((insert, i) => {
    const after = strings[i + 1]!
    if (isSql(insert)) {
      parts[parts.length - 1] += insert.parts[0]!
      insert.values.forEach((value, v) => {
        values.push(value)
        parts.push(insert.parts[v + 1]!)
      })
      parts[parts.length - 1] += after
    } else {
      values.push(insert)
      parts.push(after)
    }
  })
  return { parts, values, text: parts.reduce((text, part, i) => `${text}$${i}${part}`) }
}

export const nothing = sql``

const names = new Map<string, string>()
/** The name under which a text is prepared; the same text always has the same one. */
export function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && 'parts' in value && 'text' in value
}
