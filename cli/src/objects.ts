/** `<resource> query` and `<resource> retrieve` for every resource of the interface, and `persist <file>`. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { areas, decode, formats, Pim, type Resource } from '@kontor/contract'
import type { BulkRun, Records } from '@kontor/sdk'
import { type Call, type Command, exitCodes, listOf, required, textOf, toNumber, UsageError } from './command.ts'

interface ResourceEntry {
  readonly area: string
  readonly name: string
  readonly path: string
  readonly resource: Resource
}
const entries: readonly ResourceEntry[] = areas.flatMap((area) =>
  Object.entries(area.resources).map(([name, resource]) => ({
    area: area.base.split('/').at(-1)!,
    name,
    path: `${area.base}/${name}`,
    resource,
  })),
)
/** `products`; of two resources with the same name, the second is prefixed: `pim/attribute-definitions`. */
const nounOf = ({ area, name }: ResourceEntry) =>
  entries.find((entry) => entry.name === name)!.area === area ? name : `${area}/${name}`

const readOptions = { as: { type: 'string' }, tid: { type: 'string', multiple: true }, id: { type: 'string', multiple: true }, request: { type: 'string' } } as const // prettier-ignore

export const objectCommands: readonly Command[] = [
  ...entries.flatMap((entry) => [
    ...(entry.resource.query ? [readCommand(entry, 'query', 'Prints identifiers of objects')] : []),
    ...(entry.resource.retrieve ? [readCommand(entry, 'retrieve', 'Prints objects')] : []),
  ]),
  {
    name: 'persist',
    usage: '<file.xml | file.json> [--atomic]',
    doc: 'Stores the objects of an envelope; more than 1000 of a kind as a bulk run.',
    options: { atomic: { type: 'boolean' } },
    maxArguments: 1,
    run: persistFile,
  },
]

function readCommand(entry: ResourceEntry, verb: 'query' | 'retrieve', doc: string): Command {
  return {
    name: `${nounOf(entry)} ${verb}`,
    usage: '[--tid <tid> …] [--id <id> …] [--request <json>] [--as json|xml|compact]',
    doc: `${doc}: ${entry.resource.doc}`,
    options: readOptions,
    async run(call) {
      const format = formats[(textOf(call, 'as') ?? 'json') as keyof typeof formats]
      if (!format) throw new UsageError(`--as: expected ${Object.keys(formats).join(', ')}`)
      const [tids, ids] = [listOf(call, 'tid'), listOf(call, 'id').map((id) => toNumber(id, '--id'))]
      const request = { ...requestOf(call), ...(tids.length > 0 && { tids }), ...(ids.length > 0 && { ids }) }
      const reply = call.client().send({
        method: 'POST',
        path: `${entry.path}/${verb}`,
        body: JSON.stringify(request),
        headers: { 'content-type': 'application/json', accept: format.mediaType },
      })
      for await (const chunk of reply) await call.out.raw(chunk)
      await call.out.raw(Buffer.from('\n'))
    },
  }
}

function requestOf(call: Call): object {
  const text = textOf(call, 'request')
  if (text === undefined) return {}
  try {
    return JSON.parse(text) as object
  } catch (error) {
    throw new UsageError(`--request: ${(error as Error).message}`)
  }
}

/** The most objects of one persist; more are sent as a bulk run. */
const maxBatch = 1000

async function persistFile(call: Call): Promise<number> {
  const file = required(call.args[0], '<file>')
  const parts = partsOf(file, await readEnvelope(file))
  if (call.values.atomic === true) expectOneBatch(parts)
  const records: Records = []
  for (const { entry, items } of parts) records.push(...(await persistItems(call, entry, items)))
  return report(call, records)
}

interface Part {
  readonly entry: ResourceEntry
  readonly items: object[]
}

/** The objects of an envelope by resource. A kind that cannot be stored refuses the whole file: nothing is skipped. */
function partsOf(file: string, envelope: object): Part[] {
  const containers = Object.entries(envelope).filter(([, content]) => typeof content === 'object')
  const parts = containers.map(([container, content]) => {
    const matching = entries.filter(({ resource }) => resource.container === container && resource.persist)
    const entry = matching.find(({ resource }) => !resource.own) ?? matching[0]
    if (!entry) throw new UsageError(`${file}: ${container} cannot be stored; remove it from the file`)
    return { entry, items: (content as Record<string, object[]>)[entry.resource.element] ?? [] }
  })
  const filled = parts.filter(({ items }) => items.length > 0)
  if (filled.length === 0) throw new UsageError(`${file} has no objects that can be stored`)
  return filled
}

/** The server can apply one message atomically, not several. */
function expectOneBatch(parts: readonly Part[]): void {
  if (parts.length > 1)
    throw new UsageError(
      `--atomic: one kind of objects at a time, not ${parts.map(({ entry }) => entry.name).join(', ')}`,
    )
  const count = parts[0]!.items.length
  if (count > maxBatch) throw new UsageError(`--atomic: at most ${maxBatch} objects, not ${count}`)
}

async function readEnvelope(file: string): Promise<object> {
  const format = file.endsWith('.xml') ? formats.xml : formats.json
  if (format === formats.json) return decode(format, Pim, await readFile(file))
  const reader = format.codec.reader(Pim)
  for await (const chunk of createReadStream(file)) reader.write(chunk as Buffer)
  return reader.end()
}

async function persistItems(call: Call, { area, name }: ResourceEntry, items: object[]): Promise<Records> {
  const { out, values } = call
  type Calls = { persist(items: object[], options: object): Promise<Records>; bulk(items: object[]): Promise<BulkRun> }
  const calls = (call.client() as unknown as Record<string, Record<string, Calls>>)[area]![name]!
  if (items.length <= maxBatch) return calls.persist(items, { atomic: values.atomic === true })
  const run = await calls.bulk(items)
  const progressTimer = setInterval(
    () => void run.state().then(({ processed, total }) => out.progress(processed, total, name), () => {}), // prettier-ignore
    500,
  )
  try {
    return await run.done()
  } finally {
    clearInterval(progressTimer)
    out.settle()
  }
}

function report({ out }: Call, records: Records): number {
  const refused = records.filter(({ status }) => status !== 'SUCCESS')
  const warned = records.flatMap(({ status, tid, details }) => {
    const warnings =
      status === 'SUCCESS' ? (details?.itm ?? []).filter(({ key = '' }) => key.startsWith('warning.')) : []
    return warnings.map(
      ({ key = '', value = '' }) => `warning: ${tid ?? ''} attribute ${key.slice('warning.'.length)}: ${value}`,
    )
  })
  out.value(records, () => [
    ...warned,
    ...refused.map(({ tid, path, id, description }) => `refused: ${tid ?? path ?? id ?? ''} ${description}`),
    `${records.length - refused.length} stored, ${refused.length} refused`,
  ])
  return refused.length > 0 ? exitCodes.refused : exitCodes.ok
}
