/**
 * Reads the typed settings from the environment, once. The only file that reads the environment.
 *
 * Every setting is a row: its name, its default, its parser, and a sentence for the manual, which is generated from this
 * table. All faults are reported together. A secret may come from a file, whose path is in `NAME_FILE`.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

interface Setting<T> {
  env: string
  /** The default, also for the manual; without one the setting is undefined unless given. */
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
const share = (value: string) =>
  /^\d(\.\d+)?$/.test(value) && Number(value) <= 1 ? Number(value) : unreadable('a number from 0 to 1')
const oneOf =
  <const W extends string>(...words: W[]) =>
  (value: string) =>
    words.find((w) => w === value) ?? unreadable(words.join(' or '))
const rotations = { false: 'none', public: 'public', true: 'all' } as const
const rotation = (value: string) => rotations[oneOf('false', 'public', 'true')(value)]
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
const names = (value: string) => {
  const found = value.split(',').map((part) => part.trim())
  return found.includes('') ? unreadable('names separated by commas') : found
}
const folders = (value: string) => (value === 'none' ? [] : names(value).map((one) => resolve(one)))
const claims = (value: string) =>
  value.split(',').every((path) => !path.trim().split('.').includes(''))
    ? value
    : unreadable('paths like realm_access.roles, separated by commas')
const databaseUrl = (value: string) =>
  /^postgres(ql)?:\/\//.test(value) ? value : unreadable('an address like postgres://user:password@host/database')

const s3Url = (value: string) =>
  URL.canParse(value) && new URL(value).protocol === 's3:' && new URL(value).hostname !== ''
    ? value
    : unreadable('an address like s3://bucket?endpoint=http://host:port')

const archivePlace = (value: string) => (value.startsWith('/') ? value : s3Url(value))

const searchAddress = (value: string) =>
  URL.canParse(value) &&
  /^https?:$/.test(new URL(value).protocol) &&
  /^\/[A-Za-z0-9_-]+\/?$/.test(new URL(value).pathname)
    ? value
    : unreadable('an address like https://user:password@host:9200/prefix')

const scannerAddress = (value: string) =>
  /^unix:\/./.test(value) ||
  (URL.canParse(value) && /^tcp:\/\/[^/]+:\d{1,5}$/.test(value) && Number(new URL(value).port) > 0)
    ? value
    : unreadable('an address like tcp://host:3310 or unix:/run/clamav/clamd.ctl')

const smtpAddress = (value: string) =>
  URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== ''
    ? value
    : unreadable('an address like smtp://user:password@host:587')

const MiB = 1024 * 1024

// prettier-ignore
const settings = {
  profile:         { env: 'KONTOR_PROFILE', default: 'trial', read: oneOf('trial', 'production'), doc: 'production refuses to start with unsafe settings: http, example secrets from manuals, metrics without a token, a data folder that other users can read, a database that may lose committed data. Administrators cannot use the password grant.' },
  port:            { env: 'KONTOR_PORT', default: '8080', read: whole(0, 65535), doc: 'Port to listen on; 0 for any free port.' },
  host:            { env: 'KONTOR_HOST', default: '127.0.0.1', read: text, doc: 'Address to listen on; 0.0.0.0 for all.' },
  data:            { env: 'KONTOR_DATA', default: './data', read: folder, doc: 'Folder for all data of Kontor: the embedded database, files, secrets.' },
  baseUrl:         { env: 'KONTOR_BASE_URL', read: baseUrl, doc: 'Address under which clients reach this installation; if empty, http://localhost:<port>.' },
  trustedProxies:  { env: 'KONTOR_TRUSTED_PROXIES', default: 'none', read: proxies, doc: 'Addresses or networks (10.0.0.0/8) of proxies in front of Kontor, separated by commas. Their X-Forwarded-For header determines the address of the client.' },
  adminPassword:   { env: 'KONTOR_ADMIN_PASSWORD', read: text, secret: true, doc: 'Password of the first administrator. If empty, the first start generates one, displays it once and stores it in the data folder.' },
  realm:           { env: 'KONTOR_REALM', default: 'kontor', read: word, doc: 'Name of the realm in /auth/realms/<realm>.' },
  clientId:        { env: 'KONTOR_CLIENT_ID', default: 'kontor-ui', read: word, doc: 'Client id of the console and of the password grant.' },
  passwordGrant:   { env: 'KONTOR_PASSWORD_GRANT', default: 'true', read: flag, doc: 'Whether clients can get tokens with user name and password (for trusted environments).' },
  revokeRefreshTokens: { env: 'KONTOR_REVOKE_REFRESH_TOKENS', default: 'public', read: rotation, doc: 'Which tokens can be exchanged only once, where using one again ends its session. public: refresh tokens of clients without a secret, such as the console; the last one stays valid for 30 seconds. true: all refresh and offline tokens. false: none.' },
  masterKey:       { env: 'KONTOR_MASTER_KEY', read: text, secret: true, doc: 'Encrypts the private keys in the database; 32 characters or more. If empty, the first start generates one and stores it in the data folder. All processes on one database need the same key.' },
  corsOrigins:     { env: 'KONTOR_CORS_ORIGINS', default: 'none', read: origins, doc: 'Origins of other sites whose scripts may call the API, separated by commas.' },
  oidcIssuer:      { env: 'KONTOR_OIDC_ISSUER', read: address, doc: 'Issuer of an external OpenID provider (https://sso.example.com/realms/shop) that replaces the bundled one.' },
  oidcAudience:    { env: 'KONTOR_OIDC_AUDIENCE', default: 'kontor-api', read: text, doc: 'With KONTOR_OIDC_ISSUER: a value that the audience of its access tokens must contain.' },
  oidcClients:     { env: 'KONTOR_OIDC_CLIENT_ID', read: names, doc: 'With KONTOR_OIDC_ISSUER: the only clients whose tokens are accepted, separated by commas; the first one is the console. If empty, tokens of all clients are accepted, and the console is KONTOR_CLIENT_ID.' },
  oidcRolesClaim:  { env: 'KONTOR_OIDC_ROLES_CLAIM', default: 'realm_access.roles', read: claims, doc: 'With KONTOR_OIDC_ISSUER: where the roles are in its tokens, as names separated by dots; several such paths are separated by commas. A dot inside a name is written as \\.' },
  oidcGroupsClaim: { env: 'KONTOR_OIDC_GROUPS_CLAIM', read: claims, doc: 'With KONTOR_OIDC_ISSUER: where the groups are in its tokens, as in KONTOR_OIDC_ROLES_CLAIM. Users have the roles of the groups with these names in Kontor; a leading slash is ignored. If empty, groups are ignored.' },
  tokenAlgorithm:  { env: 'KONTOR_TOKEN_ALGORITHM', default: 'ES256', read: oneOf('ES256', 'RS256'), doc: 'Algorithm that signs access tokens.' },
  roles:           { env: 'KONTOR_ROLES', default: 'api,worker,search', read: listOf('api', 'worker', 'search'), doc: 'Tasks of this process: answer requests, run jobs, keep the search index open and up to date.' },
  databaseUrl:     { env: 'DATABASE_URL', read: databaseUrl, secret: true, doc: 'A PostgreSQL server (15 or newer) to use instead of the embedded one.' },
  databaseUrlRead: { env: 'DATABASE_URL_READ', read: databaseUrl, secret: true, doc: 'A streaming replica of the database in DATABASE_URL, for exports and for calls with Kontor-Max-Staleness. A replica that is late or unreachable is not used.' },
  embeddedDatabase:{ env: 'KONTOR_EMBEDDED_DATABASE', read: flag, doc: 'With KONTOR_PROFILE=production and without DATABASE_URL: true confirms the use of the embedded database.' },
  databasePool:    { env: 'KONTOR_DATABASE_POOL', default: '10', read: whole(2, 50), doc: 'Connections to PostgreSQL for requests. Reads and writes of single objects use half as many more, search four, and two per thread while it builds an index; each listener uses one more.' },
  sourceEnv:       { env: 'KONTOR_SOURCE_ENV', default: 'web', read: word, doc: 'Name of this environment, sent as sourceEnv in every reply.' },
  logLevel:        { env: 'KONTOR_LOG_LEVEL', default: 'info', read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), doc: 'Least severe level that is logged.' },
  logFormat:       { env: 'KONTOR_LOG_FORMAT', default: 'auto', read: oneOf('auto', 'json', 'text'), doc: 'Format of the output: json for programs, one JSON object per line; text for people, who see of the requests only those that write, fail or are slow; auto is text in a terminal, else json.' },
  metricsToken:    { env: 'KONTOR_METRICS_TOKEN', read: text, secret: true, doc: 'If set, /metrics requires it as bearer token. Required with KONTOR_PROFILE=production.' },
  maxBody:         { env: 'KONTOR_MAX_BODY', default: String(50 * MiB), read: whole(1024, 256 * MiB), doc: 'Maximal bytes of a persist, perform, query or retrieve message.' },
  maxBulkBody:     { env: 'KONTOR_MAX_BULK_BODY', default: String(4096 * MiB), read: whole(1024, 65536 * MiB), doc: 'Maximal bytes of a bulk or transform message, which is read as a stream.' },
  maxItems:        { env: 'KONTOR_MAX_ITEMS', default: '1000', read: whole(1, 10_000), doc: 'Maximal number of objects or actions in a persist or perform message; bulk has no such limit.' },
  maxDepth:        { env: 'KONTOR_MAX_DEPTH', default: '128', read: whole(16, 256), doc: 'Maximal nesting of elements or objects in a message.' },
  maxText:         { env: 'KONTOR_MAX_TEXT', default: String(4 * MiB), read: whole(1024, 10 * MiB), doc: 'Maximal characters of a text or attribute value.' },
  maxAttributes:   { env: 'KONTOR_MAX_ATTRIBUTES', default: '256', read: whole(16, 4096), doc: 'Maximal number of attributes of an element, or properties of an object.' },
  maxInFlight:     { env: 'KONTOR_MAX_IN_FLIGHT', default: '200', read: whole(1, 10_000), doc: 'Places for concurrent requests, apart from long polls and streams. A quarter as many are for signing in. Without a free place a request is refused with 503.' },
  maxWait:         { env: 'KONTOR_MAX_WAIT', default: '1000', read: whole(1, 60_000), doc: 'Milliseconds that a request with a body of at most 64 KiB waits for its turn behind others of the same caller, of which eight run at once; then it is refused with 503. Batches, long polls and streams wait for a minute and are refused with 429.' },
  maxLongPolls:    { env: 'KONTOR_MAX_LONG_POLLS', default: '200', read: whole(1, 100_000), doc: 'Places for requests that wait for something: events with wait, and documents of a search index.' },
  maxStreams:      { env: 'KONTOR_MAX_STREAMS', default: '400', read: whole(1, 10_000), doc: 'Places for uploads, downloads, bulk and transform messages and event streams.' },
  userShare:       { env: 'KONTOR_USER_SHARE', default: '50', read: whole(1, 100), doc: 'Percentage of the places of each kind that one user can take, of those that others leave; further requests are refused with 429.' },
  addressShare:    { env: 'KONTOR_ADDRESS_SHARE', default: '25', read: whole(1, 100), doc: 'As KONTOR_USER_SHARE, for all requests without a token from one address.' },
  anonymousShare:  { env: 'KONTOR_ANONYMOUS_SHARE', default: '50', read: whole(1, 100), doc: 'As KONTOR_USER_SHARE, for all requests without a token together, which are refused with 503.' },
  maxPerConnection:{ env: 'KONTOR_MAX_PER_CONNECTION', default: '8', read: whole(1, 1000), doc: 'Maximal number of requests that a client can send on one connection without waiting for replies (HTTP pipelining).' },
  writeTimeout:    { env: 'KONTOR_WRITE_TIMEOUT', default: '60', read: whole(1, 3600), doc: 'Seconds in which a client must read at least a part of its reply; otherwise the connection is closed.' },
  requestTimeout:  { env: 'KONTOR_REQUEST_TIMEOUT', default: '300', read: whole(1, 86_400), doc: 'Seconds a request may take to arrive; for uploads, bulk and transform messages, seconds without any data.' },
  drainSeconds:    { env: 'KONTOR_DRAIN_SECONDS', default: '0', read: whole(0, 600), doc: 'Seconds between the signal to stop and the moment in which the server accepts no more connections. /readyz answers 503 in this time, so that a proxy sends requests to other processes: set it longer than the interval in which the proxy asks.' },
  shutdownTimeout: { env: 'KONTOR_SHUTDOWN_TIMEOUT', default: '25', read: whole(0, 3600), doc: 'Seconds that running requests have to finish when the server stops; afterwards their connections are closed.' },
  idempotencyHours:{ env: 'KONTOR_IDEMPOTENCY_HOURS', default: '24', read: whole(1, 168), doc: 'Hours that an idempotency key is stored.' },
  bulkDays:        { env: 'KONTOR_BULK_DAYS', default: '7', read: whole(1, 365), doc: 'Days that the records of a bulk run are kept.' },
  nodeAttributes:  { env: 'KONTOR_NODE_ATTRIBUTES_ONLY', default: 'false', read: flag, doc: 'Whether products can have values only for the attributes of their node; otherwise for every defined attribute.' },
  blobs:           { env: 'KONTOR_BLOBS', read: s3Url, secret: true, doc: 'S3 storage for files, as s3://key:secret@bucket/prefix?endpoint=…&region=…&public=…; if empty, files are in the data folder.' },
  maxUpload:       { env: 'KONTOR_MAX_UPLOAD', default: String(5 * 1024 * MiB), read: whole(1024, 65_536 * MiB), doc: 'Maximal bytes of a file that is uploaded in one request.' },
  maxChunk:        { env: 'KONTOR_MAX_CHUNK', default: String(100 * MiB), read: whole(1024, 256 * MiB), doc: 'Maximal bytes of a chunk of an upload.' },
  maxFile:         { env: 'KONTOR_MAX_FILE', default: String(50 * 1024 * MiB), read: whole(1024, 5 * 1024 * 1024 * MiB), doc: 'Maximal bytes of a file that is uploaded in chunks.' },
  uploadHours:     { env: 'KONTOR_UPLOAD_HOURS', default: '24', read: whole(1, 168), doc: 'Hours that a chunked upload is kept after its last chunk.' },
  uploadsPerUser:  { env: 'KONTOR_UPLOADS_PER_USER', default: '50', read: whole(1, 500), doc: 'Maximal number of concurrent chunked uploads of a user.' },
  blobGraceMinutes:{ env: 'KONTOR_BLOB_GRACE_MINUTES', default: '1440', read: whole(0, 100_000), doc: 'Minutes that a stored file is kept after its last reference is gone.' },
  scanner:         { env: 'KONTOR_CLAMAV', read: scannerAddress, doc: 'A virus scanner that speaks the protocol of ClamAV, as tcp://host:3310 or unix:/run/clamav/clamd.ctl. Every new file is checked before anybody gets it. If empty, files are not checked.' },
  scannerSeconds:  { env: 'KONTOR_CLAMAV_SECONDS', default: '120', read: whole(1, 3600), doc: 'Seconds without progress after which the virus scanner counts as away; its files wait.' },
  scannerMax:      { env: 'KONTOR_CLAMAV_MAX_BYTES', default: String(100 * MiB), read: whole(1024, 4095 * MiB), doc: 'Maximal bytes of a file that is sent to the virus scanner: StreamMaxLength of clamd. Larger files are marked as too large to check.' },
  scanUnchecked:   { env: 'KONTOR_SCAN_UNCHECKED', default: 'wait', read: oneOf('wait', 'allow'), doc: 'New files that are not checked yet, for example while the virus scanner is away: wait means that nobody gets them until they are; allow means that everybody does.' },
  scanTooLarge:    { env: 'KONTOR_SCAN_TOO_LARGE', default: 'allow', read: oneOf('wait', 'allow'), doc: 'Files that are too large for the virus scanner: allow, or wait until an administrator releases them.' },
  scrubDays:       { env: 'KONTOR_SCRUB_DAYS', default: '30', read: whole(0, 3650), doc: 'Days within which all stored files are read and compared with their hashes, again and again; 0 switches it off.' },
  scrubRate:       { env: 'KONTOR_SCRUB_RATE', default: '20', read: whole(1, 10_000), doc: 'Mebibytes per second that the regular read of all stored files takes at most.' },
  archive:         { env: 'KONTOR_ARCHIVE', read: archivePlace, secret: true, doc: 'A second place for files that are rarely needed, as s3://key:secret@bucket/prefix?endpoint=… or an absolute path of a folder. If empty, files cannot be archived.' },
  archiveMonths:   { env: 'KONTOR_ARCHIVE_MONTHS', default: '0', read: whole(0, 1200), doc: 'Months after which files move to the archive by themselves: those that no product or channel has and that nobody has uploaded, changed or downloaded since. With 0 they never do.' },
  previewWorkers:  { env: 'KONTOR_PREVIEW_WORKERS', default: '2', read: whole(1, 64), doc: 'Number of processes that create previews.' },
  previewSeconds:  { env: 'KONTOR_PREVIEW_SECONDS', default: '30', read: whole(1, 600), doc: 'Maximal seconds for the previews of a file.' },
  previewMemory:   { env: 'KONTOR_PREVIEW_MEMORY', default: '1024', read: whole(256, 16_384), doc: 'Maximal mebibytes of memory of a process that creates previews.' },
  previewPixels:   { env: 'KONTOR_PREVIEW_PIXELS', default: '100000000', read: whole(1_000_000, 268_402_689), doc: 'Maximal pixels of an image that gets previews.' },
  filmSeconds:     { env: 'KONTOR_FILM_SECONDS', default: '1800', read: whole(1, 86_400), doc: 'Maximal seconds for a copy of a film or a sound that browsers play.' },
  renditionSpace:  { env: 'KONTOR_RENDITION_SPACE', default: '10240', read: whole(1, 10_485_760), doc: 'Mebibytes that renditions may take. Once an hour, those that were not used for the longest time are deleted beyond that.' },
  tools:           { env: 'KONTOR_TOOLS', default: '/usr/local/bin:/usr/bin:/opt/homebrew/bin', read: text, doc: 'Folders with the programs for some previews: ffmpeg and ffprobe (films, sounds), heif-dec or heif-convert (HEIC), soffice (Office documents).' },
  trashDays:       { env: 'KONTOR_TRASH_DAYS', default: '30', read: whole(1, 3650), doc: 'Days in which a deleted asset or directory can be restored.' },
  transferDays:    { env: 'KONTOR_TRANSFER_DAYS', default: '7', read: whole(1, 365), doc: 'Days that the files of imports and exports are kept.' },
  changeDays:      { env: 'KONTOR_CHANGE_DAYS', default: '90', read: whole(1, 3650), doc: 'Days in which a change of many objects can be undone.' },
  webhookPrivate:  { env: 'KONTOR_WEBHOOK_PRIVATE', default: 'false', read: flag, doc: 'Whether webhooks, and imports that download files, may use private and local addresses; webhooks also http.' },
  feedFolders:     { env: 'KONTOR_FEED_FOLDERS', default: 'none', read: folders, doc: 'Folders on this machine, separated by commas, below which feeds of administrators may read and write files.' },
  feedPrivate:     { env: 'KONTOR_FEED_PRIVATE', default: 'false', read: flag, doc: 'Whether feeds may use servers with private and local addresses, and http.' },
  feedRetry:       { env: 'KONTOR_FEED_RETRY', default: '60', read: whole(1, 3600), doc: 'Seconds until the first retry of a failed run of a feed; the delay doubles up to an hour.' },
  feedTries:       { env: 'KONTOR_FEED_TRIES', default: '8', read: whole(1, 50), doc: 'Attempts after which a run of a feed has failed.' },
  feedDays:        { env: 'KONTOR_FEED_DAYS', default: '90', read: whole(1, 3650), doc: 'Days that the history of runs of feeds is kept.' },
  webhookDays:     { env: 'KONTOR_WEBHOOK_DAYS', default: '5', read: whole(1, 60), doc: 'Days for which deliveries to a failing receiver are retried. Then the webhook is disabled, and its events are kept.' },
  webhookLogDays:  { env: 'KONTOR_WEBHOOK_LOG_DAYS', default: '30', read: whole(1, 365), doc: 'Days that the log of deliveries is kept.' },
  webhookSeconds:  { env: 'KONTOR_WEBHOOK_SECONDS', default: '15', read: whole(1, 60), doc: 'Seconds that a receiver has to reply.' },
  webhookRetry:    { env: 'KONTOR_WEBHOOK_RETRY', default: '5', read: whole(1, 600), doc: 'Seconds until the first retry of a failed delivery; the delay doubles up to an hour.' },
  smtpUrl:         { env: 'KONTOR_SMTP_URL', read: smtpAddress, secret: true, doc: 'A mail server, as smtp://user:password@host:port or smtps://…; if empty, no mail is sent.' },
  mailFrom:        { env: 'KONTOR_MAIL_FROM', read: text, doc: 'Sender of mails; if empty, kontor@<host of KONTOR_BASE_URL>.' },
  workflowSecret:  { env: 'KONTOR_WORKFLOW_SECRET', read: text, secret: true, doc: 'Secret that signs the calls of workflows to other systems, as whsec_ and base64 (Standard Webhooks); if empty, no calls are made.' },
  workflowDays:    { env: 'KONTOR_WORKFLOW_DAYS', default: '365', read: whole(1, 36_500), doc: 'Days that workflow processes are kept after their end.' },
  historyDays:     { env: 'KONTOR_HISTORY_DAYS', default: '3650', read: whole(1, 36_500), doc: 'Days that the history of objects is kept, or up to a month longer: it is removed by the month, or by the day up to 31 days.' },
  searchThreads:   { env: 'KONTOR_SEARCH_THREADS', read: whole(0, 64), doc: 'Number of search threads; if empty, one per processor, at most 8. With 0, searches run in the thread that answers requests.' },
  search:          { env: 'KONTOR_SEARCH', read: searchAddress, secret: true, doc: 'An OpenSearch cluster (2.x) that all processes share instead of an index in each data folder, as https://user:password@host:9200/prefix. Names of its indexes begin with the prefix.' },
  outboxHours:     { env: 'KONTOR_OUTBOX_HOURS', default: '72', read: whole(1, 8760), doc: 'Hours that changes are kept for consumers such as search indexes and clients that reconnect; they are removed by the day. Changes that a consumer has not read yet are kept for up to a week.' },
  traceEndpoint:   { env: 'OTEL_EXPORTER_OTLP_ENDPOINT', read: address, doc: 'Address of an OpenTelemetry collector (http://collector:4318) that receives traces by OTLP over HTTP; if empty, nothing is traced. Other OTEL_ settings: see Tracing in docs/operations.md.' },
  traceSampler:    { env: 'OTEL_TRACES_SAMPLER', default: 'parentbased_always_on', read: oneOf('always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'), doc: 'Which traces are recorded: all, none, or a share of them (OTEL_TRACES_SAMPLER_ARG); parentbased_ follows the decision of the caller, if the request continues a trace.' },
  traceShare:      { env: 'OTEL_TRACES_SAMPLER_ARG', default: '1', read: share, doc: 'With a sampler by ratio: the share of the traces that are recorded, from 0 to 1.' },
  traceDelay:      { env: 'OTEL_BSP_SCHEDULE_DELAY', default: '5000', read: whole(1, 3_600_000), doc: 'Milliseconds between two sendings to the collector.' },
  traceQueue:      { env: 'OTEL_BSP_MAX_QUEUE_SIZE', default: '2048', read: whole(1, 1_000_000), doc: 'Maximal number of finished spans that wait for the collector; further ones are dropped and counted.' },
} satisfies Record<string, Setting<unknown>>

type Settings = typeof settings
type Value<S> = S extends Setting<infer T> ? (S extends { default: string } ? T : T | undefined) : never
export type Config = { readonly [K in keyof Settings]: Value<Settings[K]> } & {
  readonly baseUrl: string
  /** The cost of password hashes. Not a setting: only tests lower it. */
  readonly passwordCost?: { readonly memoryKiB: number; readonly passes: number }
}

/** Invalid settings; the message has a line for each. */
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

/** Every setting with its value, to be printed: secrets are masked. */
export function describeConfig(config: Config): { env: string; value: string; doc: string }[] {
  return Object.entries<Setting<unknown>>(settings).map(([name, { env, secret, doc }]) => {
    const value = config[name as keyof Config] as unknown
    const text = value === undefined ? '' : value instanceof Set ? [...value].join(',') : String(value)
    return { env, value: secret && text ? '********' : text, doc }
  })
}

/** The table of settings in the manual. */
export const manual = Object.values<Setting<unknown>>(settings).map((setting) => ({
  env: setting.env,
  default: setting.default ?? '',
  doc: setting.doc,
  secret: setting.secret ?? false,
}))
