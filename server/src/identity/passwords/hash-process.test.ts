import { execFile } from 'node:child_process'
import { constants, getPriority } from 'node:os'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { createArgon2 } from './argon2.ts'
import { createHashProcess } from './hash-process.ts'

const argon2 = createArgon2()
const waitOptions = { timeout: 10_000 }
const started: { close(): void }[] = []
const create = () => {
  const hasher = createHashProcess()
  started.push(hasher)
  return hasher
}
afterEach(() => started.splice(0).forEach((one) => one.close()))

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('hashes, compares and judges passwords in a process of the lowest priority', async () => {
  const hasher = create()
  expect(hasher.pid()).toBeUndefined()
  const hash = await hasher.hash('geschüttelt')
  expect(await argon2.verify(hash, 'geschüttelt')).toBe(true)
  expect(await hasher.verify(await argon2.hash('gerührt'), 'gerührt')).toBe(true)
  expect(await hasher.verify(hash, 'gerührt')).toBe(false)
  expect(await hasher.isGuessable('Password2024!', [])).toBe(true)
  expect(await hasher.isGuessable('a quiet heron by the weir', [])).toBe(false)
  expect(getPriority(hasher.pid())).toBe(constants.priority.PRIORITY_LOW)
})

test('a killed process is replaced, and the new one answers the pending requests', async () => {
  const hasher = create()
  await hasher.hash('first')
  const pid = hasher.pid()!
  const pending = Array.from({ length: 5 }, () => hasher.hash('meanwhile'))
  process.kill(pid, 'SIGKILL')
  for (const hash of await Promise.all(pending)) expect(hash).toMatch(/^\$argon2id/)
  expect(hasher.pid()).not.toBe(pid)
})

test('a request that ends two processes is refused, and the next one is answered', async () => {
  const hasher = create()
  const kill = async () => {
    const pid = await vi.waitUntil(() => hasher.pid(), waitOptions)
    process.kill(pid, 'SIGKILL')
    await vi.waitUntil(() => hasher.pid() !== pid, waitOptions)
  }
  const pending = hasher.hash('unlucky').catch((error: Error) => error.message)
  await kill()
  await kill()
  expect(await pending).toBe('the process that hashes passwords ended twice; try again later')
  expect(await hasher.hash('lucky')).toMatch(/^\$argon2id/)
})

test('an invalid hash is an error of that request alone', async () => {
  const hasher = create()
  const [bad, good] = await Promise.allSettled([hasher.verify('no hash', 'x'), hasher.hash('y')])
  expect(bad.status).toBe('rejected')
  expect(good.status).toBe('fulfilled')
})

test('closing ends the process at once and refuses pending requests', async () => {
  const hasher = create()
  await hasher.hash('before')
  const pid = hasher.pid()!
  const pending = hasher.hash('too late').catch((error: Error) => error.message)
  hasher.close()
  expect(await pending).toBe('the server is stopping')
  await vi.waitUntil(() => !isRunning(pid), waitOptions)
})

test('the process does not keep the server alive, and ends with it', async () => {
  const code = `
    import { createHashProcess } from '${new URL('./hash-process.ts', import.meta.url)}'
    const hasher = createHashProcess()
    await hasher.hash('x')
    console.log(hasher.pid())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  await vi.waitUntil(() => !isRunning(Number(stdout)), waitOptions)
}, 30_000)
