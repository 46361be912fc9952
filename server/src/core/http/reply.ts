/**
 * Replies: a value, or a stream of objects, in the negotiated format.
 *
 * Nothing is sent before the first chunk of a stream is full, so that an earlier failure still gets its proper status. A later
 * failure leaves a truncated body and a destroyed connection, never a clean end.
 */
import { Readable } from 'node:stream'
import { encode, type Format, formats, Pim, type Type } from '@kontor/contract'
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.ts'

const pieceLength = 64 * 1024

/** The `meta` items of every Core reply, plus those of the call. */
export function replyMeta(config: Config, more: Record<string, string> = {}) {
  const items = { messageType: 'request', messageTime: new Date().toISOString(), sourceEnv: config.sourceEnv, ...more }
  return { itm: Object.entries(items).map(([key, value]) => ({ value, key })) }
}

export function sendValue(reply: FastifyReply, format: Format, root: Type, value: object): FastifyReply {
  return reply.type(format.contentType).send(encode(format, root, value))
}

/** A JSON list of objects of one type. */
export function sendList(reply: FastifyReply, type: Type, list: readonly object[]): FastifyReply {
  const { json } = formats
  return reply.type(json.contentType).send(`[${list.map((item) => encode(json, type, item)).join(',')}]`)
}

/** The tids of a query, streamed. */
export async function sendTids(
  reply: FastifyReply,
  format: Format,
  root: Type,
  pages: AsyncIterable<readonly string[]>,
): Promise<FastifyReply> {
  if (format !== formats.xml) return sendPieces(reply, formats.json, jsonOf(pages))
  return sendPieces(reply, format, xmlOf(root, pages))
}

/** Each page is written as a message of its own, of which the elements of the tids are sent. */
async function* xmlOf(root: Type, pages: AsyncIterable<readonly string[]>): AsyncGenerator<string, void> {
  const write = (tids: readonly string[]) => encode(formats.xml, root, { tids })
  const closing = '</tids>'
  let end: string | undefined
  for await (const page of pages) {
    if (page.length === 0) continue
    const text = write(page)
    const last = text.lastIndexOf(closing) + closing.length
    yield text.slice(end === undefined ? 0 : text.indexOf('<tids>'), last)
    end ??= text.slice(last)
  }
  yield end ?? write([])
}

async function* jsonOf(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string, void> {
  let separator = '{"tids":['
  for await (const page of pages) {
    if (page.length === 0) continue
    yield separator + JSON.stringify(page).slice(1, -1)
    separator = ','
  }
  yield separator === ',' ? ']}' : `${separator}]}`
}

/** The objects of a reply by container, each produced while it is sent. */
export type Contents = Readonly<Record<string, Iterable<object> | AsyncIterable<object>>>

export async function sendContents(
  reply: FastifyReply,
  format: Format,
  shell: object,
  contents: Contents,
): Promise<FastifyReply> {
  return sendPieces(reply, format, writePieces(format, shell, contents))
}

async function sendPieces(reply: FastifyReply, format: Format, pieces: AsyncGenerator<string, void>) {
  const first = await pieces.next()
  const second = first.done ? first : await pieces.next()
  reply.type(format.contentType)
  if (second.done) return reply.send(first.value ?? '')
  const rest = async function* () {
    yield first.value!
    yield second.value
    yield* pieces
  }
  return reply.send(Readable.from(rest(), { objectMode: false }))
}

async function* writePieces(format: Format, shell: object, contents: Contents): AsyncGenerator<string, void> {
  const writer = format.codec.writer(Pim)
  const containers = Object.fromEntries(Object.keys(contents).map((container) => [container, {}]))
  let piece = writer.start({ ...shell, ...containers })
  for (const [container, objects] of Object.entries(contents)) {
    for await (const object of objects) {
      piece += writer.item(container, object)
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
  }
  yield piece + writer.end()
}
