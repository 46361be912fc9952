/**
 * A fake SFTP server for tests: real SSH by the ssh2 library, on a folder of this machine. It does not have the extension of
 * OpenSSH that replaces a file by renaming, and refuses to rename onto a file that exists.
 */
import { existsSync, mkdirSync, renameSync, rmSync, type Stats, statSync } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join, posix } from 'node:path'
import ssh2, { type SFTPWrapper } from 'ssh2'

const { STATUS_CODE: code, flagsToString } = ssh2.utils.sftp

interface FakeSftp {
  readonly port: number
  close(): Promise<void>
}

/** `isEndless`: the list of a folder has no end. */
export async function startFakeSftp(
  root: string,
  login: { user: string; password: string },
  { isEndless = false } = {},
): Promise<FakeSftp> {
  const hostKeys = [ssh2.utils.generateKeyPairSync('ed25519').private]
  const server = new ssh2.Server({ hostKeys }, (client) => {
    client
      .on('authentication', (context) => {
        const isRight = context.method === 'password' && context.username === login.user && context.password === login.password // prettier-ignore
        if (isRight) context.accept()
        else context.reject(['password'])
      })
      .on('session', (accept) => accept().on('sftp', (begin) => serve(begin(), root, isEndless)))
      .on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function serve(sftp: SFTPWrapper, root: string, isEndless: boolean): void {
  const at = (path: string) => join(root, posix.normalize(`/${path}`))
  const opened = new Map<number, FileHandle | { path: string; isRead: boolean }>()
  const handleOf = (handle: Buffer) => opened.get(handle.readUInt32BE(0))
  const give = (id: number, one: FileHandle | { path: string; isRead: boolean }) => {
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(opened.size + 1)
    opened.set(opened.size + 1, one)
    sftp.handle(id, handle)
  }
  /** Answers with the status of the work, unless it has answered itself. */
  const answer = (id: number, work: () => unknown) => {
    void (async () => {
      try {
        if ((await work()) !== 'answered') sftp.status(id, code.OK)
      } catch (error) {
        sftp.status(id, (error as NodeJS.ErrnoException).code === 'ENOENT' ? code.NO_SUCH_FILE : code.FAILURE)
      }
    })()
  }
  const stat = (id: number, path: string) =>
    answer(id, () => {
      sftp.attrs(id, attributesOf(statSync(at(path))))
      return 'answered'
    })
  sftp
    .on('OPEN', (id: number, path: string, flags: number) =>
      answer(id, async () => {
        give(id, await open(at(path), flagsToString(flags) ?? 'r'))
        return 'answered'
      }),
    )
    .on('WRITE', (id: number, handle: Buffer, offset: number, data: Buffer) =>
      answer(id, () => (handleOf(handle) as FileHandle).write(data, 0, data.length, offset)),
    )
    .on('READ', (id: number, handle: Buffer, offset: number, length: number) =>
      answer(id, async () => {
        const { bytesRead, buffer } = await (handleOf(handle) as FileHandle).read(Buffer.alloc(length), 0, length, offset) // prettier-ignore
        if (bytesRead === 0) sftp.status(id, code.EOF)
        else sftp.data(id, buffer.subarray(0, bytesRead))
        return 'answered'
      }),
    )
    .on('FSTAT', (id: number, handle: Buffer) =>
      answer(id, async () => {
        sftp.attrs(id, attributesOf(await (handleOf(handle) as FileHandle).stat()))
        return 'answered'
      }),
    )
    .on('FSETSTAT', (id: number) => sftp.status(id, code.OK))
    .on('CLOSE', (id: number, handle: Buffer) =>
      answer(id, async () => {
        const one = handleOf(handle)
        if (one && 'close' in one) await one.close()
      }),
    )
    .on('OPENDIR', (id: number, path: string) =>
      answer(id, () => {
        if (!existsSync(at(path))) throw Object.assign(new Error('missing'), { code: 'ENOENT' })
        give(id, { path: at(path), isRead: false })
        return 'answered'
      }),
    )
    .on('READDIR', (id: number, handle: Buffer) =>
      answer(id, async () => {
        const folder = handleOf(handle) as { path: string; isRead: boolean }
        const attrs = attributesOf(statSync(folder.path))
        if (isEndless) {
          sftp.name(
            id,
            Array.from({ length: 500 }, () => ({ filename: 'x', longname: 'x', attrs })),
          )
          return 'answered'
        }
        const names = folder.isRead ? [] : await readdir(folder.path)
        folder.isRead = true
        if (names.length === 0) sftp.status(id, code.EOF)
        else
          sftp.name(
            id,
            names.map((filename) => ({ filename, longname: filename, attrs: attributesOf(statSync(join(folder.path, filename))) })), // prettier-ignore
          )
        return 'answered'
      }),
    )
    .on('STAT', stat)
    .on('LSTAT', stat)
    .on('REMOVE', (id: number, path: string) => answer(id, () => rmSync(at(path))))
    .on('MKDIR', (id: number, path: string) => answer(id, () => mkdirSync(at(path))))
    .on('RENAME', (id: number, from: string, to: string) =>
      answer(id, () => {
        if (existsSync(at(to))) throw new Error('it exists')
        renameSync(at(from), at(to))
      }),
    )
}

const attributesOf = ({ mode, uid, gid, size, atimeMs, mtimeMs }: Stats) => ({
  mode,
  uid,
  gid,
  size,
  atime: Math.floor(atimeMs / 1000),
  mtime: Math.floor(mtimeMs / 1000),
})
