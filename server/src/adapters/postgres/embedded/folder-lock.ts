/**
 * Which process owns a folder, even after the owner was killed.
 *
 *   lock-6   {"pid":4711,"start":"88321"}   a leftover
 *   lock-7   {"pid":4799,"start":"91544"}   the highest number counts; null after it was released
 *
 * Node cannot lock a file, so the owner is identified by process id and start time. A takeover creates the next number, which
 * only one process can do; deleting a dead owner's file and creating it again would let two of them in. The highest file is
 * never deleted: the numbers would start again while another process has just read them.
 */
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOf } from './processes.ts'

interface Owner {
  pid: number
  start?: string | undefined
}

/** Takes the folder for this process, or throws with the owner. Returns a function that releases it. */
export function lockFolder(folder: string): () => void {
  const file = (number: number) => join(folder, `lock-${number}`)
  const draft = join(folder, `lock-draft-${process.pid}`)
  const numbers = () =>
    readdirSync(folder)
      .flatMap((name) => /^lock-(\d+)$/.exec(name)?.[1] ?? [])
      .map(Number)
  const highest = () => Math.max(0, ...numbers())

  rmSync(draft, { force: true }) // a file of a killed process with our pid may be the one that counts
  writeFileSync(draft, JSON.stringify({ pid: process.pid, start: startOf(process.pid) } satisfies Owner))
  try {
    for (;;) {
      const last = highest()
      const owner = last > 0 ? readOwner(file(last)) : null
      if (owner && isRunning(owner)) throw new Error(inUse(folder, owner.pid))
      if (!link(draft, file(last + 1))) continue
      if (highest() > last + 1) {
        rmSync(file(last + 1)) // the number was free only because its owner had been replaced and its file removed
        continue
      }
      for (const old of numbers().filter((number) => number <= last)) rmSync(file(old), { force: true })
      return () => {
        writeFileSync(draft, 'null')
        renameSync(draft, file(last + 1))
      }
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

const isRunning = ({ pid, start }: Owner) => startOf(pid) !== undefined && startOf(pid) === start

const inUse = (folder: string, pid: number) =>
  `The data folder ${folder} is in use by process ${pid}. Stop that process, or let both use one PostgreSQL server by DATABASE_URL`

function readOwner(path: string): Owner | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner | null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null // replaced and removed: the next iteration sees it
    throw error
  }
}

/** Creates a hard link; false if the name exists. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
