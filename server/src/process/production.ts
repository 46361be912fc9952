/**
 * What an installation that people rely on must not have: KONTOR_PROFILE=production refuses to start with it.
 *
 * Everything is told together, each line with its remedy: the settings by `kontor config check`, the database at start.
 */
import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Db } from '../adapters/postgres/db.ts'
import { BadConfig, type Config } from '../config.ts'
import { readServerState } from './production.sql.ts'

type Rule = readonly [isBroken: (config: Config) => boolean, fault: string]

// prettier-ignore
const rules: readonly Rule[] = [
  [({ baseUrl }) => !baseUrl.startsWith('https:'),
   'KONTOR_BASE_URL: people sign in there, so it has to be an https address; a proxy in front of Kontor can speak https for it'],
  [({ oidcIssuer }) => oidcIssuer !== undefined && !oidcIssuer.startsWith('https:') && !isLoopback(oidcIssuer),
   'KONTOR_OIDC_ISSUER: whoever stands between could make tokens; use its https address'],
  [({ databaseUrl, embeddedDatabase }) => databaseUrl === undefined && embeddedDatabase !== true,
   'DATABASE_URL: name a PostgreSQL server, or say KONTOR_EMBEDDED_DATABASE=true when the embedded one shall do'],
  [({ databaseUrl }) => databaseUrl !== undefined && isExample(passwordOf(databaseUrl)),
   'DATABASE_URL: the password is one that stands in manuals; choose another'],
  [({ blobs }) => blobs !== undefined && isExample(passwordOf(blobs)),
   'KONTOR_BLOBS: the secret is one that stands in manuals; choose another'],
  [({ masterKey }) => masterKey !== undefined && isMonotonous(masterKey),
   'KONTOR_MASTER_KEY: it can be guessed; make one with: openssl rand -base64 32'],
  [({ adminPassword }) => adminPassword !== undefined && isExample(adminPassword),
   'KONTOR_ADMIN_PASSWORD: it is one that stands in manuals; leave it empty, and one is made up'],
  [({ metricsToken }) => metricsToken !== undefined && metricsToken.length < 16,
   'KONTOR_METRICS_TOKEN: it has less than 16 characters; make one with: openssl rand -base64 24'],
  [({ corsOrigins }) => [...corsOrigins].some((origin) => !origin.startsWith('https:')),
   'KONTOR_CORS_ORIGINS: scripts of http pages can be changed on their way; name https origins only'],
  [({ data }) => isOpenToOthers(data),
   'KONTOR_DATA: other users of this machine can read the folder; run chmod 700 on it'],
]

/** The sentences that stand against running as production; none in any other profile. */
export const productionFaults = (config: Config): string[] =>
  config.profile === 'production' ? rules.filter(([isBroken]) => isBroken(config)).map(([, fault]) => fault) : []

export function checkProduction(config: Config): void {
  const faults = productionFaults(config)
  if (faults.length > 0) throw new BadConfig(faults.join('\n'))
}

/** Of the database server: that what it has acknowledged is stored, and that both clocks agree. */
export async function checkDatabase(db: Db, { profile }: Config): Promise<void> {
  if (profile !== 'production') return
  const { settings, now } = await readServerState(db)
  const off = settings.filter(({ value }) => value === 'off').map(({ name }) => name)
  const seconds = Math.abs(now.getTime() - Date.now()) / 1000
  const faults = [
    ...off.map((name) => `PostgreSQL: ${name} is off, and a power failure loses what was acknowledged; turn it on`),
    ...(seconds > 5
      ? [`PostgreSQL: its clock and this machine's differ by ${Math.round(seconds)} seconds; tokens need them to agree`]
      : []),
  ]
  if (faults.length > 0) throw new BadConfig(faults.join('\n'))
}

const examples = new Set('secret password postgres kontor admin changeme change-me example minioadmin test'.split(' '))
const isExample = (text: string) => examples.has(text.toLowerCase()) || /correct.?horse/i.test(text)
const passwordOf = (address: string) => decodeURIComponent(new URL(address).password)
/** 32 characters or more are demanded anyway; these say how many different ones there are. */
const isMonotonous = (text: string) => new Set(text).size < 10

function isLoopback(address: string): boolean {
  const { hostname } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** A folder that is not there yet is made for its owner alone; Windows has no such bits. */
function isOpenToOthers(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}
