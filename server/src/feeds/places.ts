/**
 * The kinds of places: which fields they have, who may use them and how they are opened. Secrets of a place are stored
 * apart from it, sealed with the master key.
 */
import type { FeedPlace, feedPlaceKinds, Infer } from '@kontor/contract'
import { createSend } from '../adapters/mail/mail.ts'
import { openFolder } from '../adapters/places/folder.ts'
import type { FolderPlace, Place } from '../adapters/places/place.ts'
import { openS3 } from '../adapters/places/s3.ts'
import { openSftp, type SftpPlace } from '../adapters/places/sftp.ts'
import { upload } from '../adapters/web/post.ts'
import type { Config } from '../config.ts'

export type PlaceValue = Infer<typeof FeedPlace>
type Kind = (typeof feedPlaceKinds)[number]
export type SecretName = 'authorization' | 'secretKey' | 'password' | 'privateKey'
export type Secrets = Readonly<Partial<Record<SecretName, string>>>
type FieldName = Exclude<keyof PlaceValue, 'kind' | 'secrets' | SecretName>

interface KindRule {
  readonly required: readonly FieldName[]
  readonly optional: readonly FieldName[]
  readonly secrets: readonly SecretName[]
  /** One of its secrets has to be given. */
  readonly needsSecret?: true
  /** Secrets are for the server that these fields name, and are not kept if one of them changes. */
  readonly server: readonly FieldName[]
  readonly adminOnly?: true
  /** Whether an import feed can read from it. */
  readonly source?: true
}

// prettier-ignore
export const kindRules: Readonly<Record<Kind, KindRule>> = {
  download: { required: [], optional: [], secrets: [], server: [] },
  folder:   { required: ['path'], optional: [], secrets: [], server: [], adminOnly: true, source: true },
  s3:       { required: ['bucket', 'accessKey'], optional: ['endpoint', 'region', 'path'], secrets: ['secretKey'], needsSecret: true, server: ['endpoint', 'bucket', 'accessKey'], source: true },
  sftp:     { required: ['host', 'user'], optional: ['port', 'path', 'hostKey'], secrets: ['password', 'privateKey'], needsSecret: true, server: ['host', 'port', 'user'], source: true },
  https:    { required: ['url'], optional: ['method'], secrets: ['authorization'], server: ['url'] },
  mail:     { required: ['to'], optional: ['subject'], secrets: [], server: [], adminOnly: true },
}

/** Mail servers refuse larger mails. */
const maxMail = 20 * 1024 * 1024

interface Opening {
  readonly config: Config
  readonly feed: string
  readonly place: PlaceValue
  readonly secrets: Secrets
}

/** A folder, a bucket or a server with files. */
export async function openSource({ config, place, secrets }: Opening): Promise<FolderPlace | SftpPlace> {
  const allowPrivate = config.feedPrivate
  const { kind, path, bucket, accessKey, endpoint, region, host, port, user, hostKey } = place
  if (kind === 'folder') return openFolder(path!, config.feedFolders)
  if (kind === 's3')
    return openS3({ bucket: bucket!, accessKey: accessKey!, endpoint, region, path, secretKey: secrets.secretKey!, allowPrivate }) // prettier-ignore
  if (kind === 'sftp') return openSftp({ host: host!, port, user: user!, hostKey, path, ...secrets, allowPrivate })
  throw new Error(`${kind} has no files to read`)
}

/** Undefined for a place to which nothing is sent. */
export async function openTarget(opening: Opening): Promise<Place | undefined> {
  const { kind } = opening.place
  if (kind === 'download') return undefined
  if (kind === 'https') return httpsPlace(opening)
  if (kind === 'mail') return mailPlace(opening)
  return openSource(opening)
}

const httpsPlace = ({ config, place: { url, method = 'PUT' }, secrets: { authorization } }: Opening): Place => ({
  async put({ name, path, size, mediaType, key }) {
    const headers = {
      'content-type': mediaType,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'idempotency-key': key,
      ...(authorization !== undefined && { authorization }),
    }
    const options = { allowPrivate: config.feedPrivate, milliseconds: 60_000 }
    const { status, text } = await upload(url!, method, { path, size }, headers, options)
    if (status < 200 || status > 299)
      throw new Error(`the receiver answered ${status}${text === '' ? '' : `: ${text}`}`)
  },
  close: async () => {},
})

const mailPlace = ({ config, feed, place: { to, subject = feed } }: Opening): Place => ({
  async put({ name, path, size, mediaType, key }) {
    const send = createSend(config)
    if (!send) throw new Error('no mail server is set; set KONTOR_SMTP_URL')
    if (size > maxMail)
      throw new Error(`the file has ${size} bytes, and a mail at most ${maxMail}; choose another kind of place`)
    await send({ id: key, to: to!, subject, text: `${feed}: ${name}`, attachment: { name, path, mediaType } })
  },
  close: async () => {},
})
