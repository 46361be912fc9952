/** `<objects> query`, `<objects> retrieve`, and `persist <file>`: the interface as it is, for every resource it has. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { areas, decode, formats, Pim, type Resource } from '@kontor/contract'
import type { Records } from '@kontor/sdk'
import { type Call, type Command, demand, exitCodes, listOf, textOf, toNumber, UsageError } from './command.ts'

interface Offered {
  readonly area: string
  readonly name: string
  readonly path: string
  readonly resource: Resource
}
const offered: readonly Offered[] = areas.flatMap((area) =>
  Object.entries(area.resources).map(([name, resource]) => ({
    area: area.base.split('/').at(-1)!,
    name,
    path: `${area.base}/${name}`,
    resource,
  })),
)
/** `products`, `attribute-definitions`; of two areas with the same word, the second is `dam/attribute-definitions`. */
const wordOf = ({ area, name }: Offered) =>
  offered.find((one) => one.name === name)!.area === area ? name : `${area}/${name}`

const asOption = { as: { type: 'string' }, tid: { type: 'string', multiple: true }, id: { type: 'string', multiple: true }, request: { type: 'string' } } as const // prettier-ignore

export const objectCommands: readonly Command[] = [
  ...offered.flatMap((one) => [
    ...(one.resource.query ? [reading(one, 'query', 'Identifiers of objects')] : []),
    ...(one.resource.retrieve ? [reading(one, 'retrieve', 'Objects')] : []),
  ]),
  {
    name: 'persist',
    usage: '<file.xml | file.json> [--atomic]',
    doc: 'Stores the objects of an envelope; long ones as a bulk run.',
    options: { atomic: { type: 'boolean' } },
    words: 1,
    run: persistFile,
  },
]

function reading(one: Offered, verb: 'query' | 'retrieve', what: string): Command {
  return {
    name: `${wordOf(one)} ${verb}`,
    usage: '[--tid <tid> …] [--id <id> …] [--request <json>] [--as json|xml|compact]',
    doc: `${what}: ${one.resource.doc}`,
    options: asOption,
    async run(call) {
      const format = formats[(textOf(call, 'as') ?? 'json') as keyof typeof formats]
      if (!format) throw new UsageError(`--as: expected ${Object.keys(formats).join(', ')}`)
      const [tids, ids] = [listOf(call, 'tid'), listOf(call, 'id').map((id) => toNumber(id, '--id'))]
      const request = { ...requestOf(call), ...(tids.length > 0 && { tids }), ...(ids.length > 0 && { ids }) }
      const reply = call.client().send({
        method: 'POST',
        path: `${one.path}/${verb}`,
        body: JSON.stringify(request),
        headers: { 'content-type': 'application/json', accept: format.mediaType },
      })
      for await (const piece of reply) await call.out.raw(piece)
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

/** More than this go as a bulk run. */
const most = 1000

async function persistFile(call: Call): Promise<number> {
  const file = demand(call.args[0], 'the file')
  const parts = partsOf(file, await readEnvelope(file))
  if (call.values.atomic === true) expectOneBatch(parts)
  const records: Records = []
  for (const { one, items } of parts) records.push(...(await persistItems(call, one, items)))
  return report(call, records)
}

interface Part {
  readonly one: Offered
  readonly items: object[]
}

/** What is in an envelope, by where it is sent. What cannot be stored is no reason to store the rest and call it done. */
function partsOf(file: string, envelope: object): Part[] {
  const containers = Object.entries(envelope).filter(([, content]) => typeof content === 'object')
  const parts = containers.map(([container, content]) => {
    const fitting = offered.filter(({ resource }) => resource.container === container && resource.persist)
    const one = fitting.find(({ resource }) => !resource.own) ?? fitting[0]
    if (!one) throw new UsageError(`${file}: ${container} cannot be stored; take it out of the file`)
    return { one, items: (content as Record<string, object[]>)[one.resource.element] ?? [] }
  })
  const filled = parts.filter(({ items }) => items.length > 0)
  if (filled.length === 0) throw new UsageError(`${file} has no objects that can be stored`)
  return filled
}

/** All or nothing holds for one message. */
function expectOneBatch(parts: readonly Part[]): void {
  if (parts.length > 1)
    throw new UsageError(`--atomic: one kind of objects at a time, not ${parts.map(({ one }) => one.name).join(', ')}`)
  const count = parts[0]!.items.length
  if (count > most) throw new UsageError(`--atomic: at most ${most} objects, not ${count}`)
}

async function readEnvelope(file: string): Promise<object> {
  const format = file.endsWith('.xml') ? formats.xml : formats.json
  if (format === formats.json) return decode(format, Pim, await readFile(file))
  const reader = format.codec.reader(Pim)
  for await (const piece of createReadStream(file)) reader.write(piece as Buffer)
  return reader.end()
}

async function persistItems(call: Call, { area, name }: Offered, items: object[]): Promise<Records> {
  const { out, values } = call
  type Calls = { persist(items: object[], options: object): Promise<Records>; bulk(items: object[]): Promise<{ state(): Promise<{ state: string; processed: number; total: number }>; done(): Promise<Records> }> } // prettier-ignore
  const calls = (call.client() as unknown as Record<string, Record<string, Calls>>)[area]![name]!
  if (items.length <= most) return calls.persist(items, { atomic: values.atomic === true })
  const run = await calls.bulk(items)
  const watching = setInterval(
    () => void run.state().then(({ processed, total }) => out.progress(processed, total, name), () => {}), // prettier-ignore
    500,
  )
  try {
    return await run.done()
  } finally {
    clearInterval(watching)
    out.settle()
  }
}

function report({ out }: Call, records: Records): number {
  const refused = records.filter(({ status }) => status !== 'SUCCESS')
  out.value(records, () => [
    ...refused.map(({ tid, path, id, description }) => `refused: ${tid ?? path ?? id ?? ''} ${description}`),
    `${records.length - refused.length} stored, ${refused.length} refused`,
  ])
  return refused.length > 0 ? exitCodes.refused : exitCodes.fine
}
