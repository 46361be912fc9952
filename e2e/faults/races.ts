/** Races: several clients want the same at the same moment, and exactly one gets it. One race of each kind. */
import { call, core, createUser, recordsOf, type Reply, schemaVersion } from './client.ts'
import { password, type World } from './world.ts'
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
}

/** Two users who check out. */
const users = ['dot', 'eve']
async function tokensOf(world: World): Promise<string[]> {
  for (const name of users) if (!world.tokens.has(name)) await createUser(world, name)
  return users.map((name) => world.tokens.get(name)!)
}

export async function race(world: World, _: unknown, n: number): Promise<undefined> {
  for (const [kind, run] of Object.entries(kinds)) {
    const replies = await run(world, `race-${kind.replaceAll(' ', '-')}-${n}`)
    // A reply that got lost may be the winner's.
    if (!replies || replies.some(({ kind: answer }) => answer === 'unknown' || answer === 'unsent')) continue
    const won = replies.filter((reply) => (kind === 'one user' ? reply.kind === 'ok' : isDone(reply))).length
    if (won !== 1) world.seen.push(`race for ${kind}: ${won} of ${replies.length} have won`)
  }
  await raceForKey(world, `race-key-${n}`)
}

/** Repeats with one Idempotency-Key at once: all that are answered have the same id. */
async function raceForKey(world: World, name: string): Promise<void> {
  const replies = await together(() => persistKeywords(world, [name], { 'idempotency-key': name }))
  const ids = new Set(replies.flatMap((reply) => (reply.kind === 'ok' ? recordsOf(reply)[0]!.id : [])))
  if (ids.size !== 1) world.seen.push(`race for one key: ${ids.size} different ids`)
}
