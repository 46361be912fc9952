/**
 * A fake of clamd, the daemon of ClamAV: it takes INSTREAM and PING as strictly as the real one, finds the EICAR test string,
 * and misbehaves on request. `npm run test:clamav` runs the same tests with the real one.
 */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/** Harmless: the string that every scanner reports for tests. In two halves, so that this file is not reported. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

export type Mood = 'well' | 'slow' | 'cuts' | 'talks nonsense' | 'silent' | 'cuts at the limit' | 'answers early'
export interface FakeClamd {
  readonly url: string
  mood: Mood
  /** As StreamMaxLength. */
  maxBytes: number
  /** How many files were scanned. */
  scans: number
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startFakeClamd(): Promise<FakeClamd> {
  let server: Server | undefined
  let port = 0
  const sockets = new Set<Socket>()
  const fake: FakeClamd = {
    get url() {
      return `tcp://127.0.0.1:${port}`
    },
    mood: 'well',
    maxBytes: 1024 * 1024,
    scans: 0,
    async start() {
      server = createServer((socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket)).on('error', () => {})
        serve(socket, fake)
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as { port: number }).port
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server?.close(resolve))
    },
  }
  await fake.start()
  return fake
}

function serve(socket: Socket, fake: FakeClamd): void {
  let bytes = Buffer.alloc(0)
  let content = Buffer.alloc(0)
  let command = ''
  const answer = (text: string) => socket.end(`${text}\0`)
  socket.on('data', (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece])
    if (command === '') {
      const end = bytes.indexOf(0)
      if (end < 0) return
      command = bytes.subarray(0, end).toString()
      bytes = bytes.subarray(end + 1)
      if (command === 'zPING') return void answer('PONG')
      if (command !== 'zINSTREAM') return void answer('UNKNOWN COMMAND')
    }
    for (;;) {
      if (bytes.length < 4) return
      const length = bytes.readUInt32BE(0)
      if (length === 0) return finish()
      if (bytes.length < 4 + length) return
      content = Buffer.concat([content, bytes.subarray(4, 4 + length)])
      bytes = bytes.subarray(4 + length)
      if (fake.mood === 'cuts') return void socket.destroy()
      if (fake.mood === 'answers early') return void answer('stream: OK')
      if (content.length <= fake.maxBytes) continue
      if (fake.mood === 'cuts at the limit') return void socket.destroy()
      return void answer('INSTREAM size limit exceeded. ERROR')
    }
  })
  const finish = () => {
    if (fake.mood === 'silent') return
    fake.scans++
    if (fake.mood === 'talks nonsense') return void answer('stream: certainly OK')
    const found = content.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK'
    setTimeout(() => answer(found), fake.mood === 'slow' ? 300 : 0)
  }
}
