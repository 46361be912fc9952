/**
 * A store in a bucket of S3 or of a compatible server.
 *
 *   s3://bucket/prefix?endpoint=http://host:port&region=eu-central-1
 *   s3://key:secret@bucket?…      without them, the credentials come from where the AWS tools find them
 *   …&public=https://files.example.com   the URL for clients, if it is not the endpoint; none: clients cannot reach it
 *
 * With an endpoint the bucket is part of the path, which every server understands. Large files are sent in parts (s3-parts.ts);
 * the client library retries a failed part. Signed URLs contain the host, so they are made for the host that clients use.
 */
import { open, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { joinObjects, partSize, sweepParts, writeParts } from './s3-parts.ts'
import { type Listed, Missing, type PresignedReply, type Store, Unsupported } from './store.ts'

export function s3Store(address: string): Store {
  const { client, signer, Bucket, prefix } = connect(new URL(address))
  const at = (key: string) => ({ Bucket, Key: prefix + key })
  return {
    async write(key, file) {
      const { size } = await stat(file)
      if (size <= partSize(size)) {
        const handle = await open(file)
        try {
          const Body = await handle.readFile()
          await client.send(new PutObjectCommand({ ...at(key), Body, ContentLength: size }))
        } finally {
          await handle.close()
        }
      } else await writeParts(client, at(key), file, size)
      await rm(file, { force: true })
    },

    async read(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`
      const {
        Body,
        ContentLength = 0,
        ETag = '',
      } = await client.send(new GetObjectCommand({ ...at(key), ...(Range && { Range }) })).catch(orMissing(key))
      const pieces = Body as Readable
      if (range && ContentLength !== range.last + 1 - range.first) {
        pieces.destroy()
        throw new Error(`${key} ends before its byte ${range.last}`) // S3 returns the part that exists as if it were complete
      }
      return { pieces, size: ContentLength, print: ETag }
    },

    size: (key) =>
      client
        .send(new HeadObjectCommand(at(key)))
        .then(({ ContentLength }) => ContentLength ?? 0)
        .catch(orNothing),

    remove: async (key) => void (await client.send(new DeleteObjectCommand(at(key)))),

    list: (folder) => list(client, Bucket, prefix, folder),

    check: async () => void (await client.send(new HeadObjectCommand(at('check'))).catch(orNothing)),

    join: (parts, key) =>
      joinObjects(
        client,
        parts.map((part) => ({ ...part, ...at(part.key) })),
        at(key),
      ).catch((error: Error) => {
        throw error.name === 'NotImplemented' ? new Unsupported('the server copies no parts', { cause: error }) : error
      }),

    sweep: (before) => sweepParts(client, Bucket, prefix, before),

    ...(signer && {
      presign: (key: string, { contentType, contentDisposition }: PresignedReply, expiresIn: number) => {
        const reply = { ResponseContentType: contentType, ResponseContentDisposition: contentDisposition }
        return getSignedUrl(signer, new GetObjectCommand({ ...at(key), ...reply }), { expiresIn })
      },
      presignWrite: (key: string, size: number, expiresIn: number) =>
        getSignedUrl(signer, new PutObjectCommand({ ...at(key), ContentLength: size }), { expiresIn }),
    }),
  }
}

interface Connection {
  readonly client: S3Client
  /** Signs URLs for clients, unless they cannot reach the server. */
  readonly signer: S3Client | undefined
  readonly Bucket: string
  /** The prefix of every key. */
  readonly prefix: string
}

function connect(url: URL): Connection {
  const { searchParams: options, username, password, hostname, pathname } = url
  const endpoint = options.get('endpoint')
  const config: S3ClientConfig = {
    region: options.get('region') ?? 'us-east-1',
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(username && {
      credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
    }),
    // Older servers reject the checksums of newer clients; ours are in the file names.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
  const client = new S3Client(config)
  const prefix = pathname.split('/').filter((part) => part !== '')
  return {
    client,
    signer: signerFor(options.get('public'), client, config),
    Bucket: hostname,
    prefix: prefix.map((part) => `${part}/`).join(''),
  }
}

const signerFor = (open: string | null, client: S3Client, config: S3ClientConfig): S3Client | undefined => {
  if (open === null) return client
  return open === 'none' ? undefined : new S3Client({ ...config, endpoint: open, forcePathStyle: true })
}

async function* list(client: S3Client, Bucket: string, prefix: string, folder: string): AsyncGenerator<Listed> {
  for (let ContinuationToken: string | undefined; ;) {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: `${prefix}${folder}/`, ContinuationToken }),
    )
    for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? []) {
      yield { key: Key.slice(prefix.length), size: Size, modifiedAt: LastModified }
    }
    if (!page.IsTruncated) return
    ContinuationToken = page.NextContinuationToken
  }
}

const isAbsent = (error: unknown) => ['NoSuchKey', 'NotFound'].includes((error as Error).name)
const orNothing = (error: unknown) => {
  if (!isAbsent(error)) throw error
  return undefined
}
const orMissing = (key: string) => (error: unknown) => {
  throw isAbsent(error) ? new Missing(key, { cause: error }) : error
}
