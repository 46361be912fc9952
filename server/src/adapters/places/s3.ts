/** A folder of a bucket of S3 or of a compatible server. The server must be public, unless private addresses are allowed. */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { checkUrl, guardedLookup } from '../web/post.ts'
import { type FolderPlace, type FoundFile, isVisible } from './place.ts'

interface S3Options {
  readonly bucket: string
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  readonly accessKey: string
  readonly secretKey: string
  readonly path?: string | undefined
  readonly allowPrivate: boolean
}

export function openS3(options: S3Options): FolderPlace {
  const { bucket: Bucket, endpoint, region = 'us-east-1', accessKey, secretKey, path = '', allowPrivate } = options
  if (endpoint !== undefined) checkUrl(endpoint, allowPrivate)
  const guard = allowPrivate ? {} : { lookup: guardedLookup() }
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000, httpsAgent: guard, httpAgent: guard },
    // Older servers reject the checksums of newer clients.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  /** Some servers send no message with a refusal. */
  client.middlewareStack.add(
    (next) => async (args) =>
      next(args).catch((error: Error & { $metadata?: { httpStatusCode?: number } }) => {
        const status = error.$metadata?.httpStatusCode
        if (status !== undefined && (error.message === '' || error.message === 'UnknownError'))
          error.message = `the server answered ${status} (${error.name}) for the bucket ${Bucket}`
        throw error
      }),
    { step: 'initialize' },
  )
  const segments = path.split('/').filter((part) => part !== '')
  const prefix = segments.map((part) => `${part}/`).join('')
  return {
    async put({ name, path: source, size, mediaType }) {
      const Body = createReadStream(source)
      await client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body, ContentLength: size, ContentType: mediaType })) // prettier-ignore
    },
    async list() {
      const found: FoundFile[] = []
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix, Delimiter: '/' }))
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          const name = Key.slice(prefix.length)
          if (name !== '' && !name.includes('/') && isVisible(name))
            found.push({ name, size: Size, modifiedAt: LastModified })
        }
      return found
    },
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: prefix + name }))
      return Body as Readable
    },
    async move(name, folder, as) {
      const CopySource = `${Bucket}/${(prefix + name).split('/').map(encodeURIComponent).join('/')}`
      try {
        await client.send(new CopyObjectCommand({ Bucket, Key: `${prefix}${folder}/${as}`, CopySource }))
      } catch (error) {
        if (!['NoSuchKey', 'NotFound'].includes((error as Error).name)) throw error
      }
      await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + name }))
    },
    close: async () => client.destroy(),
  }
}
