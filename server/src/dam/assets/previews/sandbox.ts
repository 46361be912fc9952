/**
 * Separates external programs from the server, as far as the system allows it: files from outside may take them over.
 *
 *   full      no network, no other processes, and an empty folder in place of the data folder
 *   files     no network, and an empty folder in place of the data folder
 *   network   no network
 *   none      only the limits that always hold: no environment variables, a folder of their own, limited memory and time
 *
 * `unshare` of util-linux does it by Linux namespaces, without privileges. Containers often forbid it. The level is
 * found out once, by trying.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

export interface Sandbox {
  readonly level: 'full' | 'files' | 'network' | 'none'
  /** The data folder, if it is hidden. */
  readonly hidden?: string
}

const run = promisify(execFile)
/** Limits address space, not resident memory: programs reserve several times what they use. */
const maxKiB = 4 * 1024 * 1024
/** The largest file that a program may write, in blocks of 512 bytes. */
const maxBlocks = 8 * 1024 * 1024
const limit = `ulimit -v ${maxKiB} && ulimit -f ${maxBlocks}`

const own = ['--user', '--map-root-user']
const flags: Readonly<Record<Exclude<Sandbox['level'], 'none'>, readonly string[]>> = {
  full: [...own, '--net', '--ipc', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
  files: [...own, '--net', '--ipc', '--mount'],
  network: [...own, '--net', '--ipc'],
}
/** A second user namespace takes away the right to undo the mounts. */
const enter = `hidden=$1 file=$2 input=$3; shift 3
if [ -n "$file" ]; then mount --bind "$file" "$input" || exit 125; fi
if [ -n "$hidden" ]; then mount -t tmpfs -o ro,size=4k tmpfs "$hidden" || exit 125; fi
${limit} && exec unshare ${own.join(' ')} -- "$@"`

/** A file that the program reads although its folder is hidden, and the path under which the program sees it. */
export interface Shown {
  readonly file: string
  readonly input: string
}

/** Returns what the program wrote to its output. */
export async function runIn(
  { level, hidden = '' }: Sandbox,
  command: readonly string[],
  { file, input }: Shown = { file: '', input: '' },
): Promise<string> {
  const start = (program: string, args: readonly string[]) => run(program, args)
  const { stdout } = await (process.platform === 'win32'
    ? start(command[0]!, command.slice(1))
    : level === 'none'
      ? start('/bin/sh', ['-c', `${limit} && exec "$0" "$@"`, ...command])
      : start('unshare', [...flags[level], '--', '/bin/sh', '-c', enter, 'sh', hidden, file, input, ...command]))
  return stdout
}

/** Tries the levels from the strictest on. */
export const findSandbox = (data: string): Promise<Sandbox> => tryLevels(data).catch(() => ({ level: 'none' }))

async function tryLevels(data: string): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-sandbox-'))
  const shown = { file: join(folder, 'file'), input: join(folder, 'input') }
  const look = ['/bin/sh', '-c', 'test -s "$0" && test -z "$(ls -A "$1")"']
  try {
    await writeFile(shown.file, 'seen')
    await writeFile(shown.input, '')
    for (const level of ['full', 'files'] as const) {
      const sandbox = { level, hidden: resolve(data) }
      if (await works(runIn(sandbox, [...look, shown.input, sandbox.hidden], shown))) return sandbox
    }
    const sandbox = { level: 'network' } as const
    return (await works(runIn(sandbox, ['/bin/sh', '-c', 'true']))) ? sandbox : { level: 'none' }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const works = (attempt: Promise<unknown>) =>
  attempt.then(
    () => true,
    () => false,
  )
