/** A connection on which a test writes raw HTTP, for requests that a proper client would not send. */
import { connect } from 'node:net'

export interface Connection {
  /** Sends the head of a request; the blank line at its end is added. */
  head(...lines: string[]): void
  write(text: string): void
  /** The bytes that the server has sent so far. */
  received(): string
  /** Whether the server has closed the connection. */
  ended(): boolean
  destroy(): void
}

export async function openConnection(address: string): Promise<Connection> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let received = ''
  let ended = false
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  socket.on('error', () => {}).on('close', () => (ended = true))
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    head: (...lines) => void socket.write(`${[...lines, 'host: localhost'].join('\r\n')}\r\n\r\n`),
    write: (text) => void socket.write(text),
    received: () => received,
    ended: () => ended,
    destroy: () => void socket.destroy(),
  }
}
