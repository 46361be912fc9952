import { execFile } from 'node:child_process'
import { constants, getPriority } from 'node:os'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { argon2Hasher } from './argon2.ts'
import { createHashProcess } from './hash-process.ts'

const started: { close(): void }[] = []
const create = () => {
  const made = createHashProcess()
  started.push(made)
  return made
}
afterEach(() => started.splice(0).forEach((one) => one.close()))

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('hashes and compares as the server itself would, in a process of the lowest priority', async () => {
  const hasher = create()
  expect(hasher.pid()).toBeUndefined()
  const hash = await hasher.hash('geschüttelt')
  expect(await argon2Hasher.verify(hash, 'geschüttelt')).toBe(true)
  expect(await hasher.verify(await argon2Hasher.hash('gerührt'), 'gerührt')).toBe(true)
  expect(await hasher.verify(hash, 'gerührt')).toBe(false)
  expect(getPriority(hasher.pid())).toBe(constants.priority.PRIORITY_LOW)
})

test('a process that is killed is replaced, and what it was asked is answered by the next one', async () => {
  const hasher = create()
  await hasher.hash('first')
  const pid = hasher.pid()!
  const asked = Array.from({ length: 5 }, () => hasher.hash('meanwhile'))
  process.kill(pid, 'SIGKILL')
  for (const hash of await Promise.all(asked)) expect(hash).toMatch(/^\$argon2id/)
  expect(hasher.pid()).not.toBe(pid)
})

test('what ends two processes is refused, and the next order is done', async () => {
  const hasher = create()
  const kill = async () => {
    const pid = await vi.waitUntil(() => hasher.pid())
    process.kill(pid, 'SIGKILL')
    await vi.waitUntil(() => hasher.pid() !== pid)
  }
  const asked = hasher.hash('unlucky').catch((error: Error) => error.message)
  await kill()
  await kill()
  expect(await asked).toBe('the process that works on passwords ended twice')
  expect(await hasher.hash('lucky')).toMatch(/^\$argon2id/)
})

test('a hash that is none is an error of that order alone', async () => {
  const hasher = create()
  const [bad, good] = await Promise.allSettled([hasher.verify('no hash', 'x'), hasher.hash('y')])
  expect(bad.status).toBe('rejected')
  expect(good.status).toBe('fulfilled')
})

test('closing ends the process at once and refuses what waits', async () => {
  const hasher = create()
  await hasher.hash('before')
  const pid = hasher.pid()!
  const asked = hasher.hash('too late').catch((error: Error) => error.message)
  hasher.close()
  expect(await asked).toBe('the server is stopping')
  await vi.waitUntil(() => !isRunning(pid))
})

test('a server that does nothing else ends, and takes the process along', async () => {
  const code = `
    import { createHashProcess } from '${new URL('./hash-process.ts', import.meta.url)}'
    const hasher = createHashProcess()
    await hasher.hash('x')
    console.log(hasher.pid())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  await vi.waitUntil(() => !isRunning(Number(stdout)), { timeout: 10_000 })
}, 30_000)
