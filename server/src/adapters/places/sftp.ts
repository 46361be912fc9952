/**
 * A folder of an SFTP server. The key of the server is compared with a known fingerprint; without one, the fingerprint of
 * this connection is returned, so that the next one can be compared with it.
 */
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { connect, isIP } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Client, type FileEntryWithStats, type SFTPWrapper } from 'ssh2'
import { ForbiddenAddress, guardedLookup, isPublic } from '../web/post.ts'
import { type FolderPlace, isVisible, maxListed, tooMany } from './place.ts'

interface SftpOptions {
  readonly host: string
  readonly port?: number | undefined
  readonly user: string
  readonly password?: string | undefined
  readonly privateKey?: string | undefined
  /** SHA256:… */
  readonly hostKey?: string | undefined
  readonly path?: string | undefined
  readonly allowPrivate: boolean
}
export interface SftpPlace extends FolderPlace {
  readonly hostKey: string
}

const readyTimeout = 20_000
/** Streams of the library report errors also after their end, when the connection is closed. */
const ignore = () => {}
const [endOfList, missing] = [1, 2]

/** Calls a method of the library that takes a callback. */
const promised = <T>(call: (answer: (error: Error | null | undefined, value: T) => void) => void) =>
  new Promise<T>((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value))))

export async function openSftp(options: SftpOptions): Promise<SftpPlace> {
  const { client, hostKey } = await connected(options)
  const sftp = await promised<SFTPWrapper>((answer) => client.sftp(answer)).catch((error: Error) => {
    client.end()
    throw error
  })
  sftp.on('error', ignore)
  const folder = (options.path ?? '.').replace(/\/+$/, '') || '/'
  const at = (...names: string[]) => [folder === '/' ? '' : folder, ...names].join('/')
  const rename = async (from: string, to: string) => {
    try {
      await promised<void>((answer) => sftp.ext_openssh_rename(from, to, answer))
    } catch (error) {
      if (!/not support/i.test((error as Error).message)) throw error
      // A server without this extension does not replace an existing file. It must not be removed if `from` is gone.
      await promised((answer) => sftp.stat(from, answer))
      await promised<void>((answer) => sftp.unlink(to, answer)).catch(() => {})
      await promised<void>((answer) => sftp.rename(from, to, answer))
    }
  }
  /** Undefined at the end of the list. */
  const nextPage = (handle: Buffer) =>
    promised<FileEntryWithStats[]>((answer) => sftp.readdir(handle, answer)).catch(
      (error: Error & { code?: number }) => {
        if (error.code !== endOfList) throw error
      },
    )
  return {
    hostKey,
    async put({ name, path, key }) {
      const part = at(`.${name}.${key}.part`)
      await pipeline(createReadStream(path), sftp.createWriteStream(part).on('error', ignore))
      await rename(part, at(name))
    },
    async list() {
      const handle = await promised<Buffer>((answer) => sftp.opendir(folder, answer))
      const entries: FileEntryWithStats[] = []
      let pages = 0
      for (let page = await nextPage(handle); page; page = await nextPage(handle)) {
        entries.push(...page)
        if (entries.length > maxListed || ++pages > maxListed) throw tooMany()
      }
      await promised<void>((answer) => sftp.close(handle, answer))
      return entries
        .filter(({ filename, attrs }) => attrs.isFile() && isVisible(filename) && !filename.includes('/'))
        .map(({ filename, attrs }) => ({ name: filename, size: attrs.size, modifiedAt: new Date(attrs.mtime * 1000) }))
    },
    read: async (name) => sftp.createReadStream(at(name)).on('error', ignore),
    async move(name, below, as) {
      await promised<void>((answer) => sftp.mkdir(at(below), answer)).catch(() => {}) // it exists, or the move fails
      await rename(at(name), at(below, as)).catch(async (error: Error) => {
        const found = await promised((answer) => sftp.stat(at(name), answer)).catch(
          (reason: { code?: number }) => reason,
        )
        if ((found as { code?: number }).code !== missing) throw error
      })
    },
    close: async () => void client.destroy(),
  }
}

function connected(options: SftpOptions): Promise<{ client: Client; hostKey: string }> {
  const { host, port = 22, user, password, privateKey, hostKey: known, allowPrivate } = options
  if (!allowPrivate && isIP(host) !== 0 && !isPublic(host))
    throw new ForbiddenAddress(`${host} is not a public address`)
  const socket = connect({ host, port, ...(!allowPrivate && { lookup: guardedLookup() }) })
  const client = new Client()
  let hostKey = ''
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy()
      const isOther = known !== undefined && hostKey !== '' && hostKey !== known
      if (error instanceof ForbiddenAddress) return reject(error)
      reject(
        isOther
          ? new ForbiddenAddress(
              `the key of ${host} is ${hostKey}, not ${known}; if the server has a new key, change hostKey`,
            )
          : new Error(`${host}: ${error.message || 'no connection'}`, { cause: error }),
      )
    }
    socket.on('error', fail)
    client
      .on('error', fail)
      .once('ready', () => resolve({ client, hostKey }))
      .connect({
        sock: socket,
        username: user,
        ...(password !== undefined && { password }),
        ...(privateKey !== undefined && { privateKey }),
        readyTimeout,
        keepaliveInterval: 10_000,
        hostVerifier: (key: Buffer) => {
          hostKey = `SHA256:${hash('sha256', key, 'base64').replace(/=+$/, '')}`
          return known === undefined || hostKey === known
        },
      })
  })
}
