/**
 * Ends the connections of a server that stops: idle ones at once, the others after their reply, and after a timeout all.
 *
 * Node's `closeIdleConnections`, which its `close` calls, also closes a connection whose reply is complete but not sent yet.
 * A slow client would lose the end of its reply. So it is replaced here by one that knows which requests are in flight.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Call it when a reply has been sent. */
  replied(socket: Socket): void
}

export function watchConnections(server: Server, inFlightOn: (socket: Socket) => number): Connections {
  /** Bytes read until the last reply. If there are more, a request is arriving. */
  const open = new Map<Socket, number>()
  server.on('connection', (socket) => {
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  })
  server.closeIdleConnections = () => {
    for (const [socket, read] of open) if (inFlightOn(socket) === 0 && socket.bytesRead === read) socket.destroy()
  }
  return {
    replied(socket) {
      if (!open.has(socket)) return // it has been closed, or is not a real one
      open.set(socket, socket.bytesRead)
      if (!server.listening) server.closeIdleConnections()
    },
  }
}
