/**
 * Valid requests of every route, cut, repeated and corrupted at every stage, against a real process. After each group the
 * process must be the same and answer its health check, and no reply may be an internal error.
 *
 * The sequence depends on the seed only. KONTOR_FUZZ_SEED and KONTOR_FUZZ_ROUNDS try another one, or more.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { exchange, type Outcome } from './fuzz/exchange.ts'
import { type Random, randomFrom, type Shot, stages } from './fuzz/mutations.ts'
import { contractRequests, otherRequests, type Request } from './fuzz/requests.ts'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const seed = Number(process.env.KONTOR_FUZZ_SEED ?? 20)
/** A round sends every request once per stage. Rounds after the first are skipped when the time is up. */
const rounds = Number(process.env.KONTOR_FUZZ_ROUNDS ?? 3)
const enough = process.env.KONTOR_FUZZ_ROUNDS ? Infinity : 100_000
const atOnce = 8
const groupSize = 200

const KONTOR_DATA = dataFolder()
let database: TestDatabase
beforeAll(async () => void (database = await createDatabase()))
afterAll(async () => {
  await database.drop()
  removeFolder(KONTOR_DATA)
})

interface Tried extends Outcome {
  readonly what: string
  readonly shot: Shot
}

/** Stores the samples of the interface, so that requests find something, and returns values of path parameters. */
async function prepare(kontor: Kontor, token: string): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${token}` }
  const post = async (path: string, body: string, type = 'application/json') =>
    (await fetch(kontor.url + path, { method: 'POST', headers: { ...headers, 'content-type': type }, body })).text()
  const samples = contractRequests({})
  for (const name of [
    'pim/attribute-definitions',
    'pim/classes',
    'pim/nodes',
    'pim/attributes',
    'pim/products',
    'cm/channels',
    'common/keywords',
    'dam/dirs',
  ]) {
    // prettier-ignore
    const target = `/api/core/v1/${name}/persist`
    const sample = samples.find((one) => one.target === target && one.headers['content-type'] === 'application/json')!
    await post(target, sample.body.toString())
  }
  const upload = samples.find(({ target }) => target === '/api/core/v1/dam/assets/bin/persist')!
  await post(upload.target, upload.body.toString(), upload.headers['content-type'])
  const idOf = (text: string) => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text)?.[0] ?? ''
  const chunked = await post('/api/core/v1/dam/assets/bin/chunked/start', '{"path":"/MAM/Boats/chunks.txt"}')
  const imported = await post('/api/v1/transfers/imports?name=p.csv', 'tid,name\nP1,Sloop\n', 'text/csv')
  const signed = await post('/api/core/v1/dam/assets/presigned-url', '{"tid":"sail-photo","method":"PUT"}')
  return {
    uploadId: idOf(chunked),
    ticket: signed.split('/').at(-1)!,
    name: 'boats',
    ...Object.fromEntries(['', '/preview', '/rows', '/result', '/file'].map((end) => [`/api/v1/transfers/{id}${end} id`, idOf(imported)])), // prettier-ignore
  }
}

function mutate(request: Request, stage: keyof typeof stages, random: Random): Pick<Tried, 'what' | 'shot'> {
  const mutations = Object.entries(stages[stage])
  const [name, mutation] = mutations[random(mutations.length)]!
  return { what: `${request.name}: ${name}`, shot: mutation(request, random) }
}

/** Sends a group, some at once, and checks that the process has survived it. */
async function attack(kontor: Kontor, group: readonly Pick<Tried, 'what' | 'shot'>[]): Promise<Tried[]> {
  const address = new URL(kontor.url)
  const tried: Tried[] = []
  const waiting = [...group]
  const sendAll = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      tried.push({ ...next, ...(await exchange(address, next.shot)) })
  }
  await Promise.all(Array.from({ length: atOnce }, sendAll))
  const alive = await fetch(`${kontor.url}/livez`).then(({ status }) => status, String)
  const last = () => group.map(({ what }) => what).join('\n')
  expect(alive, `the process does not answer after\n${last()}\n${kontor.output().slice(-5000)}`).toBe(200)
  expect(kontor.child.exitCode).toBeNull()
  return tried
}

const report = ({ what, status, text, shot }: Tried, kontor: Kontor): string => {
  const supportId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text.split('\r\n\r\n')[1] ?? '')?.[0]
  const logged = kontor.output().split('\n').find((line) => supportId && line.includes(supportId)) // prettier-ignore
  const sent = shot.bytes.toString('latin1').replaceAll(/authorization: .*\r\n/g, '')
  return `${what}: ${status}\n  sent ${JSON.stringify(sent.slice(0, 1500))}\n  log ${logged?.slice(0, 1500)}`
}

test('no request ends the process or is an internal error, however broken it is', { timeout: 900_000 }, async () => {
  console.log(`seed ${seed}, at most ${rounds} rounds`)
  const random = randomFrom(seed)
  const kontor = await startKontor({ KONTOR_DATA, KONTOR_ADMIN_PASSWORD, DATABASE_URL: database.poolConfig.connectionString! }) // prettier-ignore
  const { pid } = kontor.child
  const parameters = await prepare(kontor, await tokenOf(kontor, KONTOR_ADMIN_PASSWORD))
  const requests = [...contractRequests(parameters), ...otherRequests()]
  const tried: Tried[] = []
  const begun = Date.now()
  for (let round = 0; round < rounds && (round === 0 || Date.now() - begun < enough); round++) {
    const authorization = `Bearer ${await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)}` // an attack may have ended the last session
    const all = requests.flatMap((request) =>
      (Object.keys(stages) as (keyof typeof stages)[]).map((stage) =>
        mutate({ ...request, headers: { authorization, ...request.headers } }, stage, random),
      ),
    )
    for (let at = 0; at < all.length; at += groupSize)
      tried.push(...(await attack(kontor, all.slice(at, at + groupSize))))
  }
  const counts = Object.groupBy(tried, ({ status }) => status)
  console.log(`${tried.length} requests to ${requests.length} operations and formats:`, ...Object.entries(counts).map(([status, list]) => `${status}: ${list!.length}`)) // prettier-ignore
  expect(kontor.child.pid).toBe(pid)
  expect(kontor.child.exitCode).toBeNull()
  const failed = tried.filter(({ status }) => status === 500)
  expect(failed.map((one) => report(one, kontor)).join('\n'), `seed ${seed}`).toBe('')
  const silent = tried.filter(({ status, shot }) => status === 0 && shot.ending === 'answer')
  expect(silent.map((one) => report(one, kontor)).join('\n'), `seed ${seed}`).toBe('')
})
