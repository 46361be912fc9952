/**
 * External programs for formats that our libraries cannot read: found by name, run with limited memory, apart from
 * the server (sandbox.ts).
 *
 * The pool limits their run time: after the timeout it kills the worker with its subprocesses.
 */
import { accessSync, constants } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import type { Order, Tools } from './message.ts'
import { runIn } from './sandbox.ts'

/** Alternative names of each program, in order of preference. */
const names: Readonly<Record<keyof Tools, readonly string[]>> = {
  ffmpeg: ['ffmpeg'],
  ffprobe: ['ffprobe'],
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

/**
 * Runs a program on the file of an order and returns what it wrote; `argsOf` gets the path under which the program sees
 * the file.
 */
export async function runTool(
  { sandbox, file, folder }: Pick<Order, 'sandbox' | 'file' | 'folder'>,
  program: string,
  argsOf: (input: string) => readonly string[],
): Promise<string> {
  if (sandbox.hidden === undefined) return runIn(sandbox, [program, ...argsOf(file)]).catch(inShort(program))
  const input = join(folder, 'input')
  await writeFile(input, '') // a place for the file, which is in the hidden folder
  return runIn(sandbox, [program, ...argsOf(input)], { file, input }).catch(inShort(program))
}

/** The message of Node has the whole command with its paths; people need the last line of the program. */
export const inShort =
  (program: string) =>
  (error: Error & { readonly stderr?: string }): never => {
    const line = (error.stderr ?? '').trim().split('\n').at(-1) ?? ''
    const reason = line.replaceAll(/(?:file:)?\/\S*\/\S*/g, 'the file').slice(0, 200)
    throw new Error(`${basename(program)} failed${reason === '' ? '' : `: ${reason}`}`, { cause: error })
  }
