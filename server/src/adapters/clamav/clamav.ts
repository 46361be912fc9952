/**
 * A virus scanner that speaks the protocol of ClamAV (clamd), over TCP or a Unix socket.
 *
 *   zINSTREAM\0  <length><bytes> <length><bytes> … <0>     ->  stream: OK | stream: <name> FOUND | <reason> ERROR
 *   zPING\0                                                ->  PONG
 *
 * Written here rather than taken from a library: it is one connection per file and three answers, and the known packages
 * also start programs and write files.
 */
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

export type Verdict =
  { readonly found: 'clean' } | { readonly found: 'infected'; readonly threat: string } | { readonly found: 'tooLarge' }

export interface Scanner {
  /** Rejects if the scanner does not answer. */
  check(): Promise<void>
  /** `open` is called once per attempt. Rejects with `ScannerAway` if there is no answer that can be trusted. */
  scan(open: () => Promise<AsyncIterable<Buffer>>): Promise<Verdict>
}

export class ScannerAway extends Error {}

interface ScannerOptions {
  /** `tcp://host:port` or `unix:/path`. */
  readonly address: string
  /** Seconds without any progress after which the scanner counts as away. */
  readonly seconds: number
}

const connectMs = 5000
/** clamd takes chunks of any length; larger ones only cost memory. */
const maxChunk = 64 * 1024
const maxReply = 4096
/** A scanner that is there but ends the connection this often while it receives a large file has reached its limit. */
const [cuts, large] = [3, 1024 * 1024]

export function createScanner({ address, seconds }: ScannerOptions): Scanner {
  const talk = <T>(work: (line: Line) => Promise<T>) => withLine(address, seconds * 1000, work)
  const ping = () =>
    talk(async (line) => {
      await line.write(Buffer.from('zPING\0'))
      const reply = await line.reply()
      if (reply !== 'PONG') throw new ScannerAway(`unexpected answer to PING: ${reply.slice(0, 100)}`)
    })
  const attempt = async (open: () => Promise<AsyncIterable<Buffer>>) =>
    talk(async (line) => {
      await line.write(Buffer.from('zINSTREAM\0'))
      const isWhole = await sendAll(line, await open())
      const verdict = verdictOf(await line.reply())
      if (verdict.found === 'clean' && !isWhole) throw new ScannerAway('it answered before it had the whole file')
      return verdict
    })
  return {
    check: ping,
    async scan(open) {
      for (let count = 1; ; count++) {
        let sent = 0
        const counted = async function* () {
          for await (const piece of await open()) {
            sent += piece.length
            yield piece
          }
        }
        try {
          return await attempt(async () => counted())
        } catch (error) {
          if (!(error instanceof Cut)) throw error
          await ping()
          // Where the answer about the limit is lost with the connection, a scanner that is well never takes the file.
          if (count === cuts && sent > large) return { found: 'tooLarge' }
          if (count === cuts) throw error
        }
      }
    },
  }
}

/** The connection ended before there was an answer. */
class Cut extends ScannerAway {}

interface Line {
  write(bytes: Buffer): Promise<void>
  /** Whether the scanner has answered already. */
  hasReply(): boolean
  reply(): Promise<string>
}

/** False if the scanner answered before the end. */
async function sendAll(line: Line, pieces: AsyncIterable<Buffer>): Promise<boolean> {
  const length = Buffer.alloc(4)
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += maxChunk) {
      const part = piece.subarray(at, at + maxChunk)
      length.writeUInt32BE(part.length)
      // Copied, because the piece is reused while the socket may still queue it.
      await line.write(Buffer.concat([length, part]))
      await turn() // lets an answer arrive before the connection that it ends
      if (line.hasReply()) return false
    }
  }
  await line.write(Buffer.alloc(4))
  return true
}

/** The answers of clamd, and nothing else: an answer that is not understood never means that a file is clean. */
function verdictOf(reply: string): Verdict {
  if (reply === 'stream: OK') return { found: 'clean' }
  const [, threat] = /^stream: (.+) FOUND$/.exec(reply) ?? []
  if (threat !== undefined) return { found: 'infected', threat: threat.slice(0, 200) }
  if (/^INSTREAM size limit exceeded\. ERROR$/.test(reply)) return { found: 'tooLarge' }
  throw new ScannerAway(`unexpected answer: ${reply.slice(0, 100)}`)
}

function open(address: string): Socket {
  if (address.startsWith('unix:')) return connect({ path: address.slice('unix:'.length) })
  const { hostname, port } = new URL(address)
  return connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
}

async function withLine<T>(address: string, ms: number, work: (line: Line) => Promise<T>): Promise<T> {
  const socket = open(address)
  const ended = Promise.withResolvers<string>()
  ended.promise.catch(() => {}) // reported where it is awaited
  let text = ''
  let isConnected = false
  const fail = (why: string) => ended.reject(isConnected ? new Cut(why) : new ScannerAway(why))
  socket.setTimeout(connectMs, () => {
    ended.reject(new ScannerAway('no answer in time'))
    socket.destroy()
  })
  socket
    .on('connect', () => {
      isConnected = true
      socket.setTimeout(ms)
    })
    .on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      const end = text.indexOf('\0')
      if (end >= 0) ended.resolve(text.slice(0, end))
      else if (text.length > maxReply) ended.reject(new ScannerAway('an answer without an end'))
    })
    .on('error', (error) => fail(error.message))
    .on('close', () => fail('the connection was closed'))
  const line: Line = {
    write: (bytes) =>
      Promise.race([
        new Promise<void>((resolve) => socket.write(bytes, (error) => (error ? undefined : resolve()))),
        ended.promise.then(() => undefined),
      ]),
    hasReply: () => text.includes('\0'),
    reply: () => ended.promise,
  }
  try {
    return await work(line)
  } finally {
    socket.destroy()
  }
}
