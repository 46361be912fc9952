/** Removes temporary files of killed processes that are older than a day. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const keptFor = 24 * 60 * 60 * 1000

export async function removeLeftovers(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []) // the folder does not exist
  for (const file of names.map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(file)
    if (now - mtimeMs > keptFor) await rm(file, { recursive: true, force: true })
  }
}
