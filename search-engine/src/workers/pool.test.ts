/** Workers that die, hang or are overloaded. */
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { createPool, SearchBusy, TaskFailed, type Pool, type PoolOptions } from './pool.ts'

/** Replies with the thread ID; some tasks end or block the thread, once or always. */
const program = `
  const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', ({ id, task, lives }) => {
    if (task === 'die' && Atomics.sub(lives, 0, 1) > 0) process.exit(1)
    if (task === 'throw') return parentPort.postMessage({ id, error: new RangeError('no such field') })
    if (task === 'hang') for (;;);
    if (task === 'wait') return Atomics.wait(lives, 0, 1), parentPort.postMessage({ id, answer: threadId })
    parentPort.postMessage({ id, answer: threadId })
  })`

interface Task {
  readonly task: 'die' | 'throw' | 'hang' | 'wait' | 'work'
  readonly lives?: Int32Array
}
const counter = (value: number) => new Int32Array(new SharedArrayBuffer(4)).fill(value)
const opened: Pool<Task>[] = []
function open(options: Partial<PoolOptions<Task>> = {}): Pool<Task> {
  const pool = createPool<Task>({
    size: 2,
    maxWaiting: 10,
    onFailure: () => {},
    start: () => ({ worker: new Worker(program, { eval: true }), messageOf: (task) => task ?? {} }),
    ...options,
  })
  opened.push(pool)
  return pool
}
afterEach(() => Promise.all(opened.splice(0).map((pool) => pool.close())))

test('tasks are distributed over threads that are started on demand', async () => {
  const pool = open()
  const first = await pool.run({ task: 'work' })
  expect(await pool.run({ task: 'work' })).toBe(first)
  const answers = await Promise.all(Array.from({ length: 8 }, () => pool.run({ task: 'work' })))
  expect(new Set(answers).size).toBe(2)
})
test('an error of a task reaches the caller, and the thread continues', async () => {
  const pool = open({ size: 1 })
  const thread = await pool.run({ task: 'work' })
  await expect(pool.run({ task: 'throw' })).rejects.toThrow(new RangeError('no such field'))
  expect(await pool.run({ task: 'work' })).toBe(thread)
})
test('if a thread dies, another does its tasks, including waiting ones', async () => {
  const pool = open({ size: 1 })
  const thread = await pool.run({ task: 'work' })
  const answers = await Promise.all([pool.run({ task: 'die', lives: counter(1) }), pool.run({ task: 'work' })])
  expect(answers[0]).toBe(answers[1])
  expect(answers[0]).not.toBe(thread)
})
test('a task that keeps killing threads fails, and the others are done', async () => {
  const pool = open({ size: 1 })
  const deadly = pool.run({ task: 'die', lives: counter(9) })
  const others = Promise.all([pool.run({ task: 'work' }), pool.run({ task: 'work' })])
  await expect(deadly).rejects.toThrow(TaskFailed)
  expect(await others).toHaveLength(2)
})
test('a task that takes too long is terminated, and the next is done', async () => {
  const pool = open({ size: 1, maxTime: 3000 })
  const hanging = pool.run({ task: 'hang' })
  const next = pool.run({ task: 'work' })
  await expect(hanging).rejects.toThrow('longer than 3000 ms')
  await next
})
test('if too many tasks are waiting, more are rejected at once', async () => {
  const pool = open({ size: 1, maxWaiting: 3 })
  const gate = counter(1)
  const waiting = Array.from({ length: 5 }, () => pool.run({ task: 'wait', lives: gate }))
  await expect(pool.run({ task: 'work' })).rejects.toThrow(SearchBusy)
  Atomics.store(gate, 0, 0)
  Atomics.notify(gate, 0)
  await Promise.all(waiting)
  await pool.run({ task: 'work' })
})
test('a task that waits too long for a thread is rejected, and those that run are done', async () => {
  const pool = open({ size: 1, maxWait: 50 })
  const gate = counter(1)
  const running = Array.from({ length: 2 }, () => pool.run({ task: 'wait', lives: gate }))
  await expect(pool.run({ task: 'work' })).rejects.toThrow(SearchBusy)
  Atomics.store(gate, 0, 0)
  Atomics.notify(gate, 0)
  await Promise.all(running)
  await pool.run({ task: 'work' })
})
test('closing ends the threads and rejects pending tasks', async () => {
  const pool = open({ size: 1 })
  const hanging = pool.run({ task: 'hang' })
  const refused = expect(hanging).rejects.toThrow(TaskFailed)
  await pool.close()
  await refused
  await expect(pool.run({ task: 'work' })).rejects.toThrow('closed')
})
