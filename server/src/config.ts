/**
 * Environment -> typed settings, read once. The only place that looks at the environment.
 *
 * Every setting is a row: its name, its default, how it is read, and a sentence for the manual, which is made from this
 * table. All faults are told together. A secret may come from a file: `NAME_FILE` names it.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

interface Setting<T> {
  env: string
  /** What the manual says of the default; absent means the setting is empty unless given. */
  default?: string
  read: (text: string) => T
  doc: string
  secret?: boolean
}

class Unreadable extends Error {}
const unreadable = (expected: string): never => {
  throw new Unreadable(expected)
}

const text = (value: string) => value
const word = (value: string) => (/^[A-Za-z0-9_-]+$/.test(value) ? value : unreadable('letters, digits, - and _'))
const folder = (value: string) => resolve(value)
const flag = (value: string) => (value === 'true' ? true : value === 'false' ? false : unreadable('true or false'))
const whole = (min: number, max: number) => (value: string) => {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  return number >= min && number <= max ? number : unreadable(`a whole number from ${min} to ${max}`)
}
const oneOf =
  <const W extends string>(...words: W[]) =>
  (value: string) =>
    words.find((w) => w === value) ?? unreadable(words.join(' or '))
const listOf =
  <const W extends string>(...words: W[]) =>
  (value: string) =>
    new Set(value.split(',').map((part) => oneOf(...words)(part.trim())))
const address = (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url && /^https?:$/.test(url.protocol) ? value : unreadable('an http or https address')
}
const baseUrl = (value: string) => address(value).replace(/\/+$/, '')
const origins = (value: string) =>
  new Set(
    value === 'none'
      ? []
      : value.split(',').map((part) => {
          const origin = part.trim()
          return URL.canParse(origin) && new URL(origin).origin === origin
            ? origin
            : unreadable('origins like https://app.example.com, separated by commas')
        }),
  )
const proxies = (value: string) =>
  value === 'none'
    ? []
    : value.split(',').map((part) => {
        const [host = '', bits = '0'] = part.trim().split('/')
        const most = { 0: -1, 4: 32, 6: 128 }[isIP(host)]!
        return /^\d{1,3}$/.test(bits) && Number(bits) <= most
          ? part.trim()
          : unreadable('addresses or networks like 10.0.0.0/8, separated by commas')
      })
const databaseUrl = (value: string) =>
  /^postgres(ql)?:\/\//.test(value) ? value : unreadable('an address like postgres://user:password@host/database')

const s3Url = (value: string) =>
  URL.canParse(value) && new URL(value).protocol === 's3:' && new URL(value).hostname !== ''
    ? value
    : unreadable('an address like s3://bucket?endpoint=http://host:port')

const smtpAddress = (value: string) =>
  URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== ''
    ? value
    : unreadable('an address like smtp://user:password@host:587')

const MiB = 1024 * 1024

// prettier-ignore
const settings = {
  profile:         { env: 'KONTOR_PROFILE', default: 'trial', read: oneOf('trial', 'production'), doc: 'production refuses to start with what an installation that people rely on must not have: http, secrets of manuals, a data folder others can read, a database that does not keep what it acknowledges; and administrators get no token by password alone.' },
  port:            { env: 'KONTOR_PORT', default: '8080', read: whole(0, 65535), doc: 'Port to listen on; 0 takes a free one.' },
  host:            { env: 'KONTOR_HOST', default: '127.0.0.1', read: text, doc: 'Address to listen on; 0.0.0.0 for all.' },
  data:            { env: 'KONTOR_DATA', default: './data', read: folder, doc: 'Folder for everything Kontor keeps: the embedded database, files, secrets.' },
  baseUrl:         { env: 'KONTOR_BASE_URL', read: baseUrl, doc: 'Address under which clients reach this installation; http://localhost:<port> when empty.' },
  trustedProxies:  { env: 'KONTOR_TRUSTED_PROXIES', default: 'none', read: proxies, doc: 'Addresses or networks (10.0.0.0/8) of proxies in front of Kontor, separated by commas: what they say of the client’s address in X-Forwarded-For is believed.' },
  adminPassword:   { env: 'KONTOR_ADMIN_PASSWORD', read: text, secret: true, doc: 'Password of the first administrator; when empty one is made on first start, shown once and kept in the data folder.' },
  realm:           { env: 'KONTOR_REALM', default: 'kontor', read: word, doc: 'Name of the realm in /auth/realms/<realm>.' },
  clientId:        { env: 'KONTOR_CLIENT_ID', default: 'kontor-ui', read: word, doc: 'Client id of the console and of the password grant.' },
  passwordGrant:   { env: 'KONTOR_PASSWORD_GRANT', default: 'true', read: flag, doc: 'Whether tokens can be had with user name and password (for trusted environments).' },
  revokeRefreshTokens: { env: 'KONTOR_REVOKE_REFRESH_TOKENS', default: 'false', read: flag, doc: 'Whether a refresh or offline token is good for one exchange only; using it again ends its session.' },
  masterKey:       { env: 'KONTOR_MASTER_KEY', read: text, secret: true, doc: 'What the private keys in the database are sealed with, 32 characters or more; when empty one is made on first start and kept in the data folder. Processes on one database need the same.' },
  corsOrigins:     { env: 'KONTOR_CORS_ORIGINS', default: 'none', read: origins, doc: 'Origins of other sites whose scripts may call, separated by commas; none by default.' },
  oidcIssuer:      { env: 'KONTOR_OIDC_ISSUER', read: address, doc: 'Issuer of another OpenID provider (https://sso.example.com/realms/shop) that signs people in instead of the bundled one.' },
  oidcAudience:    { env: 'KONTOR_OIDC_AUDIENCE', default: 'kontor-api', read: text, doc: 'With KONTOR_OIDC_ISSUER: what the audience of its access tokens must contain.' },
  oidcClientId:    { env: 'KONTOR_OIDC_CLIENT_ID', read: text, doc: 'With KONTOR_OIDC_ISSUER: the only client whose tokens are accepted; those of any, when empty.' },
  oidcRolesClaim:  { env: 'KONTOR_OIDC_ROLES_CLAIM', default: 'realm_access.roles', read: text, doc: 'With KONTOR_OIDC_ISSUER: where its tokens have the roles, names separated by dots.' },
  tokenAlgorithm:  { env: 'KONTOR_TOKEN_ALGORITHM', default: 'ES256', read: oneOf('ES256', 'RS256'), doc: 'How access tokens are signed.' },
  roles:           { env: 'KONTOR_ROLES', default: 'api,worker,search', read: listOf('api', 'worker', 'search'), doc: 'What this process does: answer requests, run jobs, keep the search index ready and current.' },
  databaseUrl:     { env: 'DATABASE_URL', read: databaseUrl, secret: true, doc: 'A PostgreSQL server (15 or newer) to use instead of the embedded one.' },
  embeddedDatabase:{ env: 'KONTOR_EMBEDDED_DATABASE', read: flag, doc: 'With KONTOR_PROFILE=production and without DATABASE_URL: true says that the embedded database is meant.' },
  databasePool:    { env: 'KONTOR_DATABASE_POOL', default: '10', read: whole(2, 50), doc: 'Connections to PostgreSQL that requests may use. Search has four more, two for each of its threads while it builds an index, and whoever listens one each.' },
  sourceEnv:       { env: 'KONTOR_SOURCE_ENV', default: 'web', read: word, doc: 'Name of this environment, sent as sourceEnv in every reply.' },
  logLevel:        { env: 'KONTOR_LOG_LEVEL', default: 'info', read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), doc: 'Least severe level that is logged.' },
  metricsToken:    { env: 'KONTOR_METRICS_TOKEN', read: text, secret: true, doc: 'When given, /metrics wants it as bearer token.' },
  maxBody:         { env: 'KONTOR_MAX_BODY', default: String(50 * MiB), read: whole(1024, 256 * MiB), doc: 'Bytes of one persist, perform, query or retrieve message.' },
  maxBulkBody:     { env: 'KONTOR_MAX_BULK_BODY', default: String(4096 * MiB), read: whole(1024, 65536 * MiB), doc: 'Bytes of one bulk or transform message; these are read in pieces.' },
  maxItems:        { env: 'KONTOR_MAX_ITEMS', default: '1000', read: whole(1, 10_000), doc: 'Objects or actions in one persist or perform message; bulk has no such limit.' },
  maxDepth:        { env: 'KONTOR_MAX_DEPTH', default: '128', read: whole(16, 256), doc: 'Nesting of elements or objects in a message.' },
  maxText:         { env: 'KONTOR_MAX_TEXT', default: String(4 * MiB), read: whole(1024, 10 * MiB), doc: 'Characters of one text or attribute value.' },
  maxAttributes:   { env: 'KONTOR_MAX_ATTRIBUTES', default: '256', read: whole(16, 4096), doc: 'Attributes of one element, or properties of one object.' },
  maxInFlight:     { env: 'KONTOR_MAX_IN_FLIGHT', default: '200', read: whole(1, 10_000), doc: 'Requests answered at the same time; more are told to come back later.' },
  requestTimeout:  { env: 'KONTOR_REQUEST_TIMEOUT', default: '300', read: whole(1, 86_400), doc: 'Seconds a request may take to arrive; of an upload, a bulk or a transform message, seconds in which something of it must come.' },
  shutdownTimeout: { env: 'KONTOR_SHUTDOWN_TIMEOUT', default: '25', read: whole(0, 3600), doc: 'Seconds running requests get to finish when the server stops.' },
  idempotencyHours:{ env: 'KONTOR_IDEMPOTENCY_HOURS', default: '24', read: whole(1, 168), doc: 'Hours an idempotency key is remembered.' },
  bulkDays:        { env: 'KONTOR_BULK_DAYS', default: '7', read: whole(1, 365), doc: 'Days the records of a bulk run are kept.' },
  nodeAttributes:  { env: 'KONTOR_NODE_ATTRIBUTES_ONLY', default: 'false', read: flag, doc: 'Whether products can only have values of the attributes that their node has; otherwise of every attribute that is defined.' },
  blobs:           { env: 'KONTOR_BLOBS', read: s3Url, secret: true, doc: 'Where files are kept, as s3://key:secret@bucket/prefix?endpoint=…&region=…&public=…; in the data folder when empty.' },
  maxUpload:       { env: 'KONTOR_MAX_UPLOAD', default: String(5 * 1024 * MiB), read: whole(1024, 65_536 * MiB), doc: 'Bytes of a file that is uploaded in one request.' },
  maxChunk:        { env: 'KONTOR_MAX_CHUNK', default: String(100 * MiB), read: whole(1024, 256 * MiB), doc: 'Bytes of one chunk of an upload.' },
  maxFile:         { env: 'KONTOR_MAX_FILE', default: String(50 * 1024 * MiB), read: whole(1024, 5 * 1024 * 1024 * MiB), doc: 'Bytes of a file that is uploaded in chunks.' },
  uploadHours:     { env: 'KONTOR_UPLOAD_HOURS', default: '24', read: whole(1, 168), doc: 'Hours an upload in chunks is kept after its last chunk.' },
  uploadsPerUser:  { env: 'KONTOR_UPLOADS_PER_USER', default: '50', read: whole(1, 500), doc: 'Uploads in chunks that a user may have under way.' },
  blobGraceMinutes:{ env: 'KONTOR_BLOB_GRACE_MINUTES', default: '1440', read: whole(0, 100_000), doc: 'Minutes the bytes of a file stay after nothing refers to them any more.' },
  previewWorkers:  { env: 'KONTOR_PREVIEW_WORKERS', default: '2', read: whole(1, 64), doc: 'Processes that make previews at the same time.' },
  previewSeconds:  { env: 'KONTOR_PREVIEW_SECONDS', default: '30', read: whole(1, 600), doc: 'Seconds that the previews of one file may take.' },
  previewMemory:   { env: 'KONTOR_PREVIEW_MEMORY', default: '1024', read: whole(256, 16_384), doc: 'Mebibytes that a process may use while it makes previews.' },
  previewPixels:   { env: 'KONTOR_PREVIEW_PIXELS', default: '100000000', read: whole(1_000_000, 268_402_689), doc: 'Pixels of the largest image that gets previews.' },
  tools:           { env: 'KONTOR_TOOLS', default: '/usr/local/bin:/usr/bin:/opt/homebrew/bin', read: text, doc: 'Folders in which ffmpeg (films, sound), heif-dec or heif-convert (HEIC) and soffice (Office documents) are looked for; previews of these need them.' },
  trashDays:       { env: 'KONTOR_TRASH_DAYS', default: '30', read: whole(1, 3650), doc: 'Days in which a deleted asset or directory can be restored.' },
  transferDays:    { env: 'KONTOR_TRANSFER_DAYS', default: '7', read: whole(1, 365), doc: 'Days the files of imports and exports are kept.' },
  webhookPrivate:  { env: 'KONTOR_WEBHOOK_PRIVATE', default: 'false', read: flag, doc: 'Whether webhooks may lead to private and local addresses, and to http.' },
  webhookDays:     { env: 'KONTOR_WEBHOOK_DAYS', default: '5', read: whole(1, 60), doc: 'Days for which a receiver that is down, or refuses an event, is tried again; then the webhook is disabled, and what waits goes on waiting.' },
  webhookLogDays:  { env: 'KONTOR_WEBHOOK_LOG_DAYS', default: '30', read: whole(1, 365), doc: 'Days the log of deliveries is kept.' },
  webhookSeconds:  { env: 'KONTOR_WEBHOOK_SECONDS', default: '15', read: whole(1, 60), doc: 'Seconds a receiver has to answer.' },
  webhookRetry:    { env: 'KONTOR_WEBHOOK_RETRY', default: '5', read: whole(1, 600), doc: 'Seconds until the first repeat to a receiver that failed; they double up to an hour.' },
  smtpUrl:         { env: 'KONTOR_SMTP_URL', read: smtpAddress, secret: true, doc: 'A mail server, as smtp://user:password@host:port or smtps://…; without one no mail is sent.' },
  mailFrom:        { env: 'KONTOR_MAIL_FROM', read: text, doc: 'Sender of mails; kontor@<host of KONTOR_BASE_URL> when empty.' },
  workflowSecret:  { env: 'KONTOR_WORKFLOW_SECRET', read: text, secret: true, doc: 'What calls of workflows to other systems are signed with, as whsec_ and base64 (Standard Webhooks); without it they are not made.' },
  workflowDays:    { env: 'KONTOR_WORKFLOW_DAYS', default: '365', read: whole(1, 36_500), doc: 'Days that processes of workflows are kept after they have ended.' },
  historyDays:     { env: 'KONTOR_HISTORY_DAYS', default: '3650', read: whole(1, 36_500), doc: 'Days the history of objects is kept.' },
  searchThreads:   { env: 'KONTOR_SEARCH_THREADS', read: whole(0, 64), doc: 'Threads that search at the same time; one for each processor, at most 8, when empty. 0 searches in the thread that answers requests.' },
  outboxHours:     { env: 'KONTOR_OUTBOX_HOURS', default: '72', read: whole(1, 8760), doc: 'Hours that changes can be read again by those who follow them, such as a search index or a client that was away; what somebody has not read yet is kept for up to a week.' },
} satisfies Record<string, Setting<unknown>>

type Settings = typeof settings
type Value<S> = S extends Setting<infer T> ? (S extends { default: string } ? T : T | undefined) : never
export type Config = { readonly [K in keyof Settings]: Value<Settings[K]> } & {
  readonly baseUrl: string
  /** The cost of password hashes. Not a setting: only tests lower it. */
  readonly passwordCost?: { readonly memoryKiB: number; readonly passes: number }
}

/** Settings that could not be read; the message has a line for each. */
export class BadConfig extends Error {}

export function readConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = []
  const entries = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    try {
      return [name, readSetting(setting, env)]
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      faults.push(`${setting.env}: ${error.message}`)
      return [name, undefined]
    }
  })
  if (faults.length > 0) throw new BadConfig(faults.join('\n'))
  const config = Object.fromEntries(entries) as Config
  return { ...config, baseUrl: config.baseUrl ?? `http://localhost:${config.port}` }
}

function readSetting(setting: Setting<unknown>, env: Record<string, string | undefined>): unknown {
  const secret = setting.secret ? readSecretFile(env[`${setting.env}_FILE`]) : undefined
  const given = env[setting.env] || secret || setting.default
  if (!given) return undefined
  try {
    return setting.read(given)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new Unreadable(`expected ${error.message}${setting.secret ? '' : `, found "${given}"`}`)
  }
}

function readSecretFile(file: string | undefined): string | undefined {
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trimEnd()
  } catch {
    throw new Unreadable(`the file ${file} cannot be read`)
  }
}

/** Every setting with its value, for people: secrets are masked. */
export function describeConfig(config: Config): { env: string; value: string; doc: string }[] {
  return Object.entries<Setting<unknown>>(settings).map(([name, { env, secret, doc }]) => {
    const value = config[name as keyof Config] as unknown
    const shown = value === undefined ? '' : value instanceof Set ? [...value].join(',') : String(value)
    return { env, value: secret && shown ? '********' : shown, doc }
  })
}

/** The manual's table of settings. */
export const manual = Object.values<Setting<unknown>>(settings).map((setting) => ({
  env: setting.env,
  default: setting.default ?? '',
  doc: setting.doc,
  secret: setting.secret ?? false,
}))
