/**
 * The server is killed (kill -9) while files move to the archive and back, and while a film is copied. The next process goes
 * on: no file is lost, every byte is the same, and nothing stays in the folder for temporary files.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { commands } from '../server/src/admin/admin.ts'
import { filmOf, hasPrograms } from '../server/test/tools.ts'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const folder = dataFolder()
afterAll(() => removeFolder(folder))
const TMPDIR = join(folder, 'temporary')
mkdirSync(TMPDIR)
const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const env = {
  KONTOR_DATA: join(folder, 'data'),
  KONTOR_ARCHIVE: join(folder, 'archive'),
  KONTOR_ADMIN_PASSWORD,
  KONTOR_BLOB_GRACE_MINUTES: '0',
  TMPDIR,
}
const dam = '/api/core/v1/dam'
const patient = { timeout: 120_000, interval: 20 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A running server, and calls to it as the administrator. */
interface Client {
  readonly kontor: Kontor
  post(path: string, body: object | FormData): Promise<any> // oxlint-disable-line typescript/no-explicit-any
  get(path: string): Promise<Response>
}

async function start(): Promise<Client> {
  const kontor = await startKontor(env)
  const authorization = `Bearer ${await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)}`
  return {
    kontor,
    get: (path) => fetch(`${kontor.url}${path}`, { headers: { authorization } }),
    async post(path, body) {
      const isForm = body instanceof FormData
      const reply = await fetch(`${kontor.url}${path}`, {
        method: 'POST',
        headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }) },
        body: isForm ? body : JSON.stringify(body),
      })
      expect(reply.status, path).toBe(200)
      return reply.json()
    },
  }
}

async function upload({ post }: Client, name: string, bytes: Uint8Array): Promise<void> {
  const form = new FormData()
  form.append('params', JSON.stringify({ path: `/MAM/care/${name}`, tid: name }))
  form.append('payload', new Blob([new Uint8Array(bytes)]), name)
  const { responses } = await post(`${dam}/assets/bin/persist`, form)
  expect(responses.response[0].status).toBe('SUCCESS')
}
const makeFolder = ({ post }: Client) =>
  post(`${dam}/dirs/perform`, {
    schemaVersion: '5.6.0',
    actions: { action: [{ dataType: 'dir', type: 'createPath', path: '/MAM/care' }] },
  })

test('files move to the archive and back through kill -9, and each is always in one of both', async () => {
  const files = new Map(Array.from({ length: 120 }, (_, i) => [`file-${i}.bin`, randomBytes(60_000 + i)] as const))
  let client = await start()
  await makeFolder(client)
  for (const [name, bytes] of files) await upload(client, name, bytes)
  const archived = async () => {
    const state = (await (await client.get('/api/v1/care')).json()) as { archive: { files?: number } }
    return Number(state.archive.files ?? 0)
  }

  /** Kills the server twice before all files have moved. */
  async function move(restore: boolean): Promise<void> {
    await client.post('/api/v1/care/archive', { folder: '/MAM/care', restore })
    const moved = async () => (restore ? files.size - (await archived()) : await archived())
    for (const share of [0.1, 0.5]) {
      await vi.waitUntil(async () => (await moved()) >= share * files.size, patient)
      await client.kontor.end('SIGKILL')
      client = await start()
    }
    await vi.waitUntil(async () => (await moved()) === files.size, patient)
  }

  await move(false)
  for (const name of files.keys()) expect((await client.get(`${dam}/assets/bin?assetTid=${name}`)).status).toBe(409)
  await move(true)
  for (const [name, bytes] of files) {
    const reply = await client.get(`${dam}/assets/bin?assetTid=${name}`)
    expect([name, sha256(new Uint8Array(await reply.arrayBuffer()))]).toEqual([name, sha256(bytes)])
  }
  await client.kontor.end('SIGTERM')
  const lines: string[] = []
  const run = (name: string) => commands.get(name)!.run([], env, (line) => lines.push(line))
  await run('files collect')
  expect(await run('scrub'), lines.join('\n')).toBe(0)
  expect(readdirSync(join(env.KONTOR_DATA, 'blobs', 'tmp'))).toEqual([])
})

test.runIf(hasPrograms('ffmpeg', 'ffprobe'))(
  'a film is copied through kill -9, and nothing is left of the first attempt',
  async () => {
    let client = await start()
    await makeFolder(client)
    const film = await filmOf('film.mkv', '-i', 'testsrc2=s=1600x1200:r=25:d=8', '-c:v', 'mpeg4')
    await upload(client, 'film.mkv', film)
    const media = async () => (await client.post(`${dam}/renditions/media`, { tids: ['film.mkv'] })).media[0]
    const copies = () => readdirSync(TMPDIR).filter((name) => name.startsWith('kontor-copy-'))
    const hasBegun = () => copies().some((name) => readdirSync(join(TMPDIR, name)).length > 0)
    await vi.waitUntil(async () => (await media()).state === 'running' && hasBegun(), patient)
    await client.kontor.end('SIGKILL')
    await vi.waitUntil(() => copies().length === 0, patient)
    client = await start()
    await vi.waitUntil(async () => (await media()).state === 'ready', patient)
    const { url, isOriginal } = await media()
    const reply = await fetch(new URL(url, client.kontor.url))
    expect([isOriginal, reply.headers.get('content-type')]).toEqual([false, 'video/mp4'])
    expect((await reply.arrayBuffer()).byteLength).toBeGreaterThan(100_000)
    expect(readdirSync(TMPDIR)).toEqual([])
    await client.kontor.end('SIGTERM')
  },
)
