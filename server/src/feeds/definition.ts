/** Checks a feed that a user sends, and separates its secrets from it. */
import { because } from '@kontor/contract'
import type { Feed, Infer } from '@kontor/contract'
import { isAllowed } from '../adapters/places/folder.ts'
import { checkUrl, ForbiddenAddress } from '../adapters/web/post.ts'
import type { Config } from '../config.ts'
import type { Caller } from '../core/context.ts'
import { Problem } from '../errors.ts'
import type { Definition } from './feeds.sql.ts'
import { kindRules, type PlaceValue, type SecretName, type Secrets } from './places.ts'
import { demandSchedule } from './schedule.ts'

type FeedValue = Infer<typeof Feed>
const allSecrets: readonly SecretName[] = ['authorization', 'secretKey', 'password', 'privateKey']
const [maxQuiet, maxPort] = [3600, 65_535]

const refuse = (message: string) => new Problem('invalid', `/feed/${message}`)

type Rule = (feed: FeedValue) => string | undefined
/** The reasons to refuse a feed, each with the place and the remedy. */
const rules: readonly Rule[] = [
  ({ direction, export: order }) =>
    direction === 'export' && !order ? 'export: missing; give at least the format of the file' : undefined,
  ({ direction, export: order, fileName }) =>
    direction === 'import' && (order ?? fileName) !== undefined
      ? 'direction: export and fileName are for export feeds only; leave them out'
      : undefined,
  (feed) =>
    feed.direction === 'export' && feed.import ? 'import: an export feed does not have it; leave it out' : undefined,
  ({ direction, place: { kind } }) =>
    direction === 'import' && !kindRules[kind].source
      ? `place/kind: files cannot be imported from ${kind}; expected folder, s3 or sftp`
      : undefined,
  ({ fileName = 'x' }) =>
    /^[^/\\.\p{Cc}][^/\\\p{Cc}]{0,199}$/u.test(fileName)
      ? undefined
      : 'fileName: expected a name of at most 200 characters that has no slash and does not begin with a dot',
  ({ maxShrink = 1 }) =>
    maxShrink < 1 || maxShrink > 100 ? 'maxShrink: expected a percentage from 1 to 100' : undefined,
  ({ import: { quietSeconds = 0 } = {} }) =>
    quietSeconds < 0 || quietSeconds > maxQuiet ? `import/quietSeconds: expected 0 to ${maxQuiet}` : undefined,
  ({ import: { pattern = '*' } = {} }) =>
    pattern.length === 0 || pattern.length > 200 || pattern.includes('/')
      ? 'import/pattern: expected a file name such as prices-*.csv, without folders'
      : undefined,
  ({ export: { series } = {}, place: { kind } = {} }) =>
    series !== undefined && kind === 'download'
      ? 'export/series: a download address has only the newest file, so changes would be missed; leave it out, or choose another place'
      : undefined,
  ({ place: { port = 1 } }) => (port < 1 || port > maxPort ? `place/port: expected 1 to ${maxPort}` : undefined),
  ({ place: { hostKey = 'SHA256:x' } }) =>
    hostKey.startsWith('SHA256:') ? undefined : 'place/hostKey: expected SHA256:… as ssh-keygen -l shows it',
  ({ place: { to = [] } }) =>
    to.some((one) => !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(one))
      ? 'place/to: expected addresses like kim@example.com'
      : undefined,
  ({ place }) => fieldsFault(place),
]

function fieldsFault(place: PlaceValue): string | undefined {
  const { required, optional, secrets } = kindRules[place.kind]
  const missing = required.find((field) => isEmpty(place[field]))
  if (missing !== undefined) return `place/${missing}: missing; ${place.kind} needs it`
  const known: readonly string[] = ['kind', 'secrets', ...required, ...optional, ...secrets]
  const other = Object.keys(place).find((field) => !known.includes(field))
  return other && `place/${other}: ${place.kind} does not have it; leave it out`
}
const isEmpty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** The feed without the fields of replies. Throws a Problem with all reasons to refuse it. */
export function demandDefinition(config: Config, caller: Caller, feed: FeedValue): Definition {
  const faults = rules.flatMap((rule) => rule(feed) ?? [])
  if (faults.length > 0)
    throw new Problem(
      'invalid',
      faults.map((fault) => `/feed/${fault}`),
    )
  if (feed.schedule) demandSchedule(feed.schedule)
  const { description, direction, schedule, export: order, import: reading, fileName, place, maxShrink } = feed
  demandPlace(config, caller, place)
  const { secrets: _, ...open } = place
  return {
    direction,
    place: Object.fromEntries(Object.entries(open).filter(([name]) => !isSecret(name))) as unknown as PlaceValue,
    ...(description !== undefined && { description }),
    ...(schedule && { schedule }),
    ...(order && { export: order }),
    ...(reading && { import: reading }),
    ...(fileName !== undefined && { fileName }),
    ...(maxShrink !== undefined && { maxShrink }),
  }
}
const isSecret = (name: string) => allSecrets.some((one) => one === name)

function demandPlace(config: Config, { roles }: Caller, { kind, path, url, endpoint }: PlaceValue): void {
  if (kindRules[kind].adminOnly && !roles.has('admin'))
    throw new Problem('forbidden', because('placeForAdmins', { kind }))
  if (kind === 'folder' && !isAllowed(path!, config.feedFolders))
    throw refuse(
      config.feedFolders.length === 0
        ? 'place/path: no folder is allowed; KONTOR_FEED_FOLDERS allows some'
        : `place/path: expected an absolute path below ${config.feedFolders.join(' or ')}`,
    )
  if (kind === 'mail' && config.smtpUrl === undefined)
    throw refuse('place/kind: no mail server is set; KONTOR_SMTP_URL sets one')
  demandAddress(config, 'url', url)
  demandAddress(config, 'endpoint', endpoint)
}

function demandAddress({ feedPrivate }: Config, field: string, address: string | undefined): void {
  if (address === undefined) return
  try {
    checkUrl(address, feedPrivate)
  } catch (error) {
    if (!(error instanceof ForbiddenAddress)) throw error
    throw refuse(`place/${field}: ${error.message}; KONTOR_FEED_PRIVATE allows addresses of your own network`)
  }
}

/** The secrets that are sent, and those that are stored already for the same server. */
export function secretsOf(place: PlaceValue, stored: { place: PlaceValue; secrets: Secrets } | undefined): Secrets {
  const { kind } = place
  const { secrets: names, server, needsSecret } = kindRules[kind]
  const isSame = stored?.place.kind === kind && server.every((field) => place[field] === stored.place[field])
  const sent = Object.fromEntries(names.flatMap((name) => (isEmpty(place[name]) ? [] : [[name, place[name]!]])))
  const secrets = Object.keys(sent).length > 0 || !isSame ? sent : stored.secrets
  if (needsSecret && Object.keys(secrets).length === 0)
    throw refuse(`place/${names[0]}: missing; ${names.join(' or ')} has to be sent for a new server`)
  return secrets
}
