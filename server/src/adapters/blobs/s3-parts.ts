/**
 * Multipart objects of S3: from a large local file, or from other objects, which S3 copies by itself.
 *
 * A failure leaves no parts behind. Parts of a killed process stay until they are swept: no object list shows them, but they
 * use storage.
 */
import { open } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { Part } from './store.ts'

const MiB = 1024 * 1024
/** S3 accepts 10,000 parts of 5 MiB to 5 GiB. A part is in memory while it is sent, so it should not be too large. */
export const partSize = (size: number) => Math.max(16 * MiB, Math.ceil(size / 10_000))
/** The size of a copied part, and how many are copied at once. */
const [mostCopied, copiesAtOnce] = [1024 * MiB, 8]

export interface Place {
  readonly Bucket: string
  readonly Key: string
}
type SentPart = { PartNumber: number; ETag: string | undefined }

export async function writeParts(client: S3Client, at: Place, file: string, size: number): Promise<void> {
  const handle = await open(file)
  try {
    await inParts(client, at, async (upload) => {
      const sent: SentPart[] = []
      for (let start = 0, PartNumber = 1; start < size; start += partSize(size), PartNumber++) {
        const Body = Buffer.alloc(Math.min(partSize(size), size - start))
        await handle.read(Body, 0, Body.length, start)
        const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
        sent.push({ PartNumber, ETag })
      }
      return sent
    })
  } finally {
    await handle.close()
  }
}

/** Concatenates objects. Metadata that the uploader of a part set is not copied. */
export async function joinObjects(client: S3Client, parts: readonly (Part & Place)[], at: Place): Promise<void> {
  const filled = parts.filter(({ size }) => size > 0)
  const pieces = (filled.length > 0 ? filled : parts.slice(0, 1)).flatMap(cut)
  if (pieces.length === 1) {
    const { CopySource } = pieces[0]!
    await client.send(new CopyObjectCommand({ ...at, CopySource, MetadataDirective: 'REPLACE' }))
    return
  }
  await inParts(client, at, async (upload) => {
    const sent: SentPart[] = []
    for (let from = 0; from < pieces.length; from += copiesAtOnce) {
      const copied = pieces.slice(from, from + copiesAtOnce).map(async (piece, i) => {
        const PartNumber = from + i + 1
        const { CopyPartResult } = await client.send(new UploadPartCopyCommand({ ...upload, ...piece, PartNumber }))
        return { PartNumber, ETag: CopyPartResult?.ETag }
      })
      sent.push(...(await Promise.all(copied)))
    }
    return sent
  })
}

/** Splits into equal pieces, so that the last one is not too small. */
function cut({ Bucket, Key, size }: Part & Place): { CopySource: string; CopySourceRange?: string }[] {
  const CopySource = [Bucket, ...Key.split('/')].map(encodeURIComponent).join('/')
  const count = Math.ceil(size / mostCopied)
  if (count <= 1) return [{ CopySource }]
  const start = (piece: number) => Math.floor((size * piece) / count)
  return Array.from({ length: count }, (_, i) => ({
    CopySource,
    CopySourceRange: `bytes=${start(i)}-${start(i + 1) - 1}`,
  }))
}

async function inParts(
  client: S3Client,
  at: Place,
  send: (upload: Place & { UploadId: string }) => Promise<SentPart[]>,
) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at))
  const upload = { ...at, UploadId: UploadId! }
  try {
    const Parts = await send(upload)
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {}) // the first error is more useful
    throw error
  }
}

/** Aborts uploads that were started before then and never completed. */
export async function sweepParts(client: S3Client, Bucket: string, Prefix: string, before: Date): Promise<number> {
  let count = 0
  for (let after: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> = {}; ;) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...after }))
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated >= before) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
      count++
    }
    if (!page.IsTruncated) return count
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}
