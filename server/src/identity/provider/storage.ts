/**
 * The storage of the provider library: its adapter interface on top of our tables.
 *
 * The id of a record is a secret that a browser or client holds (a code or a cookie), so the database stores only its
 * SHA-256. Clients are read from their own table; their metadata depends on the settings.
 */
import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload, ClientMetadata } from 'oidc-provider'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Client } from '../clients/clients.sql.ts'
import * as sql from './storage.sql.ts'

const hashOf = (id: string) => createHash('sha256').update(id).digest()

export function createStorage(db: Db, model: string): Adapter {
  return {
    async upsert(id, { jti: _id, session, ...payload }, seconds = 0) {
      await sql.upsertModel(db, {
        model,
        idHash: hashOf(id),
        uid: payload.uid,
        accountId: payload.accountId,
        payload: { ...payload, ...(session && { session: { ...session, cookie: undefined } }) },
        seconds,
      })
    },
    find: async (id) => toPayload(await sql.findModel(db, model, hashOf(id)), id),
    findByUid: async (uid) => toPayload(await sql.findModelByUid(db, model, uid)),
    consume: async (id) => void (await sql.consumeModel(db, model, hashOf(id))),
    destroy: async (id) => void (await sql.deleteModel(db, model, hashOf(id))),
    // There is no device flow, and no grant is stored: first-party clients need no consent.
    findByUserCode: async () => undefined,
    revokeByGrantId: async () => undefined,
  }
}

/** Returns true for the first use of the code only; of concurrent requests, exactly one gets true. */
export const consumeCode = async (db: Db, code: string) =>
  (await sql.consumeModel(db, 'AuthorizationCode', hashOf(code))) === 1

export function createClientStorage(
  db: Db,
  find: (id: string) => Promise<Client | undefined>,
  metadata: (client: Client) => ClientMetadata,
): Adapter {
  return {
    ...createStorage(db, 'Client'),
    async find(id) {
      const client = await find(id)
      return client?.enabled ? metadata(client) : undefined
    },
  }
}

function toPayload(stored: sql.Stored | undefined, id?: string): AdapterPayload | undefined {
  return stored && { ...stored.payload, ...(id !== undefined && { jti: id }), consumed: stored.consumed || undefined }
}
