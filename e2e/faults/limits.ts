/** Takes file descriptors or memory of the server away for a while, by prlimit of util-linux. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { call } from './client.ts'
import { killChild } from './kills.ts'
import type { Random } from './random.ts'
import { hasEnded, isReady, until, type World } from './world.ts'

/** Limits the first process, while `during` runs. False if there is no prlimit or no /proc. */
async function whileLimited(
  world: World,
  option: '--nofile' | '--data',
  [limit, normal]: readonly [limit: (pid: number) => number, normal: string],
  during: () => Promise<unknown>,
): Promise<boolean> {
  const { child } = world.server()
  const set = (value: string) => execFileSync('prlimit', ['--pid', String(child.pid), `${option}=${value}:`])
  try {
    set(String(limit(child.pid!)))
  } catch (error) {
    // Without prlimit or /proc there is no such fault; any other error would make the scenario pass without one.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return false
  }
  await during()
  if (!hasEnded(world)) set(normal)
  return true
}

/** Returns when the limit ended. */
async function recovered(world: World, from: string): Promise<number> {
  const since = performance.now()
  const isBack = async () => {
    if (hasEnded(world)) await world.start() // it may end a moment later, too
    return isReady(world)
  }
  await until(isBack, 60, `the server is ready after it had no ${from}`).catch((error: Error) => {
    throw new Error(`${error.message}: ${world.server().output().slice(-3000)}`, { cause: error })
  })
  return since
}

export async function withFewDescriptors(world: World, random: Random): Promise<number | false> {
  const few = (pid: number) => readdirSync(`/proc/${pid}/fd`).length + random.below(6)
  // Processes that have ended must be started again.
  const during = async () => {
    for (let n = random.below(4); n > 0; n--) await killChild(world, random)
    await pause(1000)
  }
  if (!(await whileLimited(world, '--nofile', [few, '8192'], during))) return false
  if (hasEnded(world))
    world.seen.push(`the server ended for lack of file descriptors: ${world.server().output().slice(-500)}`)
  return recovered(world, 'file descriptors')
}

/** Requests that need much memory meet a server that gets no more. It may end; then it is started again. */
export async function withLittleMemory(world: World, random: Random): Promise<number | false> {
  const mebi = 2 ** 20
  const little = (pid: number) => {
    const [, kibibytes] = /VmData:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
    return Number(kibibytes) * 1024 + random.below(40) * mebi
  }
  const large = { context: { index: 'PRODUCT' }, resultAttributes: ['tid', 'name'], pageSize: 1000 }
  const rows = Array.from({ length: 100_000 }, (_, i) => `M${i},row ${i},/Nowhere`).join('\n')
  const demand = async () => {
    const searches = Array.from({ length: 10 }, () =>
      call(world, '/api/v1/search', { body: large, at: world.urls[0]! }),
    )
    const imports = Array.from({ length: 4 }, () =>
      call(world, '/api/v1/transfers/imports?name=memory.csv', { body: rows, type: 'text/csv', at: world.urls[0]! }),
    )
    await Promise.all([...searches, ...imports, pause(1500)])
  }
  world.mayEnd.add(world.server())
  if (!(await whileLimited(world, '--data', [little, 'unlimited'], demand))) return false
  return recovered(world, 'memory')
}
