/** A TCP proxy between the server and PostgreSQL that cuts, delays and swallows. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from './random.ts'

export interface Line {
  /** Milliseconds by which every packet is late. */
  delay: number
  /**
   * The most milliseconds by which a connection is late in one direction. Each draws its own, so what is sent first on one
   * connection arrives after what is sent later on another.
   */
  disorder: number
  /** Packets of existing and new connections get lost, without an error. */
  swallows: boolean
  /** Chooses commits whose reply is lost: PostgreSQL gets the commit, and then the connection is cut. */
  losesCommit: () => boolean
  /** New connections are refused. */
  refuses: boolean
  /** The port of PostgreSQL, for new connections. */
  target: number
  /** How many connections are open. */
  open(): number
  /** Cuts the connections for which `chooses` is true, in the middle of what they do. */
  cut(chooses?: () => boolean): void
  /** The same address, by way of this proxy. */
  through(url: string): string
  close(): Promise<void>
}

export async function openLine(port: number): Promise<Line> {
  const pairs = new Set<readonly [Socket, Socket]>()
  // Without noDelay each statement would wait 40 milliseconds for the confirmation of its first packet.
  const server = createServer({ noDelay: true }, (near) => {
    if (line.refuses) return void near.destroy()
    const far = connect({ port: line.target, host: '127.0.0.1', noDelay: true })
    const pair = [near, far] as const
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    let isLast = false
    near.on('data', (bytes) => {
      isLast ||= bytes.includes('commit\0') && line.losesCommit()
      pass(far, bytes)
    })
    far.on('data', (bytes) => (isLast ? end() : pass(near, bytes)))
  })
  /** Packets on their way. Later ones wait for them, also when there is no delay any more. */
  const late = new WeakMap<Socket, Promise<void>>()
  const random = createRandom(port)
  const shares = new WeakMap<Socket, number>()
  const delayOf = (to: Socket) => {
    if (line.disorder === 0) return line.delay
    if (!shares.has(to)) shares.set(to, random.below(100) / 100)
    return line.delay + line.disorder * shares.get(to)!
  }
  const pass = (to: Socket, bytes: Buffer) => {
    if (line.swallows) return
    const before = late.get(to)
    const delay = delayOf(to)
    if (delay === 0 && !before) return void to.write(bytes)
    const send = async (wait: Promise<void>) => {
      await before
      await wait
      if (!to.destroyed) to.write(bytes)
      if (late.get(to) === sent) late.delete(to)
    }
    const sent = send(pause(delay))
    late.set(to, sent)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const line: Line = {
    target: port,
    delay: 0,
    disorder: 0,
    swallows: false,
    refuses: false,
    losesCommit: () => false,
    open: () => pairs.size,
    cut(chooses = () => true) {
      for (const [near, far] of pairs) {
        if (!chooses()) continue
        near.destroy()
        far.destroy()
      }
    },
    through(url) {
      const own = new URL(url)
      own.port = String((server.address() as AddressInfo).port)
      return own.href
    },
    async close() {
      line.cut()
      server.close()
    },
  }
  return line
}
