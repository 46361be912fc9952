/** upload, import and export. */
import { createWriteStream, openAsBlob, readdirSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UploadState } from '@kontor/sdk'
import { type Call, type Command, exitCodes, listOf, numberOf, required, textOf, UsageError } from './command.ts'

export const fileCommands: readonly Command[] = [
  {
    name: 'upload',
    usage: '<file | folder> … --to /RNC/path [--resume] [--overwrite]',
    doc: 'Uploads files, and folders with all their content. --resume continues interrupted uploads.',
    options: { to: { type: 'string' }, resume: { type: 'boolean' }, overwrite: { type: 'boolean' } },
    maxArguments: Infinity,
    run: upload,
  },
  {
    name: 'import',
    usage: '<file.csv | .xlsx | .xml | .jsonl | .zip> [--profile <name>] [--validate] [--result <file.csv>]',
    doc: 'Imports a file. --validate only checks it. --result saves the refused rows to correct and import again.',
    options: { profile: { type: 'string' }, validate: { type: 'boolean' }, result: { type: 'string' }, format: { type: 'string' } }, // prettier-ignore
    maxArguments: 1,
    run: importFile,
  },
  {
    name: 'export',
    usage: '--out <file.csv | .xlsx | .xml | .jsonl | .zip> [--node <path> …] [--tid <tid> …] [--search <id>] [--column <heading> …] [--series <name>]', // prettier-ignore
    doc: 'Exports products. With --series, only those changed or deleted since the last export of the series.',
    options: {
      out: { type: 'string' },
      node: { type: 'string', multiple: true },
      tid: { type: 'string', multiple: true },
      column: { type: 'string', multiple: true },
      search: { type: 'string' },
      series: { type: 'string' },
      profile: { type: 'string' },
    },
    run: exportFile,
  },
]

// upload

interface LocalFile {
  readonly file: string
  /** Relative to the target folder on the server. */
  readonly path: string
}

function localFiles(args: readonly string[]): LocalFile[] {
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
async function uploadOne(call: Call, file: string, path: string) {
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

// import and export

async function importFile(call: Call): Promise<number> {
  const file = required(call.args[0], '<file>')
  const { transfers } = call.client()
  const [profile, format] = [textOf(call, 'profile'), textOf(call, 'format')]
  const options = { name: basename(file), ...(profile && { profile }), ...(format && { format }) }
  const { id = '' } = await transfers.send(await openAsBlob(file), options)
  const command = call.values.validate ? 'validate' : 'start'
  await transfers.controlTransfer({ params: { id, command } })
  const done = await watch(call, id)
  const { rows = [] } = await transfers.listRows({ params: { id }, query: { status: 'refused', count: '20' } })
  const result = textOf(call, 'result')
  if (result !== undefined && Number(done.refused) > 0)
    await pipeline(Readable.from(await transfers.downloadResult({ params: { id } })), createWriteStream(result))
  call.out.value({ ...done, rows }, () => [
    ...rows.flatMap(({ row, faults = [] }) =>
      faults.map(({ column, reason }) => `row ${row}${column ? `, ${column}` : ''}: ${reason}`),
    ),
    ...(done.problem === undefined ? [] : [`${done.state}: ${done.problem}`]),
    `${done.created} created, ${done.updated} updated, ${done.refused} refused`,
  ])
  return done.state === 'failed' || Number(done.refused) > 0 ? exitCodes.refused : exitCodes.ok
}

const watch = async (call: Call, id: string) => {
  const done = await call.client().transfers.watch(id, {
    onProgress: ({ processed = 0, share = 0, state = '' }) => call.out.progress(share, 1, `${processed} ${state}`),
  })
  call.out.settle()
  return done
}

async function exportFile(call: Call): Promise<number> {
  const out = required(textOf(call, 'out'), '--out')
  const format = /\.(csv|xlsx|xml|jsonl|zip)$/i.exec(out)?.[1]?.toLowerCase()
  if (format === undefined) throw new UsageError('--out: expected a name that ends in csv, xlsx, xml, jsonl or zip')
  const [nodePaths, tids, columns] = ['node', 'tid', 'column'].map((name) => [...listOf(call, name)])
  const [series, profile] = ['series', 'profile'].map((name) => textOf(call, name))
  const storedSearch = numberOf(call, 'search')
  const body = {
    format: format as 'csv',
    name: basename(out),
    ...(nodePaths!.length > 0 && { nodePaths: nodePaths! }),
    ...(tids!.length > 0 && { tids: tids! }),
    ...(columns!.length > 0 && { columns: columns! }),
    ...(storedSearch !== undefined && { storedSearch }),
    ...(series && { series }),
    ...(profile && { profile }),
  }
  const { transfers } = call.client()
  const { id = '' } = await transfers.createExport({ body })
  const done = await watch(call, id)
  if (done.state !== 'finished') {
    call.out.value(done, () => [`${done.state}: ${done.problem}`])
    return exitCodes.refused
  }
  await pipeline(Readable.from(await transfers.downloadFile({ params: { id } })), createWriteStream(out))
  call.out.value(done, () => [`${done.total} products in ${out}`])
  return exitCodes.ok
}
