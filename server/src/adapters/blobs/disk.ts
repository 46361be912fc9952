/**
 * A store in a folder. A file is moved in by rename after its bytes have reached the disk; then the folder is synced too. The
 * source file must be on the same volume, which `<root>/tmp` is.
 */
import { access, constants, mkdir, open, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lendPieces } from './lending.ts'
import { type Listed, Missing, type Store } from './store.ts'

/** Large buffers while few files are read, small ones while hundreds are, so that memory stays bounded. */
const buffersFor = (readers: number) =>
  readers <= 16 ? ({ count: 2, size: 256 * 1024 } as const) : ({ count: 1, size: 64 * 1024 } as const)

export function diskStore(root: string): Store {
  const fileOf = (key: string) => join(root, key)
  let readers = 0
  return {
    fileOf,

    async write(key, file) {
      const target = fileOf(key)
      await makeFolder(root, dirname(target))
      await rename(file, target)
      await syncFolder(dirname(target))
    },

    async settle(key) {
      const folder = dirname(fileOf(key))
      await makeFolder(root, folder)
      await syncFolder(folder)
    },

    async read(key, range) {
      const handle = await open(fileOf(key)).catch(orMissing(key))
      const { ino, mtimeMs, size } = await handle.stat()
      const { first, last } = range ?? { first: 0, last: size - 1 }
      const pieces = lendPieces(handle, { first, last }, buffersFor(++readers), () => {
        readers--
        return handle.close()
      })
      return { pieces, size: last + 1 - first, print: `${ino} ${mtimeMs} ${size}` }
    },

    size: (key) =>
      stat(fileOf(key))
        .then(({ size }) => size)
        .catch(orNothing),

    async remove(key) {
      await rm(fileOf(key), { force: true })
      // Removes the folder of an upload with its last chunk. Folders of blobs stay: another write may be about to use them.
      if (key.startsWith('uploads/')) await rmdir(fileOf(dirname(key))).catch(() => {})
    },

    list: (prefix) => walk(root, prefix),

    async check() {
      await makeFolder(root, root)
      await access(root, constants.W_OK)
      const { bavail } = await statfs(root)
      if (bavail === 0) throw new Error('the disk is full')
    },
  }
}

async function* walk(root: string, folder: string): AsyncGenerator<Listed> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(orNothing)
  for (const entry of entries ?? []) {
    const key = `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      yield* walk(root, key)
      continue
    }
    const found = await stat(join(root, key)).catch(orNothing)
    if (found) yield { key, size: found.size, modifiedAt: found.mtime }
  }
}

/** Folders whose names this process has synced; more are synced again. */
const durable = new Set<string>()
const mostDurable = 1000

/**
 * Makes a folder and its ancestors, and syncs the parent of each up to that of the root. A folder that exists may have been made
 * a moment ago, and the sync of its parent may have failed or not ended; so it is synced unless this process has done so.
 */
export async function makeFolder(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  const isNew = (at: string) => first !== undefined && at.length >= first.length
  const synced: string[] = []
  for (let at = folder; at.length >= root.length && (isNew(at) || !durable.has(at)); at = dirname(at)) {
    await syncFolder(dirname(at))
    synced.push(at)
  }
  if (durable.size > mostDurable) durable.clear()
  for (const at of synced) durable.add(at)
}

export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // folders cannot be opened on Windows, and renames are journaled
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isAbsent = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
const orMissing = (key: string) => (error: unknown) => {
  throw isAbsent(error) ? new Missing(key, { cause: error }) : error
}
const orNothing = (error: unknown) => {
  if (!isAbsent(error)) throw error
  return undefined
}
