/**
 * Bodies that nobody has read to their end, because the request was refused early.
 *
 * Bytes that stay in the connection would hold up the next request on it. If the connection were closed instead, the client
 * would be interrupted while it sends and might never see the reply. So the rest is read and discarded, within limits in
 * bytes and in time: after the reply, or before it if the connection ends with the reply. A client that sends more loses the
 * connection.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { hasBody } from '../core/http/message.ts'

interface Limits {
  readonly milliseconds: number
  readonly bytes: number
}
const limits: Limits = { milliseconds: 10_000, bytes: 64 * 1024 * 1024 }

export function discardUnread(app: FastifyInstance, within: Limits = limits): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return
    const { raw } = request
    // Not `finish`: then Node discards bodies that nobody has begun to read, without a limit and without events.
    reply.raw.once('prefinish', () => void discard(raw, within, () => raw.socket.destroy()))
  })
  app.addHook('onSend', async (request, reply) => {
    const closes = !reply.raw.shouldKeepAlive || reply.getHeader('connection') === 'close'
    if (closes && hasBody(request)) await discard(request.raw, within, () => request.raw.pause())
  })
}

/** Resolves when the body has ended, or when a limit is reached and `cut` was called. */
function discard(raw: IncomingMessage, { milliseconds, bytes }: Limits, cut: () => void): Promise<void> {
  return new Promise((resolve) => {
    if (raw.readableEnded || raw.destroyed) return resolve()
    let left = bytes
    const onData = (piece: Buffer) => (left -= piece.length) < 0 && end(cut)
    const timer = setTimeout(() => end(cut), milliseconds)
    const end = (then?: () => void) => {
      clearTimeout(timer)
      raw.off('data', onData).off('end', onEnd).off('close', onEnd)
      then?.()
      resolve()
    }
    const onEnd = () => end()
    raw.on('data', onData).on('end', onEnd).on('close', onEnd).resume()
  })
}
