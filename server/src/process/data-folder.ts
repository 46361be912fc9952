/**
 * Closes the data folder to other users of the machine. It contains the files of all assets, copies of texts in the search
 * index, and secrets. New files and folders get no rights for others; folders of earlier versions are repaired.
 */
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files that this process and its child processes create are closed to other users. */
export const closeNewFiles = () => void process.umask(0o077)

/**
 * The group may pass through the data folder but not read it: if root starts Kontor, the embedded PostgreSQL runs as
 * another user and has its folder in there. Windows has no such modes.
 */
export function isOpenToOthers(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform !== 'win32' && (mode & 0o067) !== 0
}

/** Returns a line for each folder that was open, or could not be closed. */
export function closeDataFolder(data: string): string[] {
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const folders = [data, ...['blobs', 'search', 'tmp'].map((name) => join(data, name))]
  return folders.filter(isOpenToOthers).map((folder) => {
    const mode = statSync(folder).mode & 0o777
    try {
      chmodSync(folder, mode & 0o700)
      return `Closed ${folder} to other users of this machine; its mode was ${mode.toString(8)}`
    } catch (error) {
      return `Other users of this machine can read ${folder}: ${(error as Error).message}`
    }
  })
}
