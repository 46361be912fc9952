/**
 * SQL as SQL: a tagged template whose values become parameters.
 *
 *   db.rows<{ id: number }>(sql`select id from keyword where path = ${path}`)
 *
 * A fragment made by `sql` can be inserted into another. Every distinct text gets a name, so that PostgreSQL prepares it
 * once per connection. Identifiers never come from input: the text of a fragment is always written in the source.
 */
import { hash } from 'node:crypto'

/** Marks a fragment. A value parsed from a message cannot have this symbol, so it is never taken for SQL. */
const isFragment: unique symbol = Symbol('sql')

export interface Sql {
  readonly [isFragment]: true
  readonly text: string
  readonly values: readonly unknown[]
  /** The literal parts, kept so that the fragment can be inserted into another one. */
  readonly parts: readonly string[]
}

export function sql(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const parts: string[] = [strings[0]!]
  const values: unknown[] = []
  inserts.forEach((insert, i) => {
    const after = strings[i + 1]!
    if (isSql(insert)) {
      append(parts, values, insert)
      parts[parts.length - 1] += after
    } else {
      values.push(insert)
      parts.push(after)
    }
  })
  return fragment(parts, values)
}

/** Joins fragments: the rows of `values`, the conditions of a `where`. */
export function join(fragments: readonly Sql[], separator = ', '): Sql {
  const parts = ['']
  const values: unknown[] = []
  fragments.forEach((each, i) => {
    if (i > 0) parts[parts.length - 1] += separator
    append(parts, values, each)
  })
  return fragment(parts, values)
}

export const nothing = sql``

/** Text as it is. Only for lists of columns and their aliases, which columns.ts makes from names in the source. */
export const fragmentOf = (text: string): Sql => fragment([text], [])

/** The name of a prepared statement; the same text always has the same name. */
export function statementName(text: string): string {
  return hash('sha1', text, 'base64url')
}

function append(parts: string[], values: unknown[], added: Sql): void {
  parts[parts.length - 1] += added.parts[0]!
  parts.push(...added.parts.slice(1))
  values.push(...added.values)
}

function fragment(parts: string[], values: unknown[]): Sql {
  return { [isFragment]: true, parts, values, text: parts.reduce((text, part, i) => `${text}$${i}${part}`) }
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && isFragment in value
}
