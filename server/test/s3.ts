/**
 * The S3 servers that tests run on: a fake one always, a real one where `KONTOR_TEST_S3` names it as
 * s3://key:secret@bucket?endpoint=…; its bucket is made when it is missing. `tools/s3-server.sh` starts one.
 */
import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { startFakeS3 } from './fake-s3.ts'

export interface S3Place {
  /** As KONTOR_BLOBS takes it; nobody else uses what is below it. */
  readonly url: string
  /** Whether it is a server that others wrote. */
  readonly isReal: boolean
  close(): Promise<void>
}

const realServer = process.env.KONTOR_TEST_S3

export const s3Servers: [string, () => Promise<S3Place>][] = [
  ['a fake S3', openFake],
  ...(realServer ? [['an S3 server', () => openReal(new URL(realServer))] as [string, () => Promise<S3Place>]] : []),
]

async function openFake(): Promise<S3Place> {
  const { url, close } = await startFakeS3()
  return { url: `s3://test:testtest@bucket/kontor?endpoint=${encodeURIComponent(url)}`, isReal: false, close }
}

async function openReal(address: URL): Promise<S3Place> {
  const { hostname, username, password, searchParams } = address
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: searchParams.get('endpoint')!,
    forcePathStyle: true,
    credentials: { accessKeyId: username, secretAccessKey: password },
  })
  await client.send(new CreateBucketCommand({ Bucket: hostname })).catch((error: Error) => {
    if (!/BucketAlready/.test(error.name)) throw error
  })
  address.pathname = randomUUID()
  return { url: address.href, isReal: true, close: async () => client.destroy() }
}
