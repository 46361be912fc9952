/**
 * The user that runs PostgreSQL's programs, and how the programs end with us.
 *
 * PostgreSQL refuses to run as root. If root started us there are two ways, and we find by trying which one works:
 *
 *   drop   another user owns the data and runs the programs     needs every folder above to be accessible to that user
 *   map    root is mapped to nobody in a namespace of its own   works under closed folders too, not in every container
 *
 * `setpriv --pdeathsig` makes the kernel interrupt the program when we die, for whatever reason. Without this tool the server
 * outlives us, and the next start stops it.
 */
import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { lchownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface Way {
  readonly prefix: readonly string[]
  /** The user who runs the programs, if it is not us. */
  readonly uid?: number
  readonly gid?: number
}

const nobody = 65534
const map = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--']
const endWithUs = ['setpriv', '--pdeathsig', 'INT', '--']

/** Finds a way to run `program` on `folder`, and makes its user the owner of the folder. */
export function findWay(program: string, folder: string, isNew: boolean): Way {
  const trial = isRoot() ? ['sh', '-c', 'cd "$0" && exec "$1" --version', folder, program] : [program, '--version']
  const reasons: string[] = []
  for (const way of ways(folder, isNew)) {
    try {
      giveTo(folder, way)
      const prefix = [[...way.prefix, ...endWithUs], way.prefix].find((prefix) => {
        const [command, ...args] = [...prefix, ...trial]
        const { status, error, stderr } = spawnSync(command!, args, { ...options(way), encoding: 'utf8' })
        if (status !== 0) reasons.push(error?.message ?? stderr.trim())
        return status === 0
      })
      if (prefix) return { ...way, prefix }
    } catch (error) {
      reasons.push((error as Error).message) // root without the right to change owners
    }
  }
  throw new Error(
    `The embedded PostgreSQL cannot run here (${reasons.join('; ')}). ` +
      'Start Kontor as an ordinary user, or set DATABASE_URL to a PostgreSQL server',
  )
}

export function spawnAs(way: Way, program: string, args: readonly string[], more: SpawnOptions): ChildProcess {
  const [command, ...rest] = [...way.prefix, program, ...args]
  const given = options(way)
  return spawn(command!, rest, { ...given, ...more, env: given.env && { ...given.env, ...more.env } })
}

const isRoot = () => process.getuid?.() === 0

function ways(folder: string, isNew: boolean): Way[] {
  if (!isRoot()) return [{ prefix: [] }]
  const { uid, gid } = statSync(folder)
  const dropped = { prefix: [], uid: uid || nobody, gid: gid || nobody }
  const mapped = { prefix: map }
  return isNew || uid !== 0 ? [dropped, mapped] : [mapped, dropped]
}

/** The group of the user that runs the programs on the cluster in this folder, if root started us. */
export const groupOf = (dataDir: string) => statSync(join(dataDir, 'cluster'), { throwIfNoEntry: false })?.gid || nobody

/** The programs do not get our environment: it may contain secrets, and their messages must be English. */
const options = ({ uid, gid }: Way): SpawnOptions => ({
  uid,
  gid,
  windowsHide: true,
  env: process.platform === 'win32' ? undefined : { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
})

/** Changes the owner of a folder and its content; the folder itself is last, so that an interrupted change is repeated. */
export function giveTo(folder: string, { uid = 0, gid = 0 }: Way): void {
  if (!isRoot() || statSync(folder).uid === uid) return
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid)
  lchownSync(folder, uid, gid)
}
