/**
 * A layer over node:fs/promises and streams of files in the server, but not in its child processes (small-disk.ts has a disk
 * that is full for all). It makes writes fail as a full, broken or read-only disk does, and it notes what a loss of power would
 * undo: bytes that were written but not synced, and names in folders that were not synced.
 */
import fs from 'node:fs'
import fsp, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from './random.ts'

interface Disk {
  /** Only files below it are wrapped. */
  readonly folder: string
  /**
   * While it exists, writes fail with the code in it, as often as the number after it says: `ENOSPC 0.5`, or only the n-th:
   * `ENOSPC #7`, or the n-th to a path that contains a text: `ENOSPC #7 manifest`. SHORT: no error, but only a part of the bytes
   * is written. SYNC: only syncs fail. `SLOW 40`: nothing fails, but everything takes up to 40 milliseconds longer.
   */
  readonly control: string
  /** Receives a line per event; loss.ts reads it. */
  readonly journal: string
  /** Of the choice of the writes that fail. */
  readonly seed?: number
}

/** The event of the journal that says that a write failed. */
export const failed = 'fail'

export function wrapDisk({ folder, control, journal, seed = 0 }: Disk): void {
  const random = createRandom(seed)
  const real = { ...fsp }
  const { openSync, writeSync, readFileSync, existsSync, createWriteStream } = fs
  const lines = openSync(journal, 'a')
  const isOurs = (path: unknown): path is string => typeof path === 'string' && resolve(path).startsWith(folder)
  const note = (event: string, ...paths: string[]) =>
    writeSync(lines, `${JSON.stringify([event, ...paths.map((path) => resolve(path))])}\n`)
  let counted = { order: '', count: 0 }
  const failMaybe = async (what: string, path: string) => {
    if (!existsSync(control)) return
    const order = readFileSync(control, 'utf8')
    const [code = 'EIO', share = '1', part = ''] = order.split(' ')
    if (!path.includes(part)) return
    if (code === 'SLOW') return pause(random.below(Number(share)))
    const only = { SHORT: ['write'], SYNC: ['fdatasync', 'fsync'] }[code]
    if (only && !only.includes(what)) return
    if (order !== counted.order) counted = { order, count: 0 }
    if (share.startsWith('#') ? ++counted.count !== Number(share.slice(1)) : !random.chance(Number(share))) return
    note(failed, what)
    throw Object.assign(new Error(`${code}: ${what}`), { code: code === 'SYNC' ? 'EIO' : code })
  }

  const wrapHandle = (handle: FileHandle, path: string) => {
    const { write, writeFile, datasync, sync, truncate } = handle
    return Object.assign(handle, {
      async write(...args: Parameters<typeof write>) {
        note('write', path)
        try {
          await failMaybe('write', path)
        } catch (error) {
          // A disk that fills up takes a part of the bytes.
          const [bytes, , length, at] = args as unknown as [Buffer, number, number, number]
          const part = length >> 1
          if (part > 0) await handle.writev([bytes.subarray(0, part)], at)
          if ((error as { code?: string }).code === 'SHORT') return { bytesWritten: part, buffer: bytes }
          throw error
        }
        return write.apply(handle, args)
      },
      async writeFile(...args: Parameters<typeof writeFile>) {
        note('write', path)
        await failMaybe('write', path)
        return writeFile.apply(handle, args)
      },
      async datasync() {
        await failMaybe('fdatasync', path)
        await datasync.call(handle)
        note('sync', path)
      },
      async sync() {
        await failMaybe('fsync', path)
        await sync.call(handle)
        note('sync', path)
      },
      async truncate(length?: number) {
        note('write', path)
        await failMaybe('ftruncate', path)
        await truncate.call(handle, length)
      },
    })
  }

  const isWriting = (flags: unknown) =>
    typeof flags === 'number' ? (flags & 3) !== 0 : typeof flags === 'string' && /[wa+]/.test(flags)
  const wrapped = {
    async open(path: string, flags?: string | number, mode?: number) {
      if (!isOurs(path)) return real.open(path, flags, mode)
      const isNew = isWriting(flags) && !existsSync(path)
      if (isNew) await failMaybe('open', path)
      const handle = await real.open(path, flags, mode)
      if (isNew) note('create', path)
      return wrapHandle(handle, path)
    },
    async rename(from: string, to: string) {
      if (!isOurs(to)) return real.rename(from, to)
      await failMaybe('rename', to)
      await real.rename(from, to)
      note('rename', from, to)
    },
    async link(from: string, to: string) {
      if (!isOurs(to)) return real.link(from, to)
      await failMaybe('link', to)
      await real.link(from, to)
      note('link', from, to)
    },
    async copyFile(from: string, to: string, mode?: number) {
      if (!isOurs(to)) return real.copyFile(from, to, mode)
      await failMaybe('copyfile', to)
      await real.copyFile(from, to, mode)
      note('create', to)
      note('write', to)
    },
    async mkdir(path: string, options?: fs.MakeDirectoryOptions) {
      if (isOurs(path) && !existsSync(path)) await failMaybe('mkdir', path)
      const first = await real.mkdir(path, options)
      const least = first?.length ?? Infinity
      for (let at = resolve(path); at.length >= least; at = dirname(at)) {
        if (isOurs(at)) note('create', at)
      }
      return first
    },
    async rm(path: string, options?: fs.RmOptions) {
      await real.rm(path, options)
      if (isOurs(path)) note('remove', path)
    },
  }
  Object.assign(fsp, wrapped)
  /** The functions that a stream writes with. */
  const forStream = (path: string) => {
    const fails =
      (what: string, work: (...args: never[]) => void, event?: string) =>
      (...args: unknown[]) => {
        const done = args.pop() as (error: unknown, ...results: unknown[]) => void
        const isNew = what === 'open' && !existsSync(path)
        const noted = (error: unknown, ...results: unknown[]) => {
          if (!error && (event === 'sync' || isNew)) note(isNew ? 'create' : 'sync', path)
          done(error, ...results)
        }
        if (event === 'write') note(event, path)
        failMaybe(what, path).then(() => work(...([...args, noted] as never[])), done)
      }
    return {
      open: fails('open', fs.open),
      write: fails('write', fs.write, 'write'),
      writev: fails('writev', fs.writev, 'write'),
      fsync: fails('fsync', fs.fsync, 'sync'),
      close: fs.close,
    }
  }
  Object.assign(fs, {
    createWriteStream: (path: string, options: object = {}) =>
      createWriteStream(path, isOurs(path) ? { ...options, fs: forStream(path) } : options),
  })
  syncBuiltinESMExports()
}
