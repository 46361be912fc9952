/** /transfers: receives files, starts exports, lists both and controls them. */
import { Readable } from 'node:stream'
import {
  type ExportRequest,
  type Infer,
  type Transfer,
  transfer as contract,
  transferEncodings,
} from '@kontor/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { addJob } from '../adapters/jobs/jobs.ts'
import type { Db } from '../adapters/postgres/db.ts'
import type { Services } from '../core/batch/batch.ts'
import { type Caller, toStored } from '../core/context.ts'
import { bodyOf } from '../core/http/message.ts'
import { newName } from '../core/batch/names.ts'
import { auditBy } from '../core/access/audit.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { mountStreams, type StreamCall, type StreamHandlers } from '../core/http/streaming.ts'
import { Problem } from '../errors.ts'
import { digestOf, exportJob } from './exports.ts'
import { readFile, storeFile } from './files.ts'
import { keepsFormulas } from './formulas.ts'
import { importJob, previewRows } from './imports.ts'
import { readerOf, type TransferNeeds } from './needs.ts'
import { formatOf, withSource } from './open.ts'
import { type Encoding, givenEncoding, type Profile, type TransferFormat } from './options.ts'
import { columnOf, headingOf, type Plan } from './plan.ts'
import { demandProfile } from './profiles.ts'
import { createDetector } from './read/encoding.ts'
import { outcomesOf, resultHeadings, resultRows } from './result.ts'
import * as rows from './transfers.sql.ts'
import { toCsv } from './write/tables.ts'

type Routes = Omit<typeof contract.routes, 'receiveImport' | 'downloadResult' | 'downloadFile'>
const statuses = ['created', 'updated', 'unchanged', 'refused']
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
    async listProfiles({ db }) {
      const found = await rows.listProfiles(db)
      return { profiles: found.map(({ name, profile }) => ({ ...profile, name })) }
    },
    async putProfile({ db, caller }, { params, body }) {
      const name = newName('name', params.name!)
      demandProfile(body)
      await rows.upsertProfile(db, name, { ...body, name }, caller.userName)
      return { ...body, name }
    },
    async deleteProfile({ db }, { params }) {
      if ((await rows.deleteProfile(db, params.name!)) === 0)
        throw new Problem('notFound', `no profile has the name ${params.name!.slice(0, 100)}`)
    },
    async listTransfers({ db, caller }) {
      const found = await rows.listTransfers(db, caller.roles.has('admin') ? null : caller.userName)
      return { transfers: found.map(show) }
    },
    async getTransfer({ db, caller }, { params }) {
      return show(await find(db, caller, params.id!))
    },
    createExport: ({ caller }, { body }) =>
      needs.database.transaction(async (inside) => show(await beginExport(inside, caller, body))),
    async previewImport({ db, caller }, { params, query }) {
      const row = await find(db, caller, params.id!, 'import')
      const count = Math.min(wholeOf('count', query.count, 10), 100)
      return withSource(readerOf(needs, caller), needs.retrieveDefinitions, row, async (opened) => ({
        columns: opened.plan ? columnsOf(opened.plan, row.options.profile) : [],
        rows: await previewRows(needs, caller, opened, count),
      }))
    },
    async controlTransfer({ caller }, { params }) {
      return control(needs, caller, params.id!, params.command!)
    },
    async listRows({ db, caller }, { params, query: { status, after, count } }) {
      const { id } = await find(db, caller, params.id!, 'import')
      if (status !== undefined && !statuses.includes(status))
        throw new Problem(
          'invalid',
          `status: unknown status ${status.slice(0, 50)}; expected one of ${statuses.join(', ')}`,
        )
      const most = Math.min(wholeOf('count', count, 100), 1000)
      const found = []
      for await (const one of outcomesOf(db, id, status === 'refused', wholeOf('after', after, 0))) {
        if (found.length >= most) break
        if (status === undefined || one.status === status) found.push(one)
      }
      return { rows: found }
    },
    async deleteTransfer({ db, caller }, { params }) {
      const { id, state } = await find(db, caller, params.id!)
      if (state === 'running' || state === 'validating')
        throw new Problem('inUse', 'the transfer is running; cancel it first')
      await rows.deleteTransfer(db, id)
    },
  }
  const plugin = (app: FastifyInstance, services: Services) => mountStreams(app, services, contract, fileRoutes(needs))
  return { contract, resources: {}, routes, plugin }
}

async function control(needs: TransferNeeds, caller: Caller, id: string, word: string) {
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (!command) throw new Problem('notFound', `no command ${word.slice(0, 50)}; there are ${Object.keys(commands).join(', ')}`) // prettier-ignore
  return needs.database.transaction(async (db) => {
    const { direction } = await find(db, caller, id)
    const row = (await rows.lockTransfer(db, id))!
    if (direction === 'export' && word !== 'cancel') throw new Problem('invalid', `cannot ${word} an export`)
    if (!command.from.includes(row.state))
      throw new Problem('inUse', `${word} is not possible while it is ${row.state}`)
    if (command.dry !== undefined) await rows.beginRun(db, id, command.to, command.dry)
    else await rows.setState(db, id, word === 'resume' && row.dry ? 'validating' : command.to)
    if (word === 'validate' || word === 'start' || word === 'resume') await addJob(db, importJob, { id })
    return show((await rows.findTransfer(db, id))!)
  })
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
        throw new Problem('forbidden', 'your rights have changed since this file was made; order the export again')
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
}

/** Stores a file to import and returns the id of the import, which has not begun. */
export async function receiveFile(
  { database }: TransferNeeds,
  caller: Caller,
  { name = 'import', format = formatOf(name), profile, encoding }: ReceivedFile,
  body: AsyncIterable<Buffer>,
): Promise<string> {
  if (format === undefined || !formats.includes(format))
    throw new Problem('invalid', `format: expected one of ${formats.join(', ')}, or a name that ends like it`)
  const found = await profileOf(database, profile)
  const given = demandEncoding(format, encoding)
  const options = { ...(found && { profile: found }), ...(given && { givenEncoding: given }) }
  const detector = format === 'csv' ? createDetector() : undefined
  const kind = { direction: 'import', format: format as TransferFormat, principal: toStored(caller) } as const
  const row = await rows.insertTransfer(database, { ...kind, name: name.slice(0, 255), options, state: 'receiving' })
  try {
    await storeFile(database, row.id, detector?.over(body) ?? body)
    if (detector) await rows.setEncoding(database, row.id, await detector.find(givenEncoding(options)))
    await rows.setState(database, row.id, 'received')
  } catch (error) {
    await rows.deleteTransfer(database, row.id).catch(() => {}) // otherwise it is removed by age
    throw error
  }
  return row.id
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
  withSource(readerOf(needs, caller), needs.retrieveDefinitions, row, async (opened) => {
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

async function profileOf(db: Db, name: string | undefined): Promise<Profile | undefined> {
  if (name === undefined) return undefined
  const found = await rows.findProfile(db, name)
  if (!found) throw new Problem('notFound', `no profile has the name ${name.slice(0, 100)}`)
  return found.profile as Profile
}

/** The caller's own transfers; administrators see all. */
async function find(db: Db, caller: Caller, id: string, direction?: 'import'): Promise<rows.TransferRow> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  const row = isId ? await rows.findTransfer(db, id) : undefined
  const isVisible = row && (row.userName === caller.userName || caller.roles.has('admin'))
  if (!isVisible || (direction && row.direction !== direction))
    throw new Problem('notFound', `no ${direction ?? 'transfer'} has the id ${id.slice(0, 100)}`)
  return row
}

function columnsOf({ headings, constants, faults }: Plan, profile?: Profile) {
  const fixed = constants.map(({ heading }) => ({ heading, column: columnOf(heading) }))
  return [...headings.map((heading) => ({ heading, column: columnOf(heading, profile) })), ...fixed].map((one) => {
    const { heading, column } = one
    const fault = faults.get(heading)
    return { column: heading, ...(column && { meaning: headingOf(column) }), ...(fault !== undefined && { fault }) }
  })
}

function wholeOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Problem('invalid', `${name}: ${text.slice(0, 50)} is not a whole number`)
}

function show(row: rows.TransferRow): Infer<typeof Transfer> {
  const {
    options,
    principal: _principal,
    rights: _rights,
    dry: _dry,
    userName,
    state,
    problem,
    objects,
    createdAt,
    endedAt,
    ...same
  } = row
  return {
    ...same,
    state: state as Exclude<rows.State, 'receiving'>,
    user: userName,
    ...(options.encoding && { encoding: options.encoding }),
    ...(problem !== null && { problem }),
    ...(objects && { objects }),
    ...(options.request?.series !== undefined && { series: options.request.series }),
    createdAt: createdAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  }
}

type ExportValue = Infer<typeof ExportRequest>

/** An export is a row and a job, added in one transaction. */
async function beginExport(db: Db, caller: Caller, request: ExportValue): Promise<rows.TransferRow> {
  const { format, name = `products.${format}` } = request
  const profile = await profileOf(db, request.profile)
  const options = { request, ...(profile && { profile }) }
  const principal = toStored(caller)
  const row = await rows.insertTransfer(db, { direction: 'export', name, format, options, principal, state: 'running' })
  await addJob(db, exportJob, { id: row.id })
  await auditBy(db, caller, { action: 'export', object: `transfer ${row.id}`, detail: { format } })
  return row
}

/** Orders an export inside the caller's transaction and returns its id. */
export const orderExport = async (db: Db, caller: Caller, request: ExportValue): Promise<string> =>
  (await beginExport(db, caller, request)).id

/** Starts a received import inside the caller's transaction. */
export async function startImport(db: Db, id: string): Promise<void> {
  await rows.beginRun(db, id, 'running', false)
  await addJob(db, importJob, { id })
}

/** Throws a Problem if no profile has this name. */
export const demandStoredProfile = async (db: Db, name: string | undefined): Promise<void> =>
  void (await profileOf(db, name))
