/** migrate: moves from another system, from its exported files. A second run changes nothing. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Call, type Command, exitCodes, required, UsageError } from './command.ts'
import { localFiles, uploadOne } from './files.ts'
import { countsOf, faultLines, refusedRows, sendImport } from './transfers.ts'

export const migrateCommands: readonly Command[] = [
  {
    name: 'migrate akeneo',
    usage: '<folder>',
    doc: 'Imports the exports of Akeneo in a folder: attributes, groups of attributes, options, categories, families, product models and products as CSV, XLSX or JSON, and the folder `files` with media. Run it as often as you like.',
    maxArguments: 1,
    run: migrateAkeneo,
  },
]

/** Kinds of files in the order of their import, by their names. */
const steps: readonly (readonly [kind: string, name: RegExp])[] = [
  ['attributes', /attribute(?!_?(option|group))/i],
  ['attribute groups', /attribute_?group/i],
  ['options', /option/i],
  ['categories', /categor/i],
  ['families', /famil(y|ies)(?!_?variant)/i],
  ['product models', /product_?model/i],
  ['products', /product(?!_?model)/i],
]
const formats = /\.(csv|xlsx|json|jsonl)$/i
const mediaFolder = 'files'
/** The same folder as in the layout of the server. */
const mediaHome = '/MAM/Akeneo'

const kindOf = (name: string) => (/attribute_?options?/i.test(name) ? 'options' : /family_?variant/i.test(name) ? undefined : steps.find(([, pattern]) => pattern.test(name))?.[0]) // prettier-ignore

async function migrateAkeneo(call: Call): Promise<number> {
  const folder = required(call.args[0], '<folder>')
  if (!existsSync(folder)) throw new UsageError(`${folder}: no such folder`)
  const names = readdirSync(folder).filter((name) => formats.test(name)).toSorted() // prettier-ignore
  const files = steps.flatMap(([kind]) => names.filter((name) => kindOf(name) === kind))
  if (files.length === 0)
    throw new UsageError(`${folder}: no exports; expected files such as attributes.csv, categories.csv, products.csv`)
  const results: object[] = []
  const media = await uploadMedia(call, join(folder, mediaFolder))
  if (media) results.push(media)
  let isRefused = media !== undefined && media.refused > 0
  for (const name of files) {
    const done = await sendImport(call, join(folder, name), { layout: 'akeneo', createModel: 'true' })
    const rows = Number(done.refused) > 0 ? await refusedRows(call, done.id!) : []
    results.push({ file: name, ...done, rows })
    for (const line of rows.flatMap(faultLines)) call.out.line(`${name}, ${line}`)
    call.out.line(`${name}: ${done.state === 'finished' ? countsOf(done) : `${done.state}: ${done.problem}`}`)
    isRefused ||= rows.length > 0
    if (done.state === 'finished') continue
    isRefused = true
    break // later files need this one
  }
  for (const name of names.filter((one) => kindOf(one) === undefined))
    call.out.line(`${name}: not imported; Kontor has no such objects`)
  if (call.out.json) call.out.value(results, () => [])
  return isRefused ? exitCodes.refused : exitCodes.ok
}

/** Akeneo gives a new file a new path, so a file that exists is the same. */
async function uploadMedia(call: Call, folder: string) {
  if (!existsSync(folder)) return undefined
  const files = localFiles([folder])
  const paths = [...new Set(files.map(({ path }) => `${mediaHome}/${path}`.replace(/\/[^/]*$/, '')))]
  if (paths.length > 0) await call.client().dam.dirs.perform(paths.map((path) => ({ type: 'createPath' as const, path }))) // prettier-ignore
  const counts = { created: 0, unchanged: 0, refused: 0 }
  for (const { file, path } of files) {
    const target = `${mediaHome}/${path}`
    try {
      await uploadOne(call, file, target)
      counts.created++
    } catch (error) {
      const { message } = error as Error
      const exists = message.includes('a file exists at')
      counts[exists ? 'unchanged' : 'refused']++
      if (!exists) call.out.line(`${basename(folder)}/${path}: ${message}`)
    }
  }
  const { created, unchanged, refused } = counts
  call.out.line(`${mediaFolder}: ${created} created, ${unchanged} unchanged, ${refused} refused`)
  return { file: mediaFolder, ...counts }
}
