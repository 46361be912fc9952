/** /transfers: receives files, starts exports, lists both and controls them. */
import { Readable } from 'node:stream'
import { because, type ExportRequest, type Infer, transfer as contract, transferEncodings } from '@kontor/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { addJob } from '../adapters/jobs/jobs.ts'
import type { Db } from '../adapters/postgres/db.ts'
import type { Services } from '../core/batch/batch.ts'
import { cut, demandLast } from '../core/batch/paging.ts'
import { type Caller, toStored } from '../core/context.ts'
import { bodyOf } from '../core/http/message.ts'
import { auditBy } from '../core/access/audit.ts'
import { digestOf } from '../core/access/permissions.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { mountStreams, type StreamCall, type StreamHandlers } from '../core/http/streaming.ts'
import { Problem } from '../errors.ts'
import { exportJob } from './exports.ts'
import { readFile, storeFile } from './files.ts'
import { demandLayout, demandWriter } from './layouts/layouts.ts'
import { keepsFormulas } from './formulas.ts'
import { importJob, previewRows } from './imports.ts'
import { suggest } from './memory.ts'
import { type ProfileNeeds, readerOf, type TransferNeeds } from './needs.ts'
import { findLayout, formatOf, withSource } from './open.ts'
import { type Encoding, givenEncoding, givenLayout, hasEnded, type TransferFormat } from './options.ts'
import { headingOf, isUnderstood, type Plan } from './plan.ts'
import { profileOf, profileRoutes } from './profile-routes.ts'
import { createDetector } from './read/encoding.ts'
import { rowRoutes, wholeOf } from './row-routes.ts'
import { find, show, showWhole } from './show.ts'
import { resultHeadings, resultRows } from './result.ts'
import * as rows from './transfers.sql.ts'
import { toCsv } from './write/tables.ts'

type Routes = Omit<typeof contract.routes, 'receiveImport' | 'downloadResult' | 'downloadFile'>
const formats: readonly string[] = ['csv', 'xlsx', 'xml', 'jsonl', 'zip']

/** The commands that an import accepts in each state, and the next state. */
// prettier-ignore
const commands: Readonly<Record<string, { readonly from: readonly rows.State[]; readonly to: rows.State; readonly dry?: boolean }>> = {
  validate: { from: ['received', 'validated', 'failed'], to: 'validating', dry: true },
  start:    { from: ['received', 'validated'], to: 'running', dry: false },
  pause:    { from: ['running', 'validating'], to: 'paused' },
  resume:   { from: ['paused', 'failed'], to: 'running' },
  cancel:   { from: ['received', 'validated', 'running', 'validating', 'paused'], to: 'cancelled' },
}

export function transfers(needs: TransferNeeds) {
  const routes: RouteHandlers<Routes> = {
    async listTransfers({ db, caller }, { query: { after, count = 500 }, continues }) {
      await demandLast(after, (id) => find(db, caller, id))
      const of = caller.roles.has('admin') ? null : caller.userName
      const page = { count: Number(count), continues }
      return { transfers: cut(page, await rows.listTransfers(db, of, after, page.count)).map(show) }
    },
    async getTransfer({ db, caller }, { params }) {
      return showWhole(await find(db, caller, params.id!))
    },
    createExport: ({ caller }, { body }) =>
      needs.database.transaction(async (inside) => show(await beginExport(needs, inside, caller, body))),
    suggestTranslations: ({ caller }, { body }) => suggest(needs, readerOf(needs, caller), body),
    async previewImport({ db, caller }, { params, query }) {
      const row = await find(db, caller, params.id!, 'import')
      const count = Math.min(wholeOf('count', query.count, 10), 100)
      return withSource(readerOf(needs, caller), needs, row, async (opened) => ({
        columns: opened.plan ? columnsOf(opened.plan) : [],
        rows: await previewRows(needs, caller, row, opened, count),
        ...(opened.notes && { notes: [...opened.notes] }),
      }))
    },
    ...profileRoutes(needs),
    async controlTransfer({ caller }, { params }) {
      return control(needs, caller, params.id!, params.command!)
    },
    ...rowRoutes(needs),
    async deleteTransfer({ db, caller }, { params }) {
      const { id, state } = await find(db, caller, params.id!)
      if (state === 'running' || state === 'validating') throw new Problem('inUse', because('transferRunning'))
      await rows.deleteTransfer(db, id)
    },
  }
  const plugin = (app: FastifyInstance, services: Services) => mountStreams(app, services, contract, fileRoutes(needs))
  return { contract, resources: {}, routes, plugin }
}

async function control(needs: TransferNeeds, caller: Caller, id: string, word: string) {
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (!command) throw new Problem('notFound', `no command ${word.slice(0, 50)}; there are ${Object.keys(commands).join(', ')}`) // prettier-ignore
  if (word === 'start') await demandUnderstood(needs, caller, await find(needs.database, caller, id))
  return needs.database.transaction(async (db) => {
    const { direction } = await find(db, caller, id)
    const row = (await rows.lockTransfer(db, id))!
    if (direction === 'export' && word !== 'cancel') throw new Problem('invalid', `cannot ${word} an export`)
    if (!command.from.includes(row.state))
      throw new Problem('inUse', because('notWhile', { action: word, state: row.state }))
    if (command.dry !== undefined) await rows.beginRun(db, id, command.to, command.dry)
    else await rows.setState(db, id, word === 'resume' && row.dry ? 'validating' : command.to)
    if (word === 'validate' || word === 'start' || word === 'resume') await addJob(db, importJob, { id })
    return show((await rows.findTransfer(db, id))!)
  })
}

/** A table without any target cannot be started. A file that cannot be read at all fails when it is imported. */
async function demandUnderstood(needs: TransferNeeds, caller: Caller, row: rows.TransferRow): Promise<void> {
  if (row.direction !== 'import') return
  const read = withSource(readerOf(needs, caller), needs, row, async (opened) => opened.plan)
  const plan = await read.catch((error: unknown) => {
    if (error instanceof Problem) return undefined
    throw error
  })
  if (plan && !isUnderstood(plan))
    throw new Problem('invalid', because('nothingUnderstood', { headings: plan.headings.slice(0, 20).join(', ').slice(0, 200) })) // prettier-ignore
}

// Files

const fileRoutes = (needs: TransferNeeds) =>
  ({
    receiveImport: (call) => receive(needs, call),
    downloadResult: (call) => sendResult(needs, call),
    async downloadFile({ caller: callerOf, params, reply }) {
      const caller = callerOf()
      const row = await find(needs.database, caller, params.id!)
      if (row.direction === 'export' && row.state !== 'finished')
        throw new Problem('inUse', `the export is ${row.state}; its file is not there yet`)
      if (row.rights !== null && row.rights !== digestOf(caller) && !caller.roles.has('admin'))
        throw new Problem('forbidden', because('fileRights'))
      if (hasEnded(row.options)) throw new Problem('forbidden', because('exportEnded'))
      return attached(reply, row.name, mediaTypes[row.format]).send(Readable.from(readFile(needs.database, row.id)))
    },
  }) satisfies Partial<StreamHandlers<typeof contract.routes>>

// prettier-ignore
export const mediaTypes: Readonly<Record<TransferFormat, string>> = {
  csv: 'text/csv; charset=utf-8', xml: 'application/xml', jsonl: 'application/x-ndjson', zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
const attached = (reply: FastifyReply, name: string, type: string) =>
  reply.type(type).header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)

async function receive(needs: TransferNeeds, call: StreamCall) {
  const body = bodyOf(call.request, needs.config.maxBulkBody)
  const id = await receiveFile(needs, call.caller(), call.query, body)
  return call.send(show((await rows.findTransfer(needs.database, id))!))
}

interface ReceivedFile {
  readonly name?: string | undefined
  readonly format?: string | undefined
  readonly profile?: string | undefined
  readonly encoding?: string | undefined
  readonly layout?: string | undefined
  readonly createModel?: string | undefined
}

/** Stores a file to import and returns the id of the import, which has not begun. */
export async function receiveFile(
  needs: TransferNeeds,
  caller: Caller,
  { name = 'import', format = formatOf(name), profile, encoding, layout, createModel }: ReceivedFile,
  body: AsyncIterable<Buffer>,
): Promise<string> {
  const { database } = needs
  if (format === undefined || !formats.includes(format))
    throw new Problem('invalid', `format: expected one of ${formats.join(', ')}, or a name that ends like it`)
  const found = await profileOf(needs, database, caller, profile)
  const given = demandEncoding(format, encoding)
  const laidOut = demandLayout(layout)
  const options = {
    ...(found && { profile: found }),
    ...(given && { givenEncoding: given }),
    ...(laidOut && { givenLayout: laidOut }),
    ...(createModel === 'true' && { createModel: true }),
  }
  const detector = format === 'csv' ? createDetector() : undefined
  const kind = { direction: 'import', format: format as TransferFormat, principal: toStored(caller) } as const
  const row = await rows.insertTransfer(database, { ...kind, name: name.slice(0, 255), options, state: 'receiving' })
  try {
    await storeFile(database, row.id, detector?.over(body) ?? body)
    if (detector) await rows.setEncoding(database, row.id, await detector.find(givenEncoding(options)))
    await rows.setState(database, row.id, 'received')
    await findLayout(readerOf(needs, caller), (await rows.findTransfer(database, row.id))!).catch(unlessProblem)
  } catch (error) {
    await rows.deleteTransfer(database, row.id).catch(() => {}) // otherwise it is removed by age
    throw error
  }
  return row.id
}

/** A file that cannot be read is refused when it is previewed, checked or started. */
function unlessProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

function demandEncoding(format: string, encoding: string | undefined): Encoding | undefined {
  if (encoding === undefined) return undefined
  const found = transferEncodings.find((one) => one === encoding.toLowerCase())
  if (!found)
    throw new Problem(
      'invalid',
      `encoding: unknown encoding ${encoding.slice(0, 50)}; expected one of ${transferEncodings.join(', ')}`,
    )
  if (format === 'csv' || format === 'zip') return found
  throw new Problem('invalid', `encoding: only CSV has a choice of encodings; leave it out for ${format}`)
}

async function sendResult(needs: TransferNeeds, { reply, params, caller: callerOf }: StreamCall) {
  const caller = callerOf()
  const row = await find(needs.database, caller, params.id!, 'import')
  const ready = Promise.withResolvers<AsyncIterable<Buffer>>()
  const ended = Promise.withResolvers<void>()
  // The file stays open while it is being sent.
  withSource(readerOf(needs, caller), needs, row, async (opened) => {
    const found = resultRows(needs.database, row.id, opened)
    ready.resolve(
      toCsv(resultHeadings(opened), found, {
        keepsFormulas: keepsFormulas(row.options),
        delimiter: row.options.profile?.delimiter,
        headerRow: row.options.profile?.headerRow,
      }),
    )
    await ended.promise
  }).catch(ready.reject)
  const stream = Readable.from(await ready.promise).once('close', ended.resolve)
  return attached(reply, `${row.name}.result.csv`, mediaTypes.csv).send(stream)
}

// Shared

function columnsOf({ headings, meanings, added, faults }: Plan) {
  return [...headings, ...added.map(({ heading }) => heading)].map((heading, i) => {
    const column = meanings[i]
    const fault = faults.get(heading)
    return { column: heading, ...(column && { meaning: headingOf(column) }), ...(fault !== undefined && { fault }) }
  })
}

type ExportValue = Infer<typeof ExportRequest>

const nameOf = ({ format, translation }: ExportValue) =>
  translation ? `translation-${translation.target}.xlf` : `products.${format}`

/** An export is a row and a job, added in one transaction. */
async function beginExport(
  needs: ProfileNeeds,
  db: Db,
  caller: Caller,
  request: ExportValue,
): Promise<rows.TransferRow> {
  const { format, name = nameOf(request) } = request
  const profile = await profileOf(needs, db, caller, request.profile)
  const options = { request, ...(profile && { profile }) }
  const layout = givenLayout(options) ?? 'plain'
  if (layout !== 'plain') demandWriter(layout, format)
  if ((layout === 'xliff') !== (request.translation !== undefined))
    throw new Problem('invalid', layout === 'xliff' ? 'translation: the layout xliff needs the locale to translate into' : 'translation: only taken with the layout xliff') // prettier-ignore
  if (layout !== 'plain' && request.series !== undefined)
    throw new Problem('invalid', `series: the layout ${layout} cannot express deletions; leave out the series`)
  if (request.pictures !== undefined && layout === 'plain' && (format === 'xml' || format === 'jsonl'))
    throw new Problem('invalid', `pictures: ${format} names assets by tid; leave it out, or choose csv, xlsx or zip`)
  if (request.territory !== undefined && !/^[A-Z]{2}$/.test(request.territory))
    throw new Problem('invalid', 'territory: expected a country such as DE')
  const principal = toStored(caller)
  const row = await rows.insertTransfer(db, { direction: 'export', name, format, options, principal, state: 'running' })
  await addJob(db, exportJob, { id: row.id })
  await auditBy(db, caller, { action: 'export', object: `transfer ${row.id}`, detail: { format } })
  return row
}

/** Orders an export inside the caller's transaction and returns its id. */
export const orderExport = async (needs: ProfileNeeds, db: Db, caller: Caller, request: ExportValue): Promise<string> =>
  (await beginExport(needs, db, caller, request)).id

/** The number of rows of a received import; 0 if its file cannot be read, which it says when it is started. */
export async function countRows(needs: TransferNeeds, caller: Caller, id: string): Promise<number> {
  const row = (await rows.findTransfer(needs.database, id))!
  let count = 0
  await withSource(readerOf(needs, caller), needs, row, async ({ source }) => {
    for await (const _ of source.rows) count++
  }).catch(unlessProblem)
  return count
}

/** Starts a received import inside the caller's transaction. */
export async function startImport(db: Db, id: string): Promise<void> {
  await rows.beginRun(db, id, 'running', false)
  await addJob(db, importJob, { id })
}
