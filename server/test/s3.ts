/**
 * The S3 servers that tests run on: a fake one always, a real one where `KONTOR_TEST_S3` names it as
 * s3://key:secret@bucket?endpoint=…; its bucket is made when it is missing. `tools/s3-server.sh` starts one.
 */
import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3'
import { test } from 'vitest'
import { startFakeS3 } from './fake-s3.ts'

export interface S3Place {
  /** As KONTOR_BLOBS takes it; nobody else uses what is below it. */
  readonly url: string
  /** Whether it is a server that others wrote. */
  readonly isReal: boolean
  /** Begins to write an object in parts and never goes on, as a process that dies. */
  begin(key: string): Promise<void>
  close(): Promise<void>
}

const realServer = process.env.KONTOR_TEST_S3

/**
 * Whether the files of every test server stand on the real one (`npm run test:s3`). What only makes sense in a folder
 * says so by `inFolder`: it damages, ages or counts files on the disk of this machine.
 */
export const onS3 = realServer !== undefined && process.env.KONTOR_TEST_FILES === 's3'
export const inFolder = test.skipIf(onS3)

/** The setting of a test server that says where its files are. */
export async function placeOfFiles(): Promise<{ KONTOR_BLOBS?: string }> {
  // Signed addresses are ours then, as in a folder; those of S3 have tests of their own.
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

/** Everybody who opens it has another part of its bucket. */
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
