/** Takes the file descriptors of the server away for a while, by prlimit of util-linux. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from './random.ts'
import { until, type World } from './world.ts'

export async function withFewDescriptors(world: World, random: Random): Promise<number | undefined> {
  const { child } = world.server()
  const limit = (count: number) => execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${count}:`])
  try {
    limit(readdirSync(`/proc/${child.pid}/fd`).length + random.below(6))
  } catch (error) {
    // Without prlimit or /proc there is no such fault; any other error would make the scenario pass without one.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
  await pause(1000)
  if (child.exitCode === null && child.signalCode === null) limit(8192)
  else world.seen.push(`the server ended for lack of file descriptors: ${world.server().output().slice(-500)}`)
  const begun = performance.now()
  if (child.exitCode !== null || child.signalCode !== null) await world.start()
  const isReady = async () => (await fetch(`${world.url}/readyz`, { signal: AbortSignal.timeout(3000) })).ok
  await until(isReady, 30, 'the server is ready after it had no file descriptors')
  return performance.now() - begun
}
