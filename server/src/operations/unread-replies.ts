/**
 * Closes connections whose client does not read its reply: it would keep a place and memory for nothing.
 *
 * Node reports a connection on which no byte has moved for some time, in either direction. That alone is no reason to
 * close it: the reply may still be in the making, as that of a long poll. It is one when bytes wait to be sent.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Options {
  /** How long a client may leave its reply unread. */
  readonly seconds: number
  /** How long a connection with a request in flight may be silent. */
  readonly silentSeconds: number
  readonly inFlightOn: (socket: Socket) => number
  readonly onCut: () => void
}

export function cutUnreadReplies(app: FastifyInstance, { seconds, silentSeconds, inFlightOn, onCut }: Options): void {
  const silent = new WeakMap<Socket, { readonly bytes: number; readonly since: number }>()
  app.server.setTimeout(seconds * 1000, (socket: Socket) => {
    const now = performance.now()
    const bytes = socket.bytesRead + socket.bytesWritten
    const before = silent.get(socket)
    const since = before?.bytes === bytes ? before.since : now - seconds * 1000
    silent.set(socket, { bytes, since })
    const isUnread = socket.writableLength > 0
    if (isUnread) {
      onCut()
      app.log.info({ address: socket.remoteAddress, bytes: socket.writableLength }, 'reply not read, connection closed')
    }
    if (isUnread || inFlightOn(socket) === 0 || now - since >= silentSeconds * 1000) socket.destroy()
    else socket.setTimeout(seconds * 1000)
  })
}
