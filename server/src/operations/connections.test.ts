import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { watchConnections } from './connections.ts'

const megabyte = 1024 * 1024
/** More than the operating system buffers for a client that does not read. */
const large = Buffer.alloc(64 * megabyte)

async function open() {
  const inFlight = new Map<Socket, number>()
  const server: Server = createServer((request, reply) => {
    const { socket } = request
    inFlight.set(socket, 1)
    reply.once('close', () => {
      inFlight.set(socket, 0)
      replied(socket)
    })
    reply.setHeader('content-length', large.length).end(large)
  })
  const { replied } = watchConnections(server, (socket) => inFlight.get(socket) ?? 0)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.closeAllConnections())
  const dial = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await Promise.all([once(socket, 'connect'), once(server, 'connection')])
    return socket
  }
  return { server, dial }
}

test('a server that stops sends the rest of a complete reply to a slow client, then closes the connection', async () => {
  const { server, dial } = await open()
  const idle = await dial()
  const slow = await dial()
  const begun = once(server, 'request')
  slow.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await begun
  const closed = new Promise((resolve) => server.close(resolve))
  idle.resume()
  await once(idle, 'close')
  let received = 0
  slow.on('data', (piece: Buffer) => (received += piece.length))
  await once(slow, 'close')
  expect(received).toBeGreaterThan(large.length)
  await closed
})

test('a request that is arriving when the server stops is answered', async () => {
  const { server, dial } = await open()
  const socket = await dial()
  socket.write('GET / HT')
  await expect.poll(() => new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n)))).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 200)) // until the server has read the bytes
  const closed = new Promise((resolve) => server.close(resolve))
  socket.write('TP/1.1\r\nhost: localhost\r\n\r\n')
  let received = 0
  socket.on('data', (piece: Buffer) => (received += piece.length))
  await once(socket, 'close')
  expect(received).toBeGreaterThan(large.length)
  await closed
})
