/** The functions that pages use of other areas, and how pages are found. */
import { createHash } from 'node:crypto'
import type { Db } from '../adapters/postgres/db.ts'
import type { CollectionNeeds } from '../collections/api.ts'
import type { Caller } from '../core/context.ts'
import { Problem } from '../errors.ts'
import * as rows from './shares.sql.ts'

export interface ShareNeeds extends CollectionNeeds {
  readonly passwords: {
    hash(password: string): Promise<string>
    matches(page: string, address: string, password: string, hash: string): Promise<boolean>
    close(): void
  }
  /** Signs the cookie of a visitor who knows the password. */
  readonly sealer: { sign(content: string, label: string): Buffer }
}
/** The stored form of the secret part of an address. */
export const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** The caller's own; administrators see all. */
export async function demandShare(db: Db, caller: Caller, sent = '', find = rows.findShare) {
  const found = /^\d{1,15}$/.test(sent) ? await find(db, Number(sent)) : undefined
  if (found && (found.userName === caller.userName || caller.roles.has('admin'))) return found
  throw new Problem('notFound', `no page of yours has the id ${sent.slice(0, 40)}`)
}
