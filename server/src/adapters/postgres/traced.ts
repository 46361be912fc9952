/** Spans of statements. Their text has placeholders for all values. */
import { inSpan, isTraced } from '../tracing/tracing.ts'

/** The first table that a statement writes, or else reads, names it well enough; the others are in its text. */
const written = /\b(insert|delete|(?<!(?:for|do|key) )update)\s+(?:(?:into|from)\s+)?([a-z_.]+)/
const read = /\b(from)\s+([a-z_.]+)/

/** Batches have texts of any length. */
const mostText = 2000

export function traced<T>(text: string, send: () => Promise<T>): Promise<T> {
  if (!isTraced()) return send()
  const [, first = ''] = /(\w+)/.exec(text) ?? []
  const [, verb = first, table] = written.exec(text) ?? read.exec(text) ?? []
  const operation = verb === 'from' ? 'select' : verb
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text.slice(0, mostText),
  }
  return inSpan(table === undefined ? operation : `${operation} ${table}`, 'client', attributes, send)
}
