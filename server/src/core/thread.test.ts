import { afterAll, expect, test } from 'vitest'
import type { TestCalls } from '../../test/thread-program.ts'
import { createThread } from './thread.ts'

const program = new URL('../../test/thread-program.ts', import.meta.url)
const thread = createThread<TestCalls>(program, 'the sum', 3000)
afterAll(() => thread.close())

test('calls are answered in their order, each with its own result or error', async () => {
  const replies = await Promise.allSettled([thread.call('double', 1), thread.call('fail'), thread.call('double', 3)])
  expect(replies).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: new TypeError('no') },
    { status: 'fulfilled', value: 6 },
  ])
})

test('a call that does not end is refused, the event loop is free meanwhile, and the next call gets a new thread', async () => {
  await thread.call('count')
  let ticks = 0
  const ticking = setInterval(() => ticks++, 10)
  const hanging = thread.call('hang')
  const next = thread.call('count')
  await expect(hanging).rejects.toThrow('the sum takes longer than 3 seconds; make it smaller')
  clearInterval(ticking)
  expect(ticks).toBeGreaterThan(3)
  expect(await next).toBe(1)
})

test('a thread that ends fails its call only', async () => {
  await expect(thread.call('end')).rejects.toThrow('the thread ended')
  expect(await thread.call('double', 2)).toBe(4)
})

test('a call whose thread cannot be started fails as unavailable', async () => {
  const other = createThread<TestCalls>(new URL('./missing.ts', program), 'the sum')
  await expect(other.call('count')).rejects.toMatchObject({ kind: 'unavailable', cause: expect.any(Error) })
  await other.close()
})

test('a closed thread takes no calls', async () => {
  const other = createThread<TestCalls>(program, 'the sum')
  await other.close()
  await expect(other.call('count')).rejects.toThrow('the server is stopping')
})

test('a thread that is closed while it starts fails its call', async () => {
  const other = createThread<TestCalls>(program, 'the sum')
  const starting = other.call('count')
  await Promise.resolve()
  await other.close()
  await expect(starting).rejects.toThrow('the thread ended')
})
