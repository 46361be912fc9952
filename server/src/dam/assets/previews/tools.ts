/**
 * External programs for formats that our libraries cannot read: found by name, run with limited memory.
 *
 * The pool limits their run time: after the timeout it kills the worker with its subprocesses.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Tools } from './message.ts'

/** Alternative names of each program, in order of preference. */
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
/** Limits address space, not resident memory: programs reserve several times what they use. */
const maxKiB = 4 * 1024 * 1024

export async function runTool(program: string, args: readonly string[]): Promise<void> {
  if (process.platform === 'win32') await run(program, args)
  else await run('/bin/sh', ['-c', `ulimit -v ${maxKiB} && exec "$0" "$@"`, program, ...args])
}
