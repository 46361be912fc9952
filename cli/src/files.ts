/** upload. */
import { openAsBlob, readdirSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import type { UploadState } from '@kontor/sdk'
import { type Call, type Command, exitCodes, required, textOf, UsageError } from './command.ts'

export const fileCommands: readonly Command[] = [
  {
    name: 'upload',
    usage: '<file | folder> … --to /RNC/path [--resume] [--overwrite]',
    doc: 'Uploads files, and folders with all their content. --resume continues interrupted uploads.',
    options: { to: { type: 'string' }, resume: { type: 'boolean' }, overwrite: { type: 'boolean' } },
    maxArguments: Infinity,
    run: upload,
  },
]

interface LocalFile {
  readonly file: string
  /** Relative to the target folder on the server. */
  readonly path: string
}

export function localFiles(args: readonly string[]): LocalFile[] {
  return args.flatMap((arg) => {
    if (!statSync(arg).isDirectory()) return [{ file: arg, path: basename(arg) }]
    const entries = readdirSync(arg, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return entries.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return { file, path: relative(arg, file).replaceAll('\\', '/') }
    })
  })
}

async function upload(call: Call): Promise<number> {
  const to = required(textOf(call, 'to'), '--to').replace(/\/+$/, '')
  const files = localFiles(call.args)
  if (files.length === 0) throw new UsageError('nothing to upload: name a file or a folder')
  const { dam } = call.client()
  const folders = [...new Set(files.map(({ path }) => `${to}/${path}`.replace(/\/[^/]*$/, '')))]
  if (folders.some((folder) => folder.split('/').length > 2))
    await dam.dirs.perform(folders.map((path) => ({ type: 'createPath' as const, path })))
  const records: { file: string; path: string; status: string; description: string }[] = []
  for (const { file, path } of files) {
    const target = `${to}/${path}`
    const outcome = await uploadOne(call, file, target).then(
      ({ tid }) => ({ status: 'SUCCESS', description: tid ?? '' }),
      (error: Error) => ({ status: 'ERROR', description: error.message }),
    )
    records.push({ file, path: target, ...outcome })
    call.out.line(`${outcome.status === 'SUCCESS' ? 'uploaded' : 'refused'}: ${target} ${outcome.description}`)
  }
  if (call.out.json) call.out.value(records, () => [])
  return records.some(({ status }) => status === 'ERROR') ? exitCodes.refused : exitCodes.ok
}

type UploadStates = Record<string, UploadState>

/** Stores the state of the upload under the file's path, size and modification time until the upload is complete. */
export async function uploadOne(call: Call, file: string, path: string) {
  const { size, mtimeMs } = statSync(file)
  const key = `${resolve(file)} ${size} ${mtimeMs} ${path}`
  const states = call.session.stored<UploadStates>('uploads')
  const save = (state?: UploadState) => {
    const { [key]: _, ...others } = states.read() ?? {}
    states.write(state ? { ...others, [key]: state } : others)
  }
  const previous = call.values.resume ? states.read()?.[key] : undefined
  const request = { path, ...(call.values.overwrite === true && { doOverwrite: true }) }
  const record = await call.client().uploads.asset(await openAsBlob(file), request, {
    ...(previous && { resume: previous }),
    onState: save,
    onProgress: ({ sent, size: total }) => call.out.progress(sent, total, basename(file)),
  })
  save()
  return record
}
