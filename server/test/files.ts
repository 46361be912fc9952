/** For tests of the DAM: forms with files, pictures, directories and stored blobs. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { type Blobs, openBlobs } from '../src/adapters/blobs/blobs.ts'
import { diskStore } from '../src/adapters/blobs/disk.ts'
import { s3Store } from '../src/adapters/blobs/s3.ts'
import { sql } from '../src/adapters/postgres/sql.ts'
import { openZip } from '../src/transfers/read/zip.ts'
import type { Reply, TestServer } from './server.ts'

export const dam = '/api/core/v1/dam'

export interface Part {
  name: string
  value: string | Buffer
  type?: string
  fileName?: string
}

/** A multipart body and its Content-Type. */
export function form(...parts: Part[]): { body: Buffer; type: string } {
  const boundary = `form-${randomUUID()}`
  const bytes = parts.flatMap(({ name, value, type, fileName }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"`,
    type === undefined ? '\r\n\r\n' : `\r\nContent-Type: ${type}\r\n\r\n`,
    value,
    '\r\n',
  ])
  const body = Buffer.concat([...bytes, `--${boundary}--\r\n`].map((part) => Buffer.from(part)))
  return { body, type: `multipart/form-data; boundary=${boundary}` }
}

export const paramsPart = (params: object): Part => ({
  name: 'params',
  value: JSON.stringify(params),
  type: 'application/json',
})
export const payloadPart = (value: string | Buffer, fileName = 'file.bin'): Part => ({
  name: 'payload',
  value,
  fileName,
  type: 'application/octet-stream',
})

export interface UploadOptions {
  fileName?: string
  to?: string
  token?: string | null
  accept?: string
  headers?: Record<string, string>
}

export function upload(
  api: TestServer,
  params: object,
  bytes: string | Buffer,
  { fileName, to = '/assets/bin/persist', ...options }: UploadOptions = {},
): Promise<Reply> {
  const { body, type } = form(paramsPart(params), payloadPart(bytes, fileName))
  return api.post(dam + to, body, { type, ...options })
}

/** Inserts directories, parents first: /MAM/boats. */
export async function makeDirs(api: TestServer, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    const [, rnc, ...names] = path.split('/')
    const parent = ['', rnc, ...names.slice(0, -1)].join('/').toLowerCase()
    await api.db.run(sql`
      insert into dam_entry (kind, tid, rnc_id, parent_id, name, name_key, path, path_key, created_by, modified_by)
      select 'dir', ${`tid of ${path}`}, r.id, d.id, ${names.at(-1)!}, ${names.at(-1)!.toLowerCase()}, ${path},
        ${path.toLowerCase()}, 'kim', 'kim'
      from rnc r left join dam_entry d on d.path_key = ${parent} where r.tid = ${rnc!}`)
  }
}

export const recordOf = ({ json }: Reply) => json.responses.response[0]

/** The paths of everything in the folder of blobs, and on S3 if that is used. */
export async function storedFiles({ config }: TestServer): Promise<string[]> {
  const root = join(config.data, 'blobs')
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  for (const folder of config.blobs ? ['sha256', 'uploads'] : [])
    for await (const { key } of s3Store(config.blobs!).list(folder)) found.push(key)
  return found
}

/** The blob store of a server, for tests that bypass the server. */
export const blobsOf = ({ config }: TestServer): Blobs => openBlobs(config.blobs, join(config.data, 'blobs'))

/** Replaces stored bytes, like a broken disk. */
export async function damage({ config }: TestServer, sha256: string, bytes: Uint8Array): Promise<void> {
  const root = join(config.data, 'blobs')
  const file = join(config.data, randomUUID())
  await writeFile(file, bytes)
  const store = config.blobs ? s3Store(config.blobs) : diskStore(root)
  await store.write(`sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`, file)
}

export const picture = (
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' = 'jpeg',
) =>
  sharp({ create: { width, height, channels: 3, background: '#0a84ff' } })
    .toFormat(format)
    .toBuffer()

/** A sound of a tenth of a second, as every browser plays it. */
export function wav(samples = 800): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples * 2, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22) // one channel
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples * 2, 40)
  const wave = Array.from({ length: samples }, (_, i) => Math.round(Math.sin(i / 3) * 16_000))
  return Buffer.concat([header, Buffer.from(Int16Array.from(wave).buffer)])
}

/** GET of bytes. */
export async function bytesOf(api: TestServer, url: string, headers: Record<string, string> = {}) {
  const reply = await api.app.http.inject({
    url: dam + url,
    headers: { authorization: `Bearer ${api.token}`, ...headers },
  })
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload }
}

/** The files in a zip. */
export async function unzip(bytes: Buffer): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-zip-'))
  await writeFile(join(folder, 'x.zip'), bytes)
  const zip = await openZip(join(folder, 'x.zip'))
  const files: Record<string, Buffer> = {}
  for (const name of zip.names) files[name] = await buffer(await zip.read(name))
  zip.close()
  await rm(folder, { recursive: true })
  return files
}
