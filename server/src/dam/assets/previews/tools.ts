/**
 * Programs of this machine that read what our libraries cannot: found by their names, run with bounded memory.
 *
 * Time is bounded by whoever started the process that makes previews: it ends that one and everything it runs.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Tools } from './message.ts'

/** The first name that is found is taken. */
const names: Readonly<Record<keyof Tools, readonly string[]>> = {
  ffmpeg: ['ffmpeg'],
  heif: ['heif-dec', 'heif-convert'],
  soffice: ['soffice'],
}

export function findTools(path: string): Tools {
  const folders = path.split(delimiter)
  const find = (wanted: readonly string[]) =>
    wanted.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
  return Object.fromEntries(
    Object.entries(names).flatMap(([tool, wanted]) => {
      const found = find(wanted)
      return found === undefined ? [] : [[tool, found]]
    }),
  )
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const run = promisify(execFile)
/** Of addresses, not of memory in use: programs reserve several times what they need. */
const mostKiB = 4 * 1024 * 1024

export async function runTool(program: string, args: readonly string[]): Promise<void> {
  if (process.platform === 'win32') await run(program, args)
  else await run('/bin/sh', ['-c', `ulimit -v ${mostKiB} && exec "$0" "$@"`, program, ...args])
}
