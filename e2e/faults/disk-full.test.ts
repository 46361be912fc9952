/**
 * A full, read-only or broken disk at every write of an operation, one after the other: the call is refused with 503, nothing
 * has changed, and the same call succeeds as soon as the disk is right again. A job waits, and does its work then.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bytesOf,
  dam,
  form,
  makeDirs,
  paramsPart,
  payloadPart,
  recordOf,
  storedFiles,
} from '../../server/test/files.ts'
import { createModel } from '../../server/test/catalogue.ts'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { type Reply, withServer } from '../../server/test/server.ts'
import { transferCalls } from '../../server/test/transfers.ts'
import { bookParts, sheetOf, workbookOf } from '../../server/test/workbook.ts'
import { failed, wrapDisk } from './disk.ts'
import { losePower } from './loss.ts'

const api = withServer()
const folder = mkdtempSync(join(tmpdir(), 'kontor-full-'))
const [control, journal] = [join(folder, 'control'), join(folder, 'journal')]
beforeAll(async () => {
  await makeDirs(api, '/MAM/full')
  wrapDisk({ folder: api.config.data, control, journal })
})
afterAll(() => rmSync(folder, { recursive: true }))

const hasFailed = (what = '') =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .some((line) => line.startsWith(`["${failed}"`) && line.includes(what))
const clear = () => {
  rmSync(control, { force: true })
  writeFileSync(journal, '')
}

interface Operation {
  /** The requests, one after the other. */
  readonly steps: readonly (() => Promise<Reply>)[]
  /** The file as clients see it. */
  readonly state: () => Promise<unknown>
  readonly before: unknown
  readonly after: unknown
}
const bytes = (text: string) => Buffer.from(text.repeat(1000))
const send = (path: string, ...parts: Parameters<typeof form>) => {
  const { body, type } = form(...parts)
  return api.post(dam + path, body, { type })
}
const fileOf = (tid: string) => async () => {
  const { status, bytes } = await bytesOf(api, `/assets/bin?assetTid=${tid}`)
  return status === 200 ? bytes.toString() : status
}

const operations: Record<string, (tid: string) => Promise<Operation>> = {
  'an upload': async (tid) => ({
    steps: [
      () => send('/assets/bin/persist', paramsPart({ path: `/MAM/full/${tid}.bin`, tid }), payloadPart(bytes(tid))),
    ],
    state: fileOf(tid),
    before: 404,
    after: bytes(tid).toString(),
  }),
  'a new version': async (tid) => {
    await send('/assets/bin/persist', paramsPart({ path: `/MAM/full/${tid}.bin`, tid }), payloadPart('first'))
    return {
      steps: [() => send('/assets/versions/bin/persist', paramsPart({ tid }), payloadPart(bytes(tid)))],
      state: fileOf(tid),
      before: 'first',
      after: bytes(tid).toString(),
    }
  },
  'an upload in chunks': (tid) => inChunks(tid, [0, 1, 2]),
  'an upload in chunks that begins with the second': (tid) => inChunks(tid, [1, 0, 2]),
}

async function inChunks(tid: string, order: readonly number[]): Promise<Operation> {
  const target = { path: `/MAM/full/${tid}.bin`, tid }
  const { tid: id } = recordOf(await api.post(`${dam}/assets/bin/chunked/start`, target))
  const chunk = (n: number) => () =>
    send(`/assets/bin/chunked/upload/${id}`, { name: 'chunkId', value: String(n) }, payloadPart(bytes(`${tid} ${n}`)))
  return {
    steps: [...order.map(chunk), () => api.post(`${dam}/assets/bin/chunked/persist/${id}`, target, { method: 'PUT' })],
    state: fileOf(tid),
    before: 404,
    after: [0, 1, 2].map((n) => bytes(`${tid} ${n}`)).join(''),
  }
}

const cases = Object.keys(operations).flatMap((name) => ['ENOSPC', 'EROFS', 'EIO'].map((code) => [name, code] as const))
test.each(cases)('%s is refused at every write that fails with %s, and succeeds afterwards', async (name, code) => {
  let n = 0
  for (let isOver = false; !isOver;) {
    const tid = `${name.replaceAll(' ', '-')}-${code}-${++n}`
    const { steps, state, before, after } = await operations[name]!(tid)
    writeFileSync(control, `${code} #${n}`)
    const refused: number[] = []
    for (const step of steps) {
      let reply = await step()
      if (reply.status !== 200) {
        refused.push(reply.status)
        expect(reply.text).toContain('files')
        expect(await state(), 'nothing has changed').toEqual(before)
        rmSync(control)
        reply = await step()
      }
      expect([reply.status, reply.text], 'the call succeeds').toEqual([200, expect.not.stringContaining('"ERROR"')])
    }
    isOver = refused.length === 0 && !hasFailed()
    // Where there are no hard links, a copy takes their place.
    if (!isOver && !hasFailed('link')) expect(refused, `write ${n}`).toEqual([503])
    const lost = losePower(journal).filter((what) => !what.includes('/blobs/tmp/')) // the spool
    expect(lost, 'a loss of power now takes nothing away').toEqual([])
    clear()
    expect(await state()).toEqual(after)
  }
  expect(n, 'there are writes').toBeGreaterThan(3)
  expect((await storedFiles(api)).filter((file) => file.startsWith('tmp/'))).toEqual([])
})

const { send: sendImport } = transferCalls(api)
const products = (tid: string) =>
  sheetOf(
    [
      ['tid', 'name', 'node'],
      [tid, tid, '/Standard/Jackets'],
    ]
      .map((cells) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`)
      .join(''),
  )

test('the import of a workbook waits at every write that fails, and stores its rows afterwards', async () => {
  await createModel(api)
  const work = (id: string) => api.app.jobs['transfer.import']!({ id } as never, new AbortController().signal)
  let n = 0
  for (let isOver = false; !isOver;) {
    const tid = `book-${++n}`
    const book = workbookOf({ ...bookParts({}), 'xl/worksheets/sheet1.xml': products(tid) })
    const { id } = (await sendImport(await book, `name=${tid}.xlsx`)).json
    await api.post(`/api/v1/transfers/${id}/start`)
    const stateOf = async () => (await api.get(`/api/v1/transfers/${id}`)).json.state as string
    const count = async () =>
      (await api.db.row<{ n: number }>(sql`select count(*)::int as n from product where tid = ${tid}`))!.n
    writeFileSync(control, `ENOSPC #${n}`)
    const outcome = await work(id).then(
      () => 'done',
      () => 'waits',
    )
    isOver = !hasFailed()
    expect([outcome, await stateOf(), await count()], `write ${n}`).toEqual(
      isOver ? ['done', 'finished', 1] : ['waits', 'running', 0],
    )
    clear()
    if (!isOver) await work(id)
    expect([await stateOf(), await count()]).toEqual(['finished', 1])
  }
  expect(n, 'there are writes').toBeGreaterThan(2)
})
