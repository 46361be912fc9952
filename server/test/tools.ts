/**
 * Tests with real programs. Where a program is missing, its tests are skipped and say so; `npm run test:tools` fails
 * instead.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin']

/** True if one of the programs of each kind is on this machine, such as `heif-dec|heif-convert`. */
export function hasPrograms(...names: string[]): boolean {
  const missing = names.filter((name) => programOf(name) === undefined)
  if (missing.length === 0) return true
  const message = `skipped, because this machine lacks ${missing.join(', ')}`
  if (process.env.KONTOR_TEST_TOOLS === '1') throw new Error(message)
  console.warn(message)
  return false
}

function programOf(names: string): string | undefined {
  const paths = names.split('|').flatMap((name) => folders.map((folder) => join(folder, name)))
  return paths.find((path) => {
    try {
      execFileSync('/usr/bin/test', ['-x', path])
      return true
    } catch {
      return false
    }
  })
}

/** The file that a program makes: `make('film.mp4', 'ffmpeg', …options)`. `{}` among the options is its folder. */
export async function make(
  name: string,
  program: string,
  options: readonly string[],
  files: Readonly<Record<string, string | Buffer>> = {},
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-made-'))
  try {
    for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content)
    const args = options.map((option) => option.replaceAll('{}', folder))
    execFileSync(programOf(program)!, args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { HOME: folder },
    })
    return await readFile(join(folder, name))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A file made by ffmpeg from its test sources: `-i testsrc…` and so on. */
export const filmOf = (name: string, ...options: string[]): Promise<Buffer> =>
  make(name, 'ffmpeg', ['-v', 'error', '-f', 'lavfi', ...options, name])
