/**
 * A store in a bucket of S3 or of anything that speaks like it.
 *
 *   s3://bucket/prefix?endpoint=http://host:port&region=eu-central-1
 *   s3://key:secret@bucket?…      else the credentials come from where the AWS tools find them
 *
 * With an endpoint the bucket is named in the path, which every server understands. Large files go in parts; a part that
 * fails is sent again by the client library, and a file that fails leaves no parts behind.
 */
import { open, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { type Listed, Missing, type Store } from './store.ts'

const MiB = 1024 * 1024
/** S3 takes 10,000 parts of 5 MiB to 5 GiB. Parts are held in memory while they are sent, so they are not too large. */
const partSize = (size: number) => Math.max(16 * MiB, Math.ceil(size / 10_000))

export function s3Store(address: string): Store {
  const { client, Bucket, prefix } = connect(new URL(address))
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
      return { pieces: Body as Readable, size: ContentLength, print: ETag }
    },

    size: (key) =>
      client
        .send(new HeadObjectCommand(at(key)))
        .then(({ ContentLength }) => ContentLength ?? 0)
        .catch((error: unknown) => {
          if (!isAbsent(error)) throw error
          return undefined
        }),

    remove: async (key) => void (await client.send(new DeleteObjectCommand(at(key)))),

    list: (folder) => list(client, Bucket, prefix, folder),

    presign: (key, { contentType, contentDisposition }, expiresIn) => {
      const reply = { ResponseContentType: contentType, ResponseContentDisposition: contentDisposition }
      return getSignedUrl(client, new GetObjectCommand({ ...at(key), ...reply }), { expiresIn })
    },
  }
}

function connect(url: URL): { client: S3Client; Bucket: string; prefix: string } {
  const { searchParams: options, username, password, hostname, pathname } = url
  const endpoint = options.get('endpoint')
  const config: S3ClientConfig = {
    region: options.get('region') ?? 'us-east-1',
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(username && {
      credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
    }),
    // Older servers do not know the checksums of newer clients; ours are in the names of the files.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
  const prefix = pathname.split('/').filter((part) => part !== '')
  return { client: new S3Client(config), Bucket: hostname, prefix: prefix.map((part) => `${part}/`).join('') }
}

async function writeParts(client: S3Client, at: { Bucket: string; Key: string }, file: string, size: number) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at))
  const upload = { ...at, UploadId }
  const handle = await open(file)
  try {
    const Parts = []
    for (let start = 0, PartNumber = 1; start < size; start += partSize(size), PartNumber++) {
      const Body = Buffer.alloc(Math.min(partSize(size), size - start))
      await handle.read(Body, 0, Body.length, start)
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
      Parts.push({ PartNumber, ETag })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {}) // the first error says more
    throw error
  } finally {
    await handle.close()
  }
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
const orMissing = (key: string) => (error: unknown) => {
  throw isAbsent(error) ? new Missing(key, { cause: error }) : error
}
