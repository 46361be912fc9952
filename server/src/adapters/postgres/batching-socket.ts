/**
 * A socket that sends everything written in one turn of the event loop with one system call.
 *
 * The driver writes each statement by itself. A write costs more than most of our statements take to run, and pipelining
 * (`pipeline: true`) usually gives us several statements per turn. The driver accepts a socket of ours through its public
 * `stream` option. Over TLS it replaces the socket by one of its own, so each statement is written alone there.
 */
import { Socket } from 'node:net'

export function batchingSocket(): Socket {
  const socket = new Socket()
  let held = false
  // `connect()` of Node resets `write`, so it is replaced afterwards. The driver writes nothing before this event.
  socket.once('connect', () => {
    const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
    socket.write = (...args: unknown[]) => {
      if (!held) {
        held = true
        socket.cork()
        process.nextTick(() => {
          held = false
          socket.uncork()
        })
      }
      return write(...args)
    }
  })
  return socket
}
