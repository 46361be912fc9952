/** Files that are written so that a crash leaves the old one or the new one, and never half of it. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { open, rename, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `${name}.new`)
  await withFile(temporary, 'w', async (file) => {
    await file.writeFile(bytes)
    await file.sync()
  })
  await rename(temporary, join(folder, name))
  await withFile(folder, 'r', (directory) => directory.sync())
}

/** The same in the calling thread, which is one that may wait. */
export function writePieces(path: string, pieces: readonly Uint8Array[]): void {
  const temporary = `${path}.new`
  synced(temporary, 'w', (file) => {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at, Math.min(piece.length - at, mostAtOnce))
    }
  })
  renameSync(temporary, path)
  synced(dirname(path), 'r', () => {})
}
/** The system writes no more than two gigabytes in one call. */
const mostAtOnce = 1 << 28

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
