/** import, export, and transfers: to list, follow and control them. */
import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { KontorError } from '@kontor/sdk'
import { type Call, type Command, exitCodes, listOf, numberOf, required, textOf, UsageError } from './command.ts'

type Transfers = ReturnType<Call['client']>['transfers']
type Transfer = Awaited<ReturnType<Transfers['watch']>>

const control = (command: 'pause' | 'resume' | 'cancel', doc: string): Command => ({
  name: `transfers ${command}`,
  usage: '<id>',
  doc,
  maxArguments: 1,
  async run(call) {
    const id = required(call.args[0], '<id>')
    const done = await call.client().transfers.controlTransfer({ params: { id, command } })
    call.out.value(done, () => [`${id} ${done.state}`])
  },
})

export const transferCommands: readonly Command[] = [
  {
    name: 'import',
    usage: '<file.csv | .xlsx | .xml | .jsonl | .zip> [--profile <name>] [--layout <name>] [--create-model] [--encoding <name>] [--validate] [--result <file.csv>]', // prettier-ignore
    doc: 'Imports a file. The layout (akeneo, shopify and so on) and the encoding of a CSV are detected unless you give them. --create-model creates attributes and categories that are missing. --validate only checks it. --result saves the refused rows to correct and import again.',
    options: { profile: { type: 'string' }, layout: { type: 'string' }, 'create-model': { type: 'boolean' }, encoding: { type: 'string' }, validate: { type: 'boolean' }, result: { type: 'string' }, format: { type: 'string' } }, // prettier-ignore
    maxArguments: 1,
    run: importFile,
  },
  {
    name: 'export',
    usage: '--out <file.csv | .xlsx | .xml | .jsonl | .zip> [--node <path> …] [--tid <tid> …] [--search <id>] [--column <heading> …] [--locale <de_DE> …] [--inherited] [--series <name>] [--profile <name>] [--layout <name>] [--pictures <rendition>] [--formulas <escape | keep>] [--translate-to <de_DE> [--translate-from <en_GB>] [--state <open | missing | stale | all>] [--memory]]', // prettier-ignore
    doc: 'Exports products. With --series, only those changed or deleted since the last export of the series. --inherited fills cells with inherited values. With --translate-to, their texts for translators, as XLIFF 2.1 (.xlf); --memory fills in known translations. --pictures names a rendition: a zip has the pictures as renditions, other files their public addresses. --formulas keep leaves cells of a CSV that a spreadsheet would run.',
    options: {
      out: { type: 'string' },
      node: { type: 'string', multiple: true },
      tid: { type: 'string', multiple: true },
      column: { type: 'string', multiple: true },
      locale: { type: 'string', multiple: true },
      inherited: { type: 'boolean' },
      search: { type: 'string' },
      series: { type: 'string' },
      profile: { type: 'string' },
      layout: { type: 'string' },
      pictures: { type: 'string' },
      formulas: { type: 'string' },
      'translate-to': { type: 'string' },
      'translate-from': { type: 'string' },
      state: { type: 'string' },
      memory: { type: 'boolean' },
    },
    run: exportFile,
  },
  {
    name: 'transfers',
    usage: '',
    doc: 'Lists imports and exports, newest first.',
    async run(call) {
      const { transfers = [] } = await call.client().transfers.listTransfers()
      call.out.value(transfers, () => transfers.map(describe))
    },
  },
  {
    name: 'transfers follow',
    usage: '<id> [--out <file>] [--result <file.csv>]',
    doc: 'Waits for the end of an import or export. --out saves the file of an export, --result the refused rows of an import.',
    options: { out: { type: 'string' }, result: { type: 'string' } },
    maxArguments: 1,
    async run(call) {
      const id = required(call.args[0], '<id>')
      const done = await watch(call, id)
      return done.direction === 'export' ? endExport(call, done, textOf(call, 'out')) : endImport(call, done)
    },
  },
  control('pause', 'Pauses an import.'),
  control('resume', 'Continues an import that was paused or has failed.'),
  control('cancel', 'Cancels an import or export.'),
]

const percent = (share = 0) => `${Math.round(share * 100)} %`
const describe = ({ id, direction, state, share, name, series }: Transfer) =>
  [id, direction, state, percent(share), name, ...(series === undefined ? [] : [`series ${series}`])].join('\t')

// Servers that restart

/** How long a server may be away, and how long to wait between two attempts (ms). */
const longestAbsence = { before: 2 * 60_000, during: 15 * 60_000 }
const waits = { first: 1000, longest: 10_000 }

const isAway = (error: unknown) =>
  error instanceof KontorError
    ? [502, 503, 504].includes(error.status)
    : (error as Error).message === 'fetch failed' || (error as { cause?: { code?: string } }).cause?.code !== undefined

/**
 * Repeats work while the server is away: a transfer goes on when the server is back. Without an id, there is no transfer
 * yet; a server that never answers is not waited for as long.
 */
export async function patiently<T>(call: Call, id: string | undefined, work: () => Promise<T>): Promise<T> {
  const longest = id === undefined ? longestAbsence.before : longestAbsence.during
  let awaySince: number | undefined
  for (let wait = waits.first; ; wait = Math.min(wait * 1.5, waits.longest)) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
      const aim = id === undefined ? '' : ` to continue with ${id}`
      if (awaySince === undefined) call.out.note(`the server does not answer; waiting for it${aim}`)
      awaySince ??= performance.now()
      if (performance.now() - awaySince > longest) {
        if (id !== undefined) call.out.note(`to go on later: kontor transfers follow ${id}`)
        throw error
      }
      await pause(wait)
    }
  }
}

async function watch(call: Call, id: string): Promise<Transfer> {
  const { transfers } = call.client()
  const onProgress = ({ processed = 0, share = 0, state }: Transfer) =>
    call.out.progress(share, 1, `${processed} ${state ?? ''}`)
  const done = await patiently(call, id, () => transfers.watch(id, { onProgress }))
  call.out.settle()
  return done
}

const save = (call: Call, id: string, out: string, open: () => Promise<AsyncIterable<Uint8Array>>) =>
  patiently(call, id, async () => pipeline(Readable.from(await open()), createWriteStream(out)))

// import

async function importFile(call: Call): Promise<number> {
  const file = required(call.args[0], '<file>')
  const given = (['profile', 'format', 'encoding', 'layout'] as const).map(
    (name) => [name, textOf(call, name)] as const,
  )
  const options = {
    ...(call.values['create-model'] === true && { createModel: 'true' as const }),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  }
  return endImport(call, await sendImport(call, file, options))
}

type SendOptions = NonNullable<Parameters<Transfers['send']>[1]>

/** Sends a file and returns the id of its import. All attempts have one key, so that they are one call to the server. */
export async function sendFile(call: Call, file: string, options: SendOptions = {}): Promise<string> {
  const { transfers } = call.client()
  const content = await openAsBlob(file)
  const given = { name: basename(file), idempotencyKey: randomUUID(), ...options }
  const { id = '' } = await patiently(call, undefined, () => transfers.send(content, given))
  return id
}

/** Sends a file, starts or validates it, and waits for the end. */
export async function sendImport(call: Call, file: string, options: SendOptions): Promise<Transfer> {
  const { transfers } = call.client()
  const id = await sendFile(call, file, options)
  call.out.note(`transfer ${id}`)
  const command = call.values.validate ? 'validate' : 'start'
  let mayHaveStarted = false
  await patiently(call, id, async () => {
    if (mayHaveStarted && (await transfers.getTransfer({ params: { id } })).state !== 'received') return
    mayHaveStarted = true
    await transfers.controlTransfer({ params: { id, command } })
  })
  return watch(call, id)
}

async function endImport(call: Call, done: Transfer): Promise<number> {
  const { id = '' } = done
  const { transfers } = call.client()
  const rows = await refusedRows(call, id)
  const result = textOf(call, 'result')
  if (result !== undefined && Number(done.refused) > 0)
    await save(call, id, result, () => transfers.downloadResult({ params: { id } }))
  call.out.value({ ...done, rows }, () => [
    ...rows.flatMap(faultLines),
    ...(done.problem === undefined ? [] : [`${done.state === 'received' ? 'not valid' : done.state}: ${done.problem}`]),
    ...(done.layout === undefined ? [] : [`layout ${done.layout}`]),
    ...notesOf(done),
    ...(done.encoding === undefined || done.encoding === 'utf-8' ? [] : [`read as ${done.encoding}`]),
    countsOf(done),
  ])
  return done.problem !== undefined || Number(done.refused) > 0 ? exitCodes.refused : exitCodes.ok
}

export const refusedRows = async (call: Call, id: string) =>
  (await patiently(call, id, () => call.client().transfers.listRows({ params: { id }, query: { status: 'refused', count: '20' } }))).rows ?? [] // prettier-ignore
export const faultLines = ({ row, faults = [] }: Awaited<ReturnType<typeof refusedRows>>[number]) =>
  faults.map(({ column, reason }) => `row ${row}${column ? `, ${column}` : ''}: ${reason}`)

const maxNotes = 20

/** Content of the file that was not imported. */
function notesOf({ id, notes = [] }: Transfer): string[] {
  const lines = notes.slice(0, maxNotes).map(({ place, count, reason }) => `not imported: ${place} (${count} times): ${reason}`) // prettier-ignore
  return notes.length > maxNotes
    ? [...lines, `and ${notes.length - maxNotes} more; see /api/v1/transfers/${id}`]
    : lines
}

/** Counts objects; a table may have several rows for each. */
export function countsOf({ objects, ...rows }: Transfer): string {
  const { created = 0, updated = 0, unchanged = 0, refused = 0, deleted = 0 } = objects ?? rows
  const sum = (counts: NonNullable<Transfer['objects']>) =>
    [counts.created, counts.updated, counts.unchanged, counts.refused, counts.deleted].reduce<number>((all, one) => all + Number(one ?? 0), 0) // prettier-ignore
  const more = objects && sum(objects) !== sum(rows) ? ` (${sum(rows)} rows)` : ''
  const same = Number(unchanged) > 0 ? `${unchanged} unchanged, ` : ''
  const gone = Number(deleted) > 0 ? `${deleted} deleted, ` : ''
  return `${created} created, ${updated} updated, ${same}${gone}${refused} refused${more}`
}

// export

async function exportFile(call: Call): Promise<number> {
  const out = required(textOf(call, 'out'), '--out')
  const translation = translationOf(call)
  const format = /\.(csv|xlsx|xml|jsonl|zip)$/i.exec(out.replace(/\.xl(f|iff)$/i, '.xml'))?.[1]?.toLowerCase()
  if (format === undefined) throw new UsageError('--out: expected a name that ends in csv, xlsx, xml, jsonl or zip')
  const lists = { nodePaths: 'node', tids: 'tid', columns: 'column', locales: 'locale' }
  const asked = Object.entries(lists).map(([field, name]) => [field, [...listOf(call, name)]] as const)
  const names = ['series', 'profile', 'layout', 'pictures', 'formulas'] as const
  const given = names.map((name) => [name, textOf(call, name)] as const).filter(([, value]) => value !== undefined)
  const storedSearch = numberOf(call, 'search')
  const body = {
    format: format as 'csv',
    name: basename(out),
    ...Object.fromEntries(asked.filter(([, values]) => values.length > 0)),
    ...(storedSearch !== undefined && { storedSearch }),
    ...Object.fromEntries(given),
    ...(call.values['inherited'] === true && { inherited: true }),
    ...(translation && { layout: 'xliff' as const, translation }),
  }
  const { transfers } = call.client()
  const order = { body, idempotencyKey: randomUUID() }
  const { id = '' } = await patiently(call, undefined, () => transfers.createExport(order))
  call.out.note(`transfer ${id}`)
  return endExport(call, await watch(call, id), out)
}

function translationOf(call: Call) {
  const [target, source, state] = ['translate-to', 'translate-from', 'state'].map((name) => textOf(call, name))
  if (target === undefined) return undefined
  return {
    target,
    ...(source && { source }),
    ...(state && { state: state as 'open' }),
    ...(call.values['memory'] === true && { memory: true }),
  }
}

async function endExport(call: Call, done: Transfer, out: string | undefined): Promise<number> {
  const { id = '' } = done
  if (done.state !== 'finished') {
    call.out.value(done, () => [`${done.state}: ${done.problem}`])
    return exitCodes.refused
  }
  if (out !== undefined) await save(call, id, out, () => call.client().transfers.downloadFile({ params: { id } }))
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  const deleted = Number(done.deleted ?? 0) > 0 ? ` and ${counted(Number(done.deleted), 'deletion')}` : ''
  call.out.value(done, () => [`${counted(Number(done.total), 'product')}${deleted} in ${out ?? done.name}`])
  return exitCodes.ok
}
