/** Opens the identity provider that the settings name: the bundled one, or an external one by its issuer. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import { createIdentity, type Identity } from './module.ts'
import { createHashProcess } from './passwords/hash-process.ts'
import { createExternalIdentity } from './provider/external.ts'
import type { Notify } from './provider/grants.ts'
import type { MasterKey } from './tokens/master-key.ts'

interface OpenOptions {
  readonly db: Database
  readonly config: Config
  readonly masterKey: MasterKey
  readonly log: FastifyBaseLogger
  readonly notify: Notify
}

export function openIdentity({ db, config, masterKey, log, notify }: OpenOptions): Promise<Identity> {
  const { oidcIssuer: issuer, oidcClients: clients } = config
  if (issuer !== undefined) {
    return createExternalIdentity({
      db,
      issuer,
      audience: config.oidcAudience,
      clients,
      consoleClient: clients?.[0] ?? config.clientId,
      rolesClaim: config.oidcRolesClaim,
      groupsClaim: config.oidcGroupsClaim,
      log,
    })
  }
  return createIdentity({
    db,
    baseUrl: config.baseUrl,
    realm: config.realm,
    clientId: config.clientId,
    audience: 'kontor-api',
    algorithm: config.tokenAlgorithm,
    passwordGrant: config.passwordGrant,
    adminsByPasswordGrant: config.profile !== 'production',
    rotateRefreshTokens: config.revokeRefreshTokens,
    masterKey,
    passwordWorker: createHashProcess(config.passwordCost),
    corsOrigins: config.corsOrigins,
    notify,
    // The file that the first start wrote contains the old password.
    passwordChanged: async ({ name }) => {
      if (name === 'admin') await rm(join(config.data, 'admin-password'), { force: true })
    },
    log,
  })
}

export type { Notify } from './provider/grants.ts'
