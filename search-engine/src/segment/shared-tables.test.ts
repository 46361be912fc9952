/** Derived tables are built once for all threads, or per thread if there is no space. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { sharedTablesIn } from './shared-tables.ts'

const sections = 3
const start = 16
/** With space for this many numbers. */
const bufferFor = (numbers: number) => new SharedArrayBuffer(start + (1 + sections * 3 + numbers) * 4)
const never = () => {
  throw new Error('was built again')
}

test('a table is shared, and tables of other sections are stored behind it', () => {
  const buffer = bufferFor(10)
  const [one, another] = [sharedTablesIn(buffer, start, sections), sharedTablesIn(buffer, start, sections)]
  expect(one(1, () => Uint32Array.of(4, 5, 6))).toEqual(Uint32Array.of(4, 5, 6))
  expect(another(0, () => Uint32Array.of(7))).toEqual(Uint32Array.of(7))
  expect([another(1, never), one(0, never)]).toEqual([Uint32Array.of(4, 5, 6), Uint32Array.of(7)])
  expect(another(1, never).buffer).toBe(buffer)
  expect(new Uint8Array(buffer, 0, start)).toEqual(new Uint8Array(start))
})

test('a table that does not fit is built by each caller', () => {
  const sharedTable = sharedTablesIn(bufferFor(2), start, sections)
  const large = () => Uint32Array.of(1, 2, 3)
  expect([sharedTable(0, large), sharedTable(0, large)]).toEqual([large(), large()])
  const without = sharedTablesIn(new SharedArrayBuffer(start), start, sections)
  expect([without(2, large), without(2, large)]).toEqual([large(), large()])
})

test('a failed build is retried', () => {
  const sharedTable = sharedTablesIn(bufferFor(2), start, sections)
  expect(() => sharedTable(0, never)).toThrow('was built again')
  expect(sharedTable(0, () => Uint32Array.of(9))).toEqual(Uint32Array.of(9))
})

test('a caller waits while another thread builds the table', async () => {
  const buffer = bufferFor(4)
  const other = new Worker(
    `const { parentPort, workerData: { module, buffer, start, sections } } = require('node:worker_threads')
    import(module).then(({ sharedTablesIn }) => sharedTablesIn(buffer, start, sections)(2, () => {
      parentPort.postMessage('begun')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      return Uint32Array.of(1, 2, 3, 4)
    }))`,
    {
      eval: true,
      workerData: { module: new URL('./shared-tables.ts', import.meta.url).href, buffer, start, sections },
    },
  )
  await once(other, 'message')
  expect(sharedTablesIn(buffer, start, sections)(2, never)).toEqual(Uint32Array.of(1, 2, 3, 4))
  await other.terminate()
})
