import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startEmbedded } from '../adapters/postgres/embedded.ts'
import { closeDataFolder, closeNewFiles } from './data-folder.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const isRoot = process.getuid?.() === 0
const nobody = 65534

let parent: string
let data: string
let umask: number
beforeEach(() => {
  umask = process.umask(0o022)
  parent = mkdtempSync(join(tmpdir(), 'kontor-folder-'))
  chmodSync(parent, 0o755)
  data = join(parent, 'data')
})
afterEach(() => {
  process.umask(umask)
  rmSync(parent, { recursive: true, force: true })
})

test.runIf(process.platform !== 'win32')('new folders and files are closed to other users', () => {
  closeNewFiles()
  expect(closeDataFolder(data)).toEqual([])
  mkdirSync(join(data, 'blobs', 'ab'), { recursive: true })
  writeFileSync(join(data, 'blobs', 'ab', 'file'), 'secret')
  expect(['.', 'blobs', 'blobs/ab', 'blobs/ab/file'].map((name) => modeOf(join(data, name)))).toEqual([
    '700',
    '700',
    '700',
    '600',
  ])
})

test.runIf(process.platform !== 'win32')('folders of an earlier version are closed, with a line for each', () => {
  for (const name of ['blobs', 'search', 'tmp']) mkdirSync(join(data, name), { recursive: true, mode: 0o755 })
  chmodSync(data, 0o711)
  expect(closeDataFolder(data)).toEqual([
    `Closed ${data} to other users of this machine; its mode was 711`,
    ...['blobs', 'search', 'tmp'].map(
      (name) => `Closed ${join(data, name)} to other users of this machine; its mode was 755`,
    ),
  ])
  expect(closeDataFolder(data)).toEqual([])
})

test.runIf(isRoot)('started by root with the embedded database, no other user can read a file', async () => {
  closeNewFiles()
  closeDataFolder(data)
  const embedded = await startEmbedded({ dataDir: data, settings: { fsync: 'off' } })
  try {
    mkdirSync(join(data, 'blobs'))
    const file = join(data, 'blobs', 'file')
    writeFileSync(file, 'secret', { mode: 0o644 })
    for (const [uid, gid] of [
      [nobody, nobody],
      [12_345, 12_345],
    ] as const) {
      expect(spawnSync('cat', [file], { uid, gid, encoding: 'utf8' }).stdout).not.toContain('secret')
      expect(spawnSync('ls', [data], { uid, gid, encoding: 'utf8' }).status).not.toBe(0)
    }
    expect(['700', '710']).toContain(modeOf(data))
    expect(closeDataFolder(data)).toEqual([])
  } finally {
    await embedded.stop()
  }
})
