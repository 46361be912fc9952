/**
 * The S3 servers of tests: always a fake one, and a real one if `KONTOR_TEST_S3` is set to s3://key:secret@bucket?endpoint=…;
 * its bucket is created if it is missing. `tools/s3-server.sh` starts one.
 */
import { randomUUID } from 'node:crypto'
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { test } from 'vitest'
import { startFakeS3 } from './fake-s3.ts'

export interface S3Place {
  /** A value for KONTOR_BLOBS with a prefix of its own. */
  readonly url: string
  /** Whether it is a real server and not our fake. */
  readonly isReal: boolean
  /** Starts a multipart upload and never finishes it, like a killed process. */
  begin(key: string): Promise<void>
  /** The place of a feed in this folder of its prefix. */
  feedPlace(folder: string): object
  put(key: string, content: string): Promise<void>
  keys(): Promise<string[]>
  close(): Promise<void>
}

const realServer = process.env.KONTOR_TEST_S3

/**
 * Whether every test server stores its files on the real S3 server (`npm run test:s3`). Tests that only make sense in a
 * folder use `inFolder`: they damage, age or count files on the local disk.
 */
export const onS3 = realServer !== undefined && process.env.KONTOR_TEST_FILES === 's3'
export const inFolder = test.skipIf(onS3)

/** The setting of a test server for its file store. */
export async function placeOfFiles(): Promise<{ KONTOR_BLOBS?: string }> {
  // Signed URLs are ours then, as with a folder; those of S3 have tests of their own.
  return onS3 ? { KONTOR_BLOBS: `${(await openReal(realServer!)).url}&public=none` } : {}
}

export const s3Servers: [string, () => Promise<S3Place>][] = [
  ['a fake S3', openFake],
  ...(realServer ? [['an S3 server', () => openReal(realServer)] as [string, () => Promise<S3Place>]] : []),
]

async function openFake(): Promise<S3Place> {
  const { url, close } = await startFakeS3()
  return placeIn(new URL(`s3://test:testtest@bucket/kontor?endpoint=${encodeURIComponent(url)}`), false, close)
}

/** Every caller gets another prefix of the bucket. */
async function openReal(server: string): Promise<S3Place> {
  const address = new URL(server)
  const client = clientOf(address)
  await client.send(new CreateBucketCommand({ Bucket: address.hostname })).catch((error: Error) => {
    if (!/BucketAlready/.test(error.name)) throw error
  })
  client.destroy()
  address.pathname = randomUUID()
  return placeIn(address, true)
}

function placeIn(address: URL, isReal: boolean, stop?: () => Promise<void>): S3Place {
  const client = clientOf(address)
  const [Bucket, prefix] = [address.hostname, address.pathname.slice(1)]
  return {
    url: address.href,
    isReal,
    begin: async (key) =>
      void (await client.send(new CreateMultipartUploadCommand({ Bucket, Key: `${prefix}/${key}` }))),
    feedPlace: (folder) => ({
      kind: 's3',
      bucket: Bucket,
      endpoint: address.searchParams.get('endpoint'),
      accessKey: address.username,
      secretKey: address.password,
      path: `${prefix}/${folder}`,
    }),
    put: async (key, Body) => void (await client.send(new PutObjectCommand({ Bucket, Key: `${prefix}/${key}`, Body }))),
    async keys() {
      const found: string[] = []
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: `${prefix}/` }))
        found.push(...Contents.map(({ Key }) => Key!.slice(prefix.length + 1)))
      return found.sort()
    },
    async close() {
      client.destroy()
      await stop?.()
    },
  }
}

const clientOf = ({ username, password, searchParams }: URL) =>
  new S3Client({
    region: 'us-east-1',
    endpoint: searchParams.get('endpoint')!,
    forcePathStyle: true,
    credentials: { accessKeyId: username, secretAccessKey: password },
  })
