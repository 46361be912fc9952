/** A folder of a bucket of S3 or of a compatible server. The server must be public, unless private addresses are allowed. */
import { pipeline, Readable, Transform } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { streamOf } from '../late-file.ts'
import { checkUrl, guardedLookup } from '../web/post.ts'
import { type FolderPlace, type FoundFile, isVisible, maxAnswer, maxListed, tooMany } from './place.ts'

interface S3Options {
  readonly bucket: string
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  readonly accessKey: string
  readonly secretKey: string
  readonly path?: string | undefined
  readonly allowPrivate: boolean
}

/** Pages of a list can be empty. */
const maxPages = 1000

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
  /** Files are read piece by piece, all other answers as a whole. */
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answer = await next(args)
        const response = answer.response as { statusCode: number; body?: unknown }
        const isFile = commandName === 'GetObjectCommand' && response.statusCode < 300
        if (!isFile && response.body instanceof Readable) response.body = limited(response.body)
        return answer
      },
    { step: 'deserialize', priority: 'low' },
  )
  const segments = path.split('/').filter((part) => part !== '')
  const prefix = segments.map((part) => `${part}/`).join('')
  return {
    async put({ name, path: source, size, mediaType }) {
      const Body = streamOf(source)
      await client.send(new PutObjectCommand({ Bucket, Key: prefix + name, Body, ContentLength: size, ContentType: mediaType })) // prettier-ignore
    },
    async list() {
      const found: FoundFile[] = []
      let pages = 0
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix, Delimiter: '/' })) {
        if (found.length > maxListed || ++pages > maxPages) throw tooMany()
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          const name = Key.slice(prefix.length)
          if (name !== '' && !name.includes('/') && isVisible(name))
            found.push({ name, size: Size, modifiedAt: LastModified })
        }
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

function limited(body: Readable): Readable {
  let size = 0
  const limit = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length
      done(size > maxAnswer ? new Error(`the answer has more than ${maxAnswer} bytes`) : null, piece)
    },
  })
  return pipeline(body, limit, () => {})
}
