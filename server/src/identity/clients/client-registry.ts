/**
 * Confidential clients: other systems that sign users in through Kontor, or call the API themselves.
 *
 * Each client has a service user, whose roles determine what the client may do on its own behalf. The secret is returned
 * once, when it is created. Renewing the secret or disabling the client ends all sessions of the client.
 */
import { because } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { hashSecret, newSecret } from './clients.ts'
import * as sql from './clients.sql.ts'
import { insertUser, type Note, retireUser } from '../users/users.ts'

interface NewClient {
  id: string
  name?: string
  redirectUris?: readonly string[]
  /** The roles of its service user. */
  roles?: readonly string[]
}

export async function createClient(db: Db, client: NewClient, note?: Note): Promise<{ secret: string }> {
  const { id, name = null, redirectUris = [], roles = [] } = client
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) {
    throw new Problem('invalid', because('clientIdForm'))
  }
  checkRedirects(redirectUris)
  const secret = newSecret()
  await db.transaction(async (db) => {
    const user = await insertUser(db, { name: `service-account-${id}`, displayName: name ?? id }, roles)
    const row = { id, name, redirectUris, secretHash: hashSecret(secret), serviceUser: user.id }
    if ((await sql.insertClient(db, row)) === 0) throw new Problem('exists', because('clientTaken', { id }))
    await note?.(db, user)
  })
  return { secret }
}

interface ClientChange {
  name?: string
  redirectUris?: readonly string[]
  enabled?: boolean
  /** Replaces the secret by a new one. */
  renewSecret?: boolean
}

/** Returns the new secret if `renewSecret` is set. */
export async function changeClient(db: Db, id: string, change: ClientChange): Promise<{ secret?: string }> {
  const client = await findConfidential(db, id)
  if (change.redirectUris) checkRedirects(change.redirectUris)
  const secret = change.renewSecret ? newSecret() : undefined
  const next = {
    id,
    name: change.name ?? client.name,
    redirectUris: change.redirectUris ?? client.redirectUris,
    enabled: change.enabled ?? client.enabled,
    secretHash: secret === undefined ? client.secretHash : hashSecret(secret),
  }
  await sql.updateClient(db, next)
  if (secret !== undefined || !next.enabled) await sql.endSessionsOfClient(db, id)
  return secret === undefined ? {} : { secret }
}

/** The service user stays, disabled, because history and audit log name it. Its name becomes free for another client. */
export async function removeClient(db: Db, id: string): Promise<void> {
  const { serviceUser } = await findConfidential(db, id)
  await sql.endSessionsOfClient(db, id)
  await sql.deleteClient(db, id)
  await retireUser(db, serviceUser)
}

export async function findConfidential(db: Db, id: string): Promise<sql.Client & { serviceUser: string }> {
  const client = await sql.findClient(db, id)
  if (!client?.serviceUser) throw new Problem('notFound', `no client with a secret has this id: ${id.slice(0, 200)}`)
  return { ...client, serviceUser: client.serviceUser }
}

/** Redirect addresses are compared as a whole: they must be absolute, without a fragment and without credentials. */
function checkRedirects(addresses: readonly string[]): void {
  for (const address of addresses) {
    const url = URL.canParse(address) ? new URL(address) : undefined
    const isValid = url && /^https?:$/.test(url.protocol) && !url.hash && !url.username && !url.password
    if (!isValid) throw new Problem('invalid', because('redirectAddress', { address: address.slice(0, 200) }))
  }
}
