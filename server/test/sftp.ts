/**
 * The SFTP servers of tests: always a fake one, and a real OpenSSH if `KONTOR_TEST_SFTP` is the path of its sshd
 * (`npm run test:sftp`).
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { vi } from 'vitest'
import { startFakeSftp } from './fake-sftp.ts'

export interface SftpServer {
  /** A folder on this machine that the server shows at `path`. */
  readonly root: string
  /** The place of a feed, without a path. */
  readonly place: Readonly<Record<string, string | number>>
  readonly path: string
  close(): Promise<void>
}

const sshd = process.env.KONTOR_TEST_SFTP

export const sftpServers: [string, () => Promise<SftpServer>][] = [
  ['a fake SFTP', openFake],
  ...(sshd ? [['OpenSSH', () => openReal(sshd)] as [string, () => Promise<SftpServer>]] : []),
]

async function openFake(): Promise<SftpServer> {
  const root = mkdtempSync(join(tmpdir(), 'kontor-sftp-'))
  const login = { user: 'kontor', password: 'of a test' }
  const { port, close } = await startFakeSftp(root, login)
  return {
    root,
    path: '/',
    place: { kind: 'sftp', host: '127.0.0.1', port, ...login },
    async close() {
      await close()
      rmSync(root, { recursive: true })
    },
  }
}

/** OpenSSH refuses to run its children as root without a user of its own, so root starts it as nobody. */
async function openReal(program: string): Promise<SftpServer> {
  const isRoot = process.getuid?.() === 0
  const [nobody, user] = isRoot ? [65_534, 'nobody'] : [undefined, userInfo().username]
  const folder = mkdtempSync(join(tmpdir(), 'kontor-sshd-'))
  const root = join(folder, 'files')
  mkdirSync(root)
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  const privateKey = readFileSync(join(folder, 'user'), 'utf8')
  const port = await freePort()
  const settings = [
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'user.pub')}`,
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    'PidFile none',
    'StrictModes no',
    // Otherwise accounts without a password count as locked.
    'UsePAM yes',
    'PasswordAuthentication no',
    'Subsystem sftp internal-sftp',
    'ForceCommand internal-sftp',
  ]
  writeFileSync(join(folder, 'config'), settings.join('\n'))
  chmodSync(folder, 0o755)
  if (nobody !== undefined)
    for (const name of ['files', 'host', 'user.pub', 'config']) chownSync(join(folder, name), nobody, nobody)
  const server = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(nobody !== undefined && { uid: nobody, gid: nobody }),
  })
  await vi.waitFor(() => reach(port), { timeout: 20_000, interval: 100 })
  return {
    root,
    path: root,
    place: { kind: 'sftp', host: '127.0.0.1', port, user, privateKey },
    async close() {
      server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const reach = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    }).once('error', reject)
  })

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
