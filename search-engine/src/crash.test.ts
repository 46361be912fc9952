/** An index that is killed while it seals or rebuilds is consistent at the next start, and not older than its last seal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schema, stateAt } from './crash.child.ts'
import { openIndexes } from './index.ts'

const program = new URL('./crash.child.ts', import.meta.url).pathname

/** Runs the child until it has sealed a few times, then kills it; returns the last position it printed. */
async function runAndKill(folder: string, more: number): Promise<number> {
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  while (output.split('\n').length < 8) await once(child.stdout, 'data')
  await new Promise((resolve) => setTimeout(resolve, more))
  child.kill('SIGKILL')
  await once(child, 'close')
  return Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1))
}

test('after a kill at any moment the index matches its position', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-crash-'))
  try {
    for (let round = 0; round < 8; round++) {
      const printed = await runAndKill(folder, (round * 37) % 60)
      const indexes = await openIndexes({ folder, threads: 0 })
      const index = await indexes.open('TEST', schema)
      const { state, position } = index.status()
      expect(state).toBe('ready')
      expect(Number(position)).toBeGreaterThanOrEqual(printed)
      const wanted = [...stateAt(Number(position)).values()]
      const { hits } = await index.search({
        predicate: { kind: 'all' },
        sort: [{ field: 'price' }],
        offset: 0,
        limit: 100,
      })
      const prices = wanted.map(({ id, fields }) => ({ id, price: Number(fields.get('price')!.get('')![0]) }))
      expect(hits.map(({ id }) => id)).toEqual(prices.sort((a, b) => a.price - b.price).map(({ id }) => id))
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
