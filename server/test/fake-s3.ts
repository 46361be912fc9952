/**
 * A fake S3 server for tests: one bucket in memory, with the few calls that our store makes. It refuses what a real server would
 * refuse: another bucket, a missing signature, a part out of order, an unknown call.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface FakeS3 {
  readonly url: string
  put(key: string, text: string): void
  keys(): string[]
  /** Never answers the next such call; resolves when it has arrived. */
  stopAt(match: (call: { method: string; key: string; isList: boolean }) => boolean): Promise<void>
  close(): Promise<void>
}

interface Objects {
  readonly stored: Map<string, { body: Buffer; at: Date }>
  /** Whether it copies objects and parts; not all servers do. */
  readonly copies: boolean
  /** The number of multipart uploads so far. */
  begun: number
  readonly uploads: Map<string, { key: string; at: Date; parts: Map<number, Buffer> }>
}

export async function startFakeS3({ copies = true } = {}): Promise<FakeS3> {
  const objects: Objects = { copies, stored: new Map(), begun: 0, uploads: new Map() }
  let stop: ((request: IncomingMessage) => boolean) | undefined
  const server = createServer((request, response) => {
    if (stop?.(request)) return void (stop = undefined)
    answer(objects, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: () => [...objects.stored.keys()],
    stopAt: (match) =>
      new Promise((resolve) => {
        stop = ({ method = '', url = '' }) => {
          const { pathname, searchParams } = new URL(url, 'http://fake')
          const key = pathname.split('/').slice(2).join('/')
          const isStopped = match({ method, key, isList: searchParams.has('list-type') })
          if (isStopped) resolve()
          return isStopped
        }
      }),
    put: (key, text) => void objects.stored.set(key, { body: Buffer.from(text), at: new Date() }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(objects: Objects, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, 'http://fake')
  const [, bucket, ...rest] = url.pathname.split('/')
  const key = decodeURIComponent(rest.join('/'))
  const body = await buffer(request)
  const signed =
    request.headers.authorization?.startsWith('AWS4-HMAC-SHA256') || url.searchParams.has('X-Amz-Signature')
  if (!signed) return refuse(response, 403, 'AccessDenied')
  if (bucket !== 'bucket') return refuse(response, 404, 'NoSuchBucket')
  if (request.headers['x-amz-copy-source'] && !objects.copies) return refuse(response, 501, 'NotImplemented')
  const call = calls.find(
    ({ method, has }) => method === request.method && has.every((name) => url.searchParams.has(name)),
  )
  if (!call) return refuse(response, 501, 'NotImplemented')
  call.run({ objects, key, body, url, request, response })
}

interface Call {
  readonly objects: Objects
  readonly key: string
  readonly body: Buffer
  readonly url: URL
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const etag = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
const xml = (response: ServerResponse, text: string) =>
  void response.setHeader('content-type', 'application/xml').end(`<?xml version="1.0"?>${text}`)
const refuse = (response: ServerResponse, status: number, code: string) => {
  response.statusCode = status
  xml(response, `<Error><Code>${code}</Code></Error>`)
}

// prettier-ignore
const calls: { method: string; has: string[]; run: (call: Call) => void }[] = [
  { method: 'POST',   has: ['uploads'],               run: startParts },
  { method: 'POST',   has: ['uploadId'],              run: joinParts },
  { method: 'PUT',    has: ['uploadId', 'partNumber'], run: putPart },
  { method: 'DELETE', has: ['uploadId'],              run: dropParts },
  { method: 'GET',    has: ['list-type'],             run: list },
  { method: 'GET',    has: ['uploads'],               run: listUploads },
  { method: 'PUT',    has: [],                        run: put },
  { method: 'GET',    has: [],                        run: get },
  { method: 'HEAD',   has: [],                        run: get },
  { method: 'DELETE', has: [],                        run: remove },
]

function put({ objects, key, body, request, response }: Call): void {
  const copied = copySource(objects, request)
  if (copied === 'missing') return refuse(response, 404, 'NoSuchKey')
  objects.stored.set(key, { body: copied ?? body, at: new Date() })
  response.setHeader('etag', etag(copied ?? body))
  if (copied) xml(response, `<CopyObjectResult><ETag>${etag(copied)}</ETag></CopyObjectResult>`)
  else response.end()
}

/** The source bytes of a copy request. */
function copySource({ stored }: Objects, { headers }: IncomingMessage): Buffer | 'missing' | undefined {
  const source = headers['x-amz-copy-source']
  if (source === undefined) return undefined
  const found = stored.get(decodeURIComponent(String(source)).split('/').slice(1).join('/'))
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(headers['x-amz-copy-source-range'])) ?? []
  if (!found) return 'missing'
  return first === undefined ? found.body : found.body.subarray(Number(first), Number(last) + 1)
}

function get({ objects, key, url, request, response }: Call): void {
  const found = objects.stored.get(key)
  if (!found) {
    response.statusCode = 404
    return request.method === 'HEAD' ? void response.end() : refuse(response, 404, 'NoSuchKey')
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const part = first === undefined ? found.body : found.body.subarray(Number(first), Number(last) + 1)
  response.statusCode = first === undefined ? 200 : 206
  response.setHeader('etag', etag(found.body)).setHeader('content-length', part.length)
  for (const name of ['content-type', 'content-disposition']) {
    const asked = url.searchParams.get(`response-${name}`)
    if (asked) response.setHeader(name, asked)
  }
  response.end(request.method === 'HEAD' ? undefined : part)
}

function remove({ objects, key, response }: Call): void {
  objects.stored.delete(key)
  response.statusCode = 204
  response.end()
}

function startParts({ objects, key, response }: Call): void {
  const id = String(++objects.begun)
  objects.uploads.set(id, { key, at: new Date(), parts: new Map() })
  xml(response, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
}

function putPart({ objects, url, body, request, response }: Call): void {
  const parts = objects.uploads.get(url.searchParams.get('uploadId')!)?.parts
  const copied = copySource(objects, request)
  if (!parts) return refuse(response, 404, 'NoSuchUpload')
  if (copied === 'missing') return refuse(response, 404, 'NoSuchKey')
  parts.set(Number(url.searchParams.get('partNumber')), copied ?? body)
  response.setHeader('etag', etag(copied ?? body))
  if (copied) xml(response, `<CopyPartResult><ETag>${etag(copied)}</ETag></CopyPartResult>`)
  else response.end()
}

function joinParts({ objects, key, url, body, response }: Call): void {
  const id = url.searchParams.get('uploadId')!
  const parts = objects.uploads.get(id)?.parts
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number))
  if (!parts || named.some((number, i) => number !== i + 1 || !parts.has(number))) {
    return refuse(response, 400, 'InvalidPart')
  }
  const small = named.slice(0, -1).some((number) => parts.get(number)!.length < 5 * 1024 * 1024)
  if (small) return refuse(response, 400, 'EntityTooSmall')
  const whole = Buffer.concat(named.map((number) => parts.get(number)!))
  objects.stored.set(key, { body: whole, at: new Date() })
  objects.uploads.delete(id)
  xml(response, `<CompleteMultipartUploadResult><ETag>${etag(whole)}</ETag></CompleteMultipartUploadResult>`)
}

function dropParts({ objects, url, response }: Call): void {
  objects.uploads.delete(url.searchParams.get('uploadId')!)
  response.statusCode = 204
  response.end()
}

/** Two keys per page, so that paging is tested. */
function list({ objects, url, response }: Call): void {
  const prefix = url.searchParams.get('prefix') ?? ''
  const after = url.searchParams.get('continuation-token') ?? ''
  const keys = [...objects.stored.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, 2)
  const contents = page.map((key) => {
    const { body, at } = objects.stored.get(key)!
    return `<Contents><Key>${key}</Key><Size>${body.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`
  })
  const more = keys.length > page.length
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  xml(response, `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`)
}

/** One upload per page. */
function listUploads({ objects, url, response }: Call): void {
  const prefix = url.searchParams.get('prefix') ?? ''
  const after = Number(url.searchParams.get('upload-id-marker') ?? 0)
  const found = [...objects.uploads].filter(([id, { key }]) => key.startsWith(prefix) && Number(id) > after)
  const [first] = found
  const page =
    first &&
    `<Upload><Key>${first[1].key}</Key><UploadId>${first[0]}</UploadId><Initiated>${first[1].at.toISOString()}</Initiated></Upload>
    <NextKeyMarker>${first[1].key}</NextKeyMarker><NextUploadIdMarker>${first[0]}</NextUploadIdMarker>`
  const more = found.length > 1
  xml(
    response,
    `<ListMultipartUploadsResult><IsTruncated>${more}</IsTruncated>${page ?? ''}</ListMultipartUploadsResult>`,
  )
}
