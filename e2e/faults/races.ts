/** Races: several clients want the same at the same moment, and exactly one gets it. One race of each kind. */
import { setTimeout as pause } from 'node:timers/promises'
import { call, core, createUser, recordsOf, type Reply, schemaVersion } from './client.ts'
import { increase, password, type World } from './world.ts'
import { form, paramsPart, payloadPart } from '../../server/test/files.ts'

const keywords = `${core}/common/keywords`
const products = `${core}/pim/products`
const assets = `${core}/dam/assets`
const rivals = 4

const isDone = (reply: Reply) => reply.kind === 'ok' && recordsOf(reply)[0]?.status === 'SUCCESS'
const named = (value: string) => ({ name: { itm: [{ value }] } })
const perform = (world: World, path: string, action: object, token = world.tokens.get('admin')!) =>
  call(world, `${path}/perform`, { body: { schemaVersion, actions: { action: [action] } }, token })
const persistKeywords = (world: World, names: readonly string[], headers = {}) =>
  call(world, `${keywords}/persist`, { body: { schemaVersion, kwds: { kwd: names.map(named) } }, headers })
const persistProduct = (world: World, tid: string, name: string, headers = {}) =>
  call(world, `${products}/persist`, {
    body: { schemaVersion, products: { product: [{ tid, name, node: '/Std' }] } },
    headers,
  })
const together = <T>(run: (n: number) => Promise<T>, count = rivals) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))

/** Each returns the replies of the rivals, of which exactly one must have succeeded; undefined if it could not begin. */
const kinds: Readonly<Record<string, (world: World, name: string) => Promise<readonly Reply[] | undefined>>> = {
  'one name': (world, name) => together(() => persistKeywords(world, [name])),
  async 'crossing moves'(world, name) {
    const made = await persistKeywords(world, [`${name}.a`, `${name}.b`])
    if (!isDone(made)) return undefined
    const [a, b] = recordsOf(made).map(({ id }) => Number(id))
    const move = (id: number, to: number) => {
      const meta = { itm: [{ key: 'destinationParentId', value: String(to) }] }
      return perform(world, keywords, { dataType: 'keyword', type: 'move', id, meta })
    }
    return Promise.all([move(a!, b!), move(b!, a!)])
  },
  async 'one version'(world, name) {
    if (!isDone(await persistProduct(world, name, name))) return undefined
    const read = await call(world, `${products}/retrieve`, { body: { tids: [name] } })
    const etag = read.headers.get('etag')
    return etag ? together((n) => persistProduct(world, name, `${name}.${n}`, { 'if-match': etag })) : undefined
  },
  async 'one check-out'(world, tid) {
    const { body, type } = form(paramsPart({ path: `/MAM/faults/${tid}.bin`, tid }), payloadPart(Buffer.from(tid)))
    const made = await call(world, `${assets}/bin/persist`, { body, type })
    const tokens = await tokensOf(world)
    if (made.kind !== 'ok' || tokens.length < 2) return undefined
    return Promise.all(
      tokens.map((token) => perform(world, assets, { dataType: 'asset', type: 'checkout', tid }, token)),
    )
  },
  'one user': (world, name) =>
    together(() => call(world, '/api/v1/identity/users', { body: { name, password, roles: ['user'] } })),
  'one key': (world, name) => together(() => persistKeywords(world, [name], { 'idempotency-key': name })),
}

/** Two users who check out. */
const users = ['dot', 'eve']
async function tokensOf(world: World): Promise<string[]> {
  for (const name of users) if (!world.tokens.has(name)) await createUser(world, name)
  return users.map((name) => world.tokens.get(name)!)
}

/** A busy server may refuse a race, or its reply may get lost. */
const attempts = 10

/** One decided race of each kind. */
export async function race(world: World, _: unknown, n: number): Promise<undefined> {
  for (const kind of Object.keys(kinds)) {
    let isDecided = false
    for (let i = 0; i < attempts && !isDecided; i++) {
      isDecided = await decide(world, kind, `race-${kind.replaceAll(' ', '-')}-${world.epoch}-${n}-${i}`)
      if (!isDecided) await pause(200)
    }
    if (isDecided) increase(world.counts, `races for ${kind}`)
    else world.seen.push(`race for ${kind}: not decided in ${attempts} attempts`)
  }
}

async function decide(world: World, kind: string, name: string): Promise<boolean> {
  const replies = await kinds[kind]!(world, name)
  // A reply that got lost may be the winner's.
  if (!replies || replies.some(({ kind: answer }) => answer === 'unknown' || answer === 'unsent')) return false
  const won = replies.filter((reply) => (kind === 'one user' ? reply.kind === 'ok' : isDone(reply)))
  // Repeats of one request have one outcome, which each of them gets that is answered.
  const winners = kind === 'one key' ? new Set(won.map((reply) => recordsOf(reply)[0]!.id)).size : won.length
  if (winners !== 1) world.seen.push(`race for ${kind}: ${winners} of ${replies.length} have won`)
  return true
}
