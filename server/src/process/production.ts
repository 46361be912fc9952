/**
 * The rules of KONTOR_PROFILE=production: with unsafe settings or an unsafe database, the server refuses to start.
 *
 * All faults are reported together, each with its remedy. `kontor config check` checks the settings, too; the database is
 * checked at start.
 */
import { isIP } from 'node:net'
import type { Db } from '../adapters/postgres/db.ts'
import { BadConfig, type Config } from '../config.ts'
import { isOpenToOthers } from './data-folder.ts'
import { readServerState } from './production.sql.ts'

type Rule = readonly [isBroken: (config: Config) => boolean, fault: string]

// prettier-ignore
const rules: readonly Rule[] = [
  [({ baseUrl }) => !baseUrl.startsWith('https:'),
   'KONTOR_BASE_URL: use an https address, because users sign in there; a proxy in front of Kontor can terminate https'],
  [({ oidcIssuer }) => oidcIssuer !== undefined && !oidcIssuer.startsWith('https:') && !isLoopback(oidcIssuer),
   'KONTOR_OIDC_ISSUER: with http, an attacker on the network could forge tokens; use its https address'],
  [({ databaseUrl, embeddedDatabase }) => databaseUrl === undefined && embeddedDatabase !== true,
   'DATABASE_URL: set it to a PostgreSQL server, or set KONTOR_EMBEDDED_DATABASE=true to use the embedded one'],
  [({ databaseUrl }) => databaseUrl !== undefined && isExample(passwordOf(databaseUrl)),
   'DATABASE_URL: the password is an example from manuals; choose another one'],
  [({ blobs }) => blobs !== undefined && isExample(passwordOf(blobs)),
   'KONTOR_BLOBS: the secret is an example from manuals; choose another one'],
  [({ masterKey }) => masterKey !== undefined && isMonotonous(masterKey),
   'KONTOR_MASTER_KEY: it is easy to guess; create one with: openssl rand -base64 32'],
  [({ adminPassword }) => adminPassword !== undefined && isExample(adminPassword),
   'KONTOR_ADMIN_PASSWORD: it is an example from manuals; leave it empty to have one generated'],
  [({ metricsToken }) => metricsToken === undefined,
   'KONTOR_METRICS_TOKEN: without it, everybody can read /metrics; create one with: openssl rand -base64 24'],
  [({ metricsToken }) => metricsToken !== undefined && metricsToken.length < 16,
   'KONTOR_METRICS_TOKEN: it has fewer than 16 characters; create one with: openssl rand -base64 24'],
  [({ corsOrigins }) => [...corsOrigins].some((origin) => !origin.startsWith('https:')),
   'KONTOR_CORS_ORIGINS: scripts of http pages can be manipulated in transit; use https origins only'],
  [({ data }) => isOpenToOthers(data),
   'KONTOR_DATA: other users of this machine can read the folder; run chmod 700 on it'],
]

/** The faults of the settings; there are none in other profiles. */
export const productionFaults = (config: Config): string[] =>
  config.profile === 'production' ? rules.filter(([isBroken]) => isBroken(config)).map(([, fault]) => fault) : []

export function checkProduction(config: Config): void {
  const faults = productionFaults(config)
  if (faults.length > 0) throw new BadConfig(faults.join('\n'))
}

/** Checks that the database server does not lose committed transactions and that its clock agrees with ours. */
export async function checkDatabase(db: Db, { profile }: Config): Promise<void> {
  if (profile !== 'production') return
  const { settings, now } = await readServerState(db)
  const off = settings.filter(({ value }) => value === 'off').map(({ name }) => name)
  const seconds = Math.abs(now.getTime() - Date.now()) / 1000
  const faults = [
    ...off.map((name) => `PostgreSQL: ${name} is off, so a power failure can lose committed data; turn it on`),
    ...(seconds > 5
      ? [`PostgreSQL: its clock and this machine's differ by ${Math.round(seconds)} seconds; tokens need them to agree`]
      : []),
  ]
  if (faults.length > 0) throw new BadConfig(faults.join('\n'))
}

const examples = new Set('secret password postgres kontor admin changeme change-me example minioadmin test'.split(' '))
const isExample = (text: string) => examples.has(text.toLowerCase()) || /correct.?horse/i.test(text)
const passwordOf = (address: string) => decodeURIComponent(new URL(address).password)
/** The length is checked elsewhere (32 characters or more); this checks the number of different characters. */
const isMonotonous = (text: string) => new Set(text).size < 10

function isLoopback(address: string): boolean {
  const { hostname } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
