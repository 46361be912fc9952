/** Checks on processes that are not our children: whether one still runs, and whether it is the expected one. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * The start time of a process, which distinguishes it from a later process with the same pid; undefined if it has ended.
 * Only Linux provides it; elsewhere every running process has started at '?'.
 */
export function startOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    return '?'
  }
}

/** Whether this process belongs to a PostgreSQL server on this data folder. */
export function servesFolder(pid: number, folder: string): boolean {
  if (startOf(pid) === undefined) return false
  try {
    return isPostgres.test(readlinkSync(`/proc/${pid}/exe`)) && readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    if (hasProc) return false // it has ended meanwhile, or belongs to another user
    const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout?.includes(`postgres -D ${folder}`) ?? false
  }
}

/** All processes of a PostgreSQL server on this data folder; empty where the system does not list processes. */
export function serversOf(folder: string): number[] {
  if (!hasProc) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => servesFolder(pid, folder))
}

const hasProc = existsSync('/proc/self/exe')
const isPostgres = /\/postgres( \(deleted\))?$/ // " (deleted)": an upgrade has replaced the program
