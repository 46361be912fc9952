/** Two versions side by side: processes are replaced by those of the other version, in both directions. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Random } from './random.ts'
import type { World } from './world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const migrations = 'server/migrations'
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 30 })

export interface OldVersion {
  /** Its sources. */
  readonly folder: string
  readonly revision: string
  remove(): void
}

/**
 * The sources of an older version: by default the last one with fewer migrations, so that the schemas differ. It uses
 * the packages of this version. undefined: there is no Git, or no history.
 */
export function checkOutOld(wanted?: string): OldVersion | undefined {
  const revision = revisionOf(wanted)
  if (revision === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'kontor-old-'))
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', revision) })
  linkPackages(folder)
  return { folder, revision, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function revisionOf(wanted: string | undefined): string | undefined {
  const nameOf = (revision: string) =>
    git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).toString().trim().slice(0, 12)
  if (wanted !== undefined) return nameOf(wanted)
  const newest = numbersIn(readdirSync(join(root, migrations))).length
  try {
    const changes = git('log', '--first-parent', '-100', '--format=%H', '--', migrations).toString().trim().split('\n')
    const before = changes
      .map((revision) => `${revision}^`)
      .find((revision) => {
        const numbers = numbersIn(git('ls-tree', '--name-only', `${revision}:${migrations}`).toString().split('\n'))
        // While branches are merged, numbers may be missing.
        return numbers.length < newest && numbers.every((number, i) => number === i + 1)
      })
    return before && nameOf(before)
  } catch {
    return undefined
  }
}
const numbersIn = (names: readonly string[]) =>
  names
    .filter((name) => /^\d/.test(name))
    .map(parseFloat)
    .toSorted((a, b) => a - b)

/** Our own packages are those of the folder. */
function linkPackages(folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, '@kontor'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@kontor') symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '@kontor')))
    symlinkSync(readlinkSync(join(from, '@kontor', name)), join(to, '@kontor', name))
}

/** Replaces a process by one of the other version. */
export async function changeVersion(world: World, random: Random): Promise<number> {
  const number = random.below(world.urls.length)
  const since = performance.now()
  await world.kill(number, random.chance(0.5) ? 'SIGKILL' : 'SIGTERM')
  world.isOld[number] = !world.isOld[number]
  await world.start(number)
  return since
}

export async function endWithNew(world: World): Promise<void> {
  for (const number of world.urls.keys()) {
    if (!world.isOld[number]) continue
    await world.kill(number, 'SIGTERM')
    world.isOld[number] = false
    await world.start(number)
  }
}
