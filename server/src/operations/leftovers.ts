/** Temporary files that a killed process left behind: those older than a day are removed. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const keptFor = 24 * 60 * 60 * 1000

export async function removeLeftovers(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []) // no such folder, no leftovers
  for (const file of names.map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(file)
    if (now - mtimeMs > keptFor) await rm(file, { recursive: true, force: true })
  }
}
