/** Deliveries to other systems, and files from them. */
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, productCalls } from '../../test/catalogue.ts'
import { feedCalls } from '../../test/feeds.ts'
import { openMailServer } from '../../test/mail.ts'
import { s3Servers } from '../../test/s3.ts'
import { withServer } from '../../test/server.ts'
import { startFakeSftp } from '../../test/fake-sftp.ts'
import { sftpServers, type SftpServer } from '../../test/sftp.ts'
import { transferCalls } from '../../test/transfers.ts'
import { openS3 } from '../adapters/places/s3.ts'
import { openSftp } from '../adapters/places/sftp.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { matcherOf } from './import-steps.ts'

const smtp = await openMailServer()
const { mails } = smtp
const calls: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = []
const answers: number[] = []
/** Ends the calls that wait. */
const slow: (() => void)[] = []
const receiver = createServer((request, reply) => {
  let body = ''
  request
    .on('data', (chunk: Buffer) => (body += chunk.toString()))
    .on('end', () => {
      const { method, url, headers } = request
      calls.push({ method, url, headers, body })
      if (url === '/slow') return void slow.push(() => reply.end())
      const status = answers.shift() ?? 200
      reply.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end('thank you')
    })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const root = await mkdtemp(join(tmpdir(), 'kontor-feeds-'))

const api = withServer({
  KONTOR_FEED_FOLDERS: root,
  KONTOR_FEED_PRIVATE: 'true',
  KONTOR_FEED_RETRY: '1',
  KONTOR_FEED_TRIES: '2',
  KONTOR_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
})
const feeds = feedCalls(api)
const asAdmin = () => ({ token: api.adminToken })
const order = { direction: 'export', export: { format: 'csv', columns: ['tid', 'name'], nodePaths: ['/Standard'] } }

beforeAll(async () => {
  await createModel(api)
  await productCalls(api).persist(jacket('one'), jacket('two'))
  await api.startWorker()
})
afterAll(async () => {
  await smtp.close()
  receiver.close()
  await rm(root, { recursive: true, force: true })
})

describe('https', () => {
  const url = `http://127.0.0.1:${portOf(receiver)}/in?system=pim`

  test('gets the file with its name, a key that stays the same, and the secret header', async () => {
    answers.push(503)
    const place = { kind: 'https', url, authorization: 'Bearer of a test' }
    await feeds.store('web', { ...order, fileName: 'products.csv', place })
    const run = await feeds.run('web')
    expect(run).toMatchObject({ state: 'finished', attempts: 1 })
    expect(calls).toHaveLength(2)
    expect(calls.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(2).fill(expect.stringMatching(`-${run.id}$`))) // prettier-ignore
    expect(calls[1]).toMatchObject({
      method: 'PUT',
      url: '/in?system=pim',
      headers: { authorization: 'Bearer of a test', 'content-type': 'text/csv; charset=utf-8' },
      body: expect.stringContaining('one'),
    })
    expect(calls[1]!.headers['content-disposition']).toContain('products.csv')
  })

  test('is not followed to another address, and its refusal is the reason of the run', async () => {
    answers.push(307, 307)
    await feeds.store('moved', { ...order, place: { kind: 'https', method: 'POST', url } })
    const before = calls.length
    expect(await feeds.run('moved')).toMatchObject({ state: 'failed', problem: 'the receiver answered 307: thank you' })
    expect(calls.slice(before).map((call) => [call.method, call.url])).toEqual([
      ['POST', '/in?system=pim'],
      ['POST', '/in?system=pim'],
    ])
  })

  test('that does not answer keeps one worker per user, so that others go on', async () => {
    const place = { kind: 'https', url: url.replace('/in?system=pim', '/slow') }
    const runs = await Promise.all(
      ['slow-1', 'slow-2', 'slow-3'].map(async (name) => {
        await feeds.store(name, { ...order, place })
        return { name, id: (await api.post(`/api/v1/feeds/${name}/run`)).json.id as number }
      }),
    )
    await vi.waitUntil(() => slow.length > 0, { timeout: 60_000 })
    await transferCalls(api).exported({ format: 'csv', nodePaths: ['/Standard'] })
    expect(slow).toHaveLength(1)
    for (const _ of runs) {
      await vi.waitUntil(() => slow.length > 0, { timeout: 60_000 })
      slow.shift()!()
    }
    for (const { name, id } of runs) expect(await feeds.until(name, id, ['finished', 'failed'])).toMatchObject({ state: 'finished' }) // prettier-ignore
  })
})

describe('a server that lists more and more files', () => {
  test('on S3 is refused after many pages, and after a large answer', async () => {
    let pages = 0
    const bodies = [
      () => `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${++pages}</NextContinuationToken></ListBucketResult>`, // prettier-ignore
      () => `<ListBucketResult>${' '.repeat(17 * 1024 * 1024)}</ListBucketResult>`,
    ]
    const reasons = ['more than 100000 files', 'more than 16777216 bytes']
    for (const [i, body] of bodies.entries()) {
      const server = createServer((_, reply) => void reply.end(body())).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const place = openS3({ bucket: 'b', endpoint: `http://127.0.0.1:${portOf(server)}`, accessKey: 'a', secretKey: 's', allowPrivate: true }) // prettier-ignore
      await expect(place.list()).rejects.toThrow(reasons[i])
      await place.close()
      server.closeAllConnections()
      server.close()
    }
  }, 60_000)

  test('on SFTP is refused after many files', async () => {
    const many = await startFakeSftp(root, { user: 'kim', password: 'secret' }, { isEndless: true })
    const place = await openSftp({ host: '127.0.0.1', port: many.port, user: 'kim', password: 'secret', allowPrivate: true }) // prettier-ignore
    await expect(place.list()).rejects.toThrow('more than 100000 files')
    await place.close()
    await many.close()
  }, 60_000)
})

test('mail has the file as attachment', async () => {
  const place = { kind: 'mail', to: ['buyer@example.com', 'shop@example.com'], subject: 'Catalogue' }
  await feeds.store('mail', { ...order, fileName: 'catalogue.csv', place }, asAdmin())
  const run = await feeds.run('mail', asAdmin())
  expect(run).toMatchObject({ state: 'finished' })
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatch(/Subject: Catalogue/)
  expect(mails[0]).toMatch(/To: buyer@example.com, shop@example.com/)
  expect(mails[0]).toMatch(new RegExp(`Message-ID: <kontor-feed-\\d+-${run.id}@localhost>`))
  expect(mails[0]).toContain('filename=catalogue.csv')
})

const table = (...tids: string[]) => `tid,name,node\n${tids.map((tid) => `${tid},${tid},/Standard/Jackets\n`).join('')}`
const productExists = async (tid: string) =>
  (await api.db.row(sql`select from product where tid = ${tid}`)) !== undefined
/** Runs an import feed, and the runs that follow for further files. */
async function runAll(name: string) {
  await feeds.run(name, asAdmin())
  await settled(name)
  return feeds.runsOf(name, asAdmin())
}
/** The next file is looked for at once when a run has ended. */
const settled = (name: string) =>
  vi.waitFor(
    async () => {
      const open = await api.db.rows(sql`
        select from feed_run r join feed f on f.id = r.feed_id where f.name = ${name} and r.state = 'running'`)
      expect(open).toHaveLength(0)
    },
    { timeout: 60_000, interval: 50 },
  )
const reading = (place: object, more: object = {}) => ({
  direction: 'import',
  place,
  import: { quietSeconds: 0, ...more },
})

describe.each(s3Servers)('%s', (_, open) => {
  test('gets the file of an export, and files that appear there are imported once each', async () => {
    const s3 = await open()
    await feeds.store('bucket', { ...order, fileName: 'all.csv', place: s3.feedPlace('out') })
    expect(await feeds.run('bucket')).toMatchObject({ state: 'finished' })
    expect(await s3.keys()).toEqual(['out/all.csv'])
    const tid = `from-${s3.isReal ? 'real' : 'fake'}-s3`
    await s3.put('in/new.csv', table(tid))
    await s3.put('in/done/old.csv', table('old'))
    await feeds.store('bucket-in', reading(s3.feedPlace('in/')), asAdmin())
    const [run] = await runAll('bucket-in')
    expect(run).toMatchObject({ state: 'finished', file: 'new.csv', items: 1 })
    expect([await productExists(tid), await productExists('old')]).toEqual([true, false])
    expect(await s3.keys()).toEqual([`in/done/${run!.id}-new.csv`, 'in/done/old.csv', 'out/all.csv'])
    await s3.put('in/bad.csv', 'tid,unknown\nx,y\n')
    expect((await runAll('bucket-in'))[0]).toMatchObject({ state: 'failed', file: 'bad.csv' })
    expect(await s3.keys()).toContainEqual(expect.stringMatching(/^in\/failed\/\d+-bad.csv$/))
    await s3.close()
  })

  test('that refuses is the reason of the failed run', async () => {
    const s3 = await open()
    const place = { ...s3.feedPlace('out'), bucket: 'no-such-bucket' }
    await feeds.store('no-bucket', { ...order, place })
    expect(await feeds.run('no-bucket')).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/bucket/i),
    })
    await s3.close()
  })
})

describe.each(sftpServers)('%s', (_, open) => {
  let server: SftpServer
  beforeAll(async () => {
    server = await open()
  })
  afterAll(() => server.close())
  const place = (more: object = {}) => ({ ...server.place, path: server.path, ...more })

  test('gets the file, which replaces an older one, and its key is remembered', async () => {
    await feeds.store('sftp', { ...order, fileName: 'all.csv', place: place() })
    writeFileSync(join(server.root, 'all.csv'), 'old')
    chmodSync(join(server.root, 'all.csv'), 0o666)
    expect(await feeds.run('sftp')).toMatchObject({ state: 'finished' })
    expect(await feeds.run('sftp')).toMatchObject({ state: 'finished' })
    expect(readdirSync(server.root)).toEqual(['all.csv'])
    expect(readFileSync(join(server.root, 'all.csv'), 'utf8')).toContain('one')
    expect((await feeds.get('sftp')).place.hostKey).toMatch(/^SHA256:/)
    await feeds.store('sftp', { ...order, place: place({ hostKey: 'SHA256:other' }) })
    expect(await feeds.run('sftp')).toMatchObject({ state: 'failed', problem: expect.stringMatching(/the key of 127.0.0.1 is SHA256:.*, not SHA256:other/) }) // prettier-ignore
    const { password: _password, privateKey: _privateKey, ...rest } = place({ path: `${server.path}/missing`.replace('//', '/') }) as Record<string, unknown> // prettier-ignore
    await feeds.store('sftp', { ...order, place: rest })
    expect(await feeds.run('sftp')).toMatchObject({ state: 'failed', problem: expect.stringMatching(/no such file/i) })
  })

  test('a file that is moved twice, because a process was killed in between, is kept', async () => {
    writeFileSync(join(server.root, 'twice.csv'), 'x')
    chmodSync(server.root, 0o777)
    const { host, port, user, password, privateKey } = server.place as Record<string, string>
    const options = { host: host!, port: Number(port), user: user!, password, privateKey, path: server.path }
    const place = await openSftp({ ...options, allowPrivate: true })
    for (const _ of [1, 2]) await place.move('twice.csv', 'moved', '1-twice.csv')
    await place.close()
    expect(readdirSync(join(server.root, 'moved'))).toEqual(['1-twice.csv'])
    await rm(join(server.root, 'moved'), { recursive: true })
  })

  test('is a hot folder: files are imported once each and moved away', async () => {
    const at = (name: string) => join(server.root, name)
    writeFileSync(at('b.csv'), table(`later-${server.place.port}`))
    writeFileSync(at('a.csv'), table(`first-${server.place.port}`))
    writeFileSync(at('bad.csv'), 'tid,unknown\nx,y\n')
    writeFileSync(at('c.csv.part'), table('partial'))
    writeFileSync(at('.hidden.csv'), table('hidden'))
    writeFileSync(at('readme.md'), 'no data')
    utimesSync(at('a.csv'), new Date(0), new Date(1000))
    const name = `sftp-in-${server.place.port}`
    await feeds.store(name, reading(place(), { pattern: '*.csv' }), asAdmin())
    await rm(at('all.csv'), { force: true })
    const runs = await runAll(name)
    expect(runs.map(({ file, state }) => [file, state]).toReversed()).toEqual([
      ['a.csv', 'finished'],
      ...[['b.csv', 'finished'], ['bad.csv', 'failed']].sort(() => (runs.at(-2)!.file === 'b.csv' ? 0 : -1)), // prettier-ignore
    ])
    expect(runs.find(({ file }) => file === 'bad.csv')!.problem).toContain('unknown')
    expect(readdirSync(server.root).sort()).toEqual(['.hidden.csv', 'c.csv.part', 'done', 'failed', 'readme.md'])
    expect(
      readdirSync(at('done'))
        .map((name) => name.replace(/^\d+-/, ''))
        .sort(),
    ).toEqual(['a.csv', 'b.csv'])
    expect(readdirSync(at('failed')).map((name) => name.replace(/^\d+-/, ''))).toEqual(['bad.csv'])
    expect(await productExists(`later-${server.place.port}`)).toBe(true)
    expect((await runAll(name))[0]).toMatchObject({ state: 'finished', problem: 'no new file was found' })
  })
})

describe('a hot folder on this machine', () => {
  test('leaves files that still arrive, and reports refused rows', async () => {
    const at = (name: string) => join(root, name)
    writeFileSync(at('arriving.csv'), table('arriving'))
    await feeds.store('slow', { ...reading({ kind: 'folder', path: root }), import: { quietSeconds: 600 } }, asAdmin())
    expect((await runAll('slow'))[0]).toMatchObject({ problem: 'no new file was found' })
    writeFileSync(at('arriving.csv'), `${table('arrived')}bad,bad,/Nowhere\n`)
    await feeds.store('slow', reading({ kind: 'folder', path: root }), asAdmin())
    const [run] = await runAll('slow')
    expect(run).toMatchObject({ state: 'finished', items: 2, refused: 1, problem: '1 of 2 rows were refused' })
    expect([await productExists('arrived'), await productExists('arriving')]).toEqual([true, false])
    const { messages } = (await api.get('/api/core/v1/common/messages', asAdmin())).json
    expect(messages[0].subject).toBe('The feed slow refused rows of arriving.csv')
  })

  test('holds a file with fewer rows than the last one until somebody decides', async () => {
    const path = join(root, 'rows')
    mkdirSync(path)
    const write = (...tids: string[]) => writeFileSync(join(path, 'all.csv'), table(...tids))
    const filesIn = (name: string) => readdirSync(join(path, name)).map((one) => one.replace(/^\d+-/, ''))
    await feeds.store('rows', { ...reading({ kind: 'folder', path }), maxShrink: 30 }, asAdmin())
    write('r1', 'r2', 'r3', 'r4')
    await runAll('rows')
    write('r1', 'r2', 'r3')
    expect((await runAll('rows'))[0]).toMatchObject({ state: 'finished', items: 3, previousItems: 4 })
    write('r5')
    const held = await feeds.run('rows', asAdmin())
    expect(held).toMatchObject({ state: 'held', items: 1, previousItems: 3, problem: 'all.csv has 1 rows instead of 3: more than 30 percent fewer' }) // prettier-ignore
    const { messages } = (await api.get('/api/core/v1/common/messages', asAdmin())).json
    expect(messages[0]).toMatchObject({
      subject: 'The feed rows waits for your decision',
      body: expect.stringContaining(`Release run ${held.id} to import it, or discard it.`),
    })
    expect(await productExists('r5')).toBe(false)
    expect((await feeds.decide('rows', held.id, 'discard', asAdmin())).status).toBe(200)
    await feeds.until('rows', held.id, ['discarded'], asAdmin())
    expect([filesIn('failed'), await productExists('r5')]).toEqual([['all.csv'], false])

    await settled('rows')
    write('r6')
    await runAll('rows')
    const again = (await feeds.runsOf('rows', asAdmin())).find(({ state }) => state === 'held')!
    expect((await feeds.decide('rows', again.id, 'release', asAdmin())).status).toBe(200)
    await feeds.until('rows', again.id, ['finished'], asAdmin())
    await settled('rows')
    expect([filesIn('done').length, await productExists('r6')]).toEqual([3, true])
    // The next file is compared with the one that was released.
    write('r7')
    expect((await runAll('rows'))[0]).toMatchObject({ state: 'finished', items: 1, previousItems: 1 })
  })

  test('imports a file once also if it cannot be moved away', async () => {
    writeFileSync(join(root, 'stays.csv'), table('stays'))
    writeFileSync(join(root, 'blocked'), '')
    await feeds.store('stays', reading({ kind: 'folder', path: root }), asAdmin())
    // The folder for finished files is a file.
    await rm(join(root, 'done'), { recursive: true, force: true })
    writeFileSync(join(root, 'done'), '')
    expect((await runAll('stays'))[0]).toMatchObject({ state: 'failed', problem: expect.stringMatching(/EEXIST|ENOTDIR/) }) // prettier-ignore
    expect(await productExists('stays')).toBe(true)
    const [next] = await runAll('stays')
    expect(next).toMatchObject({ problem: 'no new file was found' })
    await rm(join(root, 'done'))
  })
})

test.each([
  ['prices-*.csv', 'prices-2026.csv', true],
  ['prices-*.csv', 'PRICES-1.CSV', true],
  ['prices-*.csv', 'prices-1.csv.bak', false],
  ['a.c', 'abc', false],
  ['*a'.repeat(60) + 'b', 'a'.repeat(1000), false],
])('%s and %s: %s', (pattern, name, fits) => expect(matcherOf(pattern)(name)).toBe(fits))
