/**
 * Rejects a statement that writes although its caller declared it as a read or a lock (adapters/postgres/db.ts).
 *
 * The test server calls it for every statement, so that any test that sends such a statement fails.
 */
import type { Effect } from '../src/adapters/postgres/db.ts'

const notCode = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g
const rowLock = /\bfor\s+(?:no\s+key\s+)?update\b/gi
const writes = new RegExp(
  [
    String.raw`\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate|create|alter|drop|copy|notify|call|vacuum)\b`,
    String.raw`\b(?:nextval|setval|pg_notify|set_config|add_jobs?|lo_\w+)\s*\(`,
    // Locks of the session outlive the transaction; those of the transaction have "xact" in their names.
    String.raw`\bpg_(?:try_)?advisory_(?:un)?lock(?:_shared|_all)?\s*\(`,
  ].join('|'),
  'i',
)

export function checkEffect(text: string, effect: Effect): void {
  if (effect === 'write') return
  const found = writes.exec(text.replaceAll(notCode, "''").replaceAll(rowLock, ''))
  if (found) throw new Error(`"${found[0]}" in a statement declared as a ${effect}; use run or writeRows: ${text}`)
}
