/**
 * POST /common/transform: converts an envelope from one format to another, at any length, in constant memory.
 *
 * The message is first read completely into a temporary file and validated, so that a fault at the last byte is still a
 * proper 400 and the shell (attributes and meta, which JSON may send last and XML must send first) is known. Then it is
 * read again and written item by item. A short message stays in memory.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { BadMessage, type Format, Pim } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/batch/batch.ts'
import { bodyOf, hasBody, limitsOf, toProblem } from '../../core/http/message.ts'
import { bodyFormat, replyFormat } from '../../core/http/negotiate.ts'
import { Problem } from '../../errors.ts'

const inMemory = 1024 * 1024
const pieceLength = 64 * 1024

export function mountTransform(app: FastifyInstance, services: Services, path: string): void {
  app.post(path, { config: { access: 'user', refusal: 'unauthorized', longBody: true, query: {} } }, (request, reply) =>
    transform(services, request, reply),
  )
}

async function transform(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const target = replyFormat(request)
  if (!hasBody(request)) throw new Problem('invalid', '/pim: the body is missing')
  const source = bodyFormat(request)
  const message = await spool(services, request)
  try {
    const shell = await judge(services, source, message)
    const pieces = Readable.from(convert(services, source, message, target, shell), { objectMode: false })
    return reply.type(target.contentType).send(pieces.once('close', message.forget))
  } catch (error) {
    message.forget()
    throw error instanceof BadMessage ? toProblem(error) : error
  }
}

/** A message that is stored to be read again. */
interface Spooled {
  read(): AsyncIterable<Buffer> | Iterable<Buffer>
  forget(): void
}

/** Stores the body: in memory while it is short, then in a file. */
async function spool({ config }: Services, request: FastifyRequest): Promise<Spooled> {
  const body = bodyOf(request, config.maxBulkBody)
  const chunks: Buffer[] = []
  for (let length = 0; length <= inMemory;) {
    const { done, value } = await body.next()
    if (done) return { read: () => chunks, forget: () => {} }
    chunks.push(value)
    length += value.length
  }
  return spoolToFile(join(config.data, 'tmp'), chunks, body)
}

/** The file is unlinked as soon as it is open, so that nothing is left behind if the process dies. */
async function spoolToFile(folder: string, begun: readonly Buffer[], rest: AsyncIterable<Buffer>): Promise<Spooled> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `transform-${randomUUID()}`)
  const handle = await open(file, 'wx+', 0o600)
  const forget = () => void handle.close()
  try {
    await rm(file)
    await handle.writeFile(joined(begun, rest))
  } catch (error) {
    forget()
    throw error
  }
  return { read: () => handle.createReadStream({ start: 0, highWaterMark: pieceLength, autoClose: false }), forget }
}

async function* joined(begun: readonly Buffer[], rest: AsyncIterable<Buffer>) {
  yield* begun
  yield* rest
}

type Source = ReturnType<typeof bodyFormat>

/** Reads everything once to find faults and the shell. */
async function judge({ config }: Services, { format, charset }: Source, message: Spooled): Promise<object> {
  const reader = format.codec.reader(Pim, { limits: limitsOf(config), charset, sink: () => {} })
  for await (const chunk of message.read()) reader.write(chunk)
  return reader.end()
}

async function* convert(
  { config }: Services,
  { format, charset }: Source,
  message: Spooled,
  target: Format,
  shell: object,
) {
  const writer = target.codec.writer(Pim)
  let piece = writer.start(shell)
  const sink = (container: string, item: object) => {
    piece += writer.item(container, item)
  }
  const reader = format.codec.reader(Pim, { limits: limitsOf(config), charset, sink })
  for await (const chunk of message.read()) {
    reader.write(chunk)
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  reader.end()
  yield piece + writer.end()
}
