/**
 * Which process owns a folder, known also after the owner was killed.
 *
 *   lock-6   {"pid":4711,"start":"88321"}   a leftover
 *   lock-7   {"pid":4799,"start":"91544"}   the highest number counts; null when it was given back
 *
 * Node cannot hold a lock on a file, so the owner is named by process id and start time. Taking over means creating
 * the next number, which only one process can do; deleting a dead owner's file and making it anew would let two of them
 * in. The highest file is never deleted, or the numbers would start again under somebody who has just read them.
 */
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOf } from './processes.ts'

interface Owner {
  pid: number
  start?: string
}

/** Takes the folder for this process, or says who has it. Returns the function that gives it back. */
export function lockFolder(folder: string): () => void {
  const file = (number: number) => join(folder, `lock-${number}`)
  const draft = join(folder, `lock-draft-${process.pid}`)
  const numbers = () =>
    readdirSync(folder)
      .flatMap((name) => /^lock-(\d+)$/.exec(name)?.[1] ?? [])
      .map(Number)
  const highest = () => Math.max(0, ...numbers())

  rmSync(draft, { force: true }) // of a killed process with our number it may be the very file that counts
  writeFileSync(draft, JSON.stringify({ pid: process.pid, start: startOf(process.pid) } satisfies Owner))
  try {
    for (;;) {
      const last = highest()
      const owner = last > 0 ? readOwner(file(last)) : null
      if (owner && isRunning(owner)) throw new Error(inUse(folder, owner.pid))
      if (!link(draft, file(last + 1))) continue
      if (highest() > last + 1) {
        rmSync(file(last + 1)) // the number was free only because its owner had been followed and swept away
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null // followed and swept away: the next round sees it
    throw error
  }
}

/** Gives the file a second name; false when the name is taken. */
function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
