/** Tasks in a separate process. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createPool } from './pool.ts'
import { startProcess } from './start-worker.ts'
import type { TaskMessage } from './thread-workers.ts'

const open = () =>
  createPool<Pick<TaskMessage, 'task' | 'args'>>({
    size: 1,
    maxWaiting: 10,
    onFailure: () => {},
    start: () => ({
      worker: startProcess(new URL('./worker-main.ts', import.meta.url), { niceness: 10 }),
      messageOf: (task) => ({ views: [], hidden: [], args: [], ...task }),
    }),
  })

test('a process does tasks like a thread, reports errors, and is replaced if it dies', async () => {
  const processes = open()
  try {
    expect(await processes.run({ task: 'learn', args: [[]] })).toEqual(new Map())
    await expect(processes.run({ task: 'complete', args: ['nothing', '/nowhere'] })).rejects.toThrow('begin again')
    await processes.stopIdle()
    expect(await processes.run({ task: 'learn', args: [[]] })).toEqual(new Map())
  } finally {
    await processes.close()
  }
})

const groupOf = (pid: string) => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim()
const children = () =>
  readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'latin1').split(' ').filter(Boolean),
  )

test.runIf(existsSync('/proc/self/autogroup') && groupOf('self') !== '')(
  'a process lowers the priority of its own session, if autogroup is enabled, and of no other session',
  async () => {
    const ours = groupOf('self')
    const processes = open()
    try {
      await processes.run({ task: 'learn', args: [[]] })
      await expect.poll(() => children().map(groupOf)).toContainEqual(expect.stringMatching(/nice 10$/))
      expect(groupOf('self')).toBe(ours)
    } finally {
      await processes.close()
    }
  },
)

test('a process exits silently when its parent is gone', async () => {
  const file = new URL('./worker-main.ts', import.meta.url)
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const
  const child = fork(file, [JSON.stringify({ niceness: 0 })], { serialization: 'advanced', stdio: [...stdio] })
  const [output, ended] = [text(child.stderr!), once(child, 'exit')]
  for (let id = 0; id < 500; id++) child.send({ id, views: [], hidden: [], task: 'learn', args: [[]] }, () => {})
  child.disconnect()
  expect(await ended).toEqual([0, null])
  expect(await output).toBe('')
})
