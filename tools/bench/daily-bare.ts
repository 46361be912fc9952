/** Starts bare-server.ts on the PostgreSQL of a server, with a thousand products. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ask, asker } from './daily-client.ts'
import type { BenchServer } from './server.ts'
import { wideProduct } from './wide-products.ts'

export interface Bare {
  readonly pid: number
  readonly url: string
  readonly ask: Ask
  stop(): Promise<void>
}

export async function startBare(server: BenchServer): Promise<Bare> {
  const socket = (await readFile(join(server.data, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[4]!
  const child = spawn('node', [join(import.meta.dirname, 'bare-server.ts'), socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${String(port).trim()}`
  const ask = asker(url, {})
  await ask(
    '/create',
    Array.from({ length: 1000 }, (_, i) => wideProduct(i)),
  )
  return {
    pid: child.pid!,
    url,
    ask,
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}
