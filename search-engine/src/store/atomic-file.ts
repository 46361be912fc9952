/** Writes files atomically: after a crash there is the old file or the new one, never a partial one. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { open, rename, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export async function writeAtomically(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `${name}.new`)
  await withFile(temporary, 'w', async (file) => {
    await file.writeFile(bytes)
    await file.sync()
  })
  await rename(temporary, join(folder, name))
  await withFile(folder, 'r', (directory) => directory.sync())
}

/** Like `writeAtomically`, but synchronous, for worker threads and processes. */
export function writeChunksAtomically(path: string, chunks: readonly Uint8Array[]): void {
  const temporary = `${path}.new`
  synced(temporary, 'w', (file) => {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length;)
        at += writeSync(file, chunk, at, Math.min(chunk.length - at, maxBytesPerWrite))
    }
  })
  renameSync(temporary, path)
  synced(dirname(path), 'r', () => {})
}
/** The operating system writes at most two gigabytes per call. */
const maxBytesPerWrite = 1 << 28

function synced(path: string, flags: string, work: (file: number) => void): void {
  const file = openSync(path, flags)
  try {
    work(file)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}
