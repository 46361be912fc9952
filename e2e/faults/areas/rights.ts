/**
 * Rights that are taken away: a second after an acknowledged change of a role, of the roles of a user or of the user, no
 * process shows the product to this user any more.
 */
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { form, paramsPart, payloadPart } from '../../../server/test/files.ts'
import { signIn } from '../../../server/test/token.ts'
import { call, type Client, core, type Reply, schemaVersion } from '../client.ts'
import { issuerAt, password } from '../world.ts'
import type { OpenArea } from './area.ts'

const users = '/api/v1/identity/users'
const tid = 'rights-product'
/** Milliseconds for which a process may use rights that it has read. */
const mayBeOld = 1000
/** Milliseconds between two changes of a subject, so that there are reads after each. */
const settles = 2500

/** A user with a role of their own. */
interface Subject {
  readonly id: string
  readonly name: string
  token: string
  /** When the answer came that took the rights away; undefined while the user may have them. */
  revokedAt: number | undefined
  changedAt: number
  isChanging: boolean
}
type Way = 'grants' | 'roles' | 'user'
const ways: readonly Way[] = ['grants', 'roles', 'user']

export const rightsArea: OpenArea = (world) => {
  const faults: string[] = []
  const subjects: (Subject | undefined)[] = [undefined, undefined, undefined]
  let views = 0
  let refusals = 0
  /** Changes by the object of their events in the audit log. */
  const changes = new Map<string, { acknowledged: number; unknown: number }>()
  const noteChange = (object: string, { kind }: Reply) => {
    const noted = changes.get(object) ?? { acknowledged: 0, unknown: 0 }
    if (kind === 'ok') noted.acknowledged++
    if (kind === 'unknown') noted.unknown++
    changes.set(object, noted)
  }
  /** The last acknowledged state of each user and role, by what was set; without those whose last change got no answer. */
  const states = new Map<string, { readonly name: string; readonly way: Way; readonly isAllowed: boolean }>()

  const put = (path: string, body: object, method = 'PUT') => call(world, path, { body, method })
  const set = async (subject: Pick<Subject, 'id' | 'name'>, way: Way, isAllowed: boolean): Promise<Reply> => {
    const reply = await send(subject, way, isAllowed)
    const { name } = subject
    noteChange(way === 'grants' ? `role ${name}` : `user ${name}`, reply)
    if (reply.kind === 'ok') states.set(`${way} ${name}`, { name, way, isAllowed })
    if (reply.kind === 'unknown') states.delete(`${way} ${name}`)
    return reply
  }
  const send = ({ id, name }: Pick<Subject, 'id' | 'name'>, way: Way, isAllowed: boolean): Promise<Reply> => {
    if (way === 'roles') return put(`${users}/${id}/roles`, { roles: isAllowed ? [name] : [] })
    if (way === 'user') return put(`${users}/${id}`, { enabled: isAllowed }, 'PATCH')
    const grants = isAllowed
      ? [
          { kind: 'product', actions: ['read'] },
          { kind: 'node', actions: ['read'] },
          { kind: 'asset', actions: ['read'] },
          { kind: 'dir', actions: ['read'] },
        ]
      : [{ kind: 'keyword', actions: ['read'] }] // who may read nothing may not even search
    return put(`/api/v1/identity/roles/${name}`, { grants })
  }
  const signedIn = async (client: Client, name: string): Promise<string | undefined> => {
    const found = await signIn(issuerAt(client.random.pick(world.urls)), name, password).catch(() => undefined)
    return found?.body.access_token
  }

  async function create(client: Client): Promise<Subject | undefined> {
    const name = `rights-${client.fresh()}`
    if ((await set({ id: '', name }, 'grants', true)).kind !== 'ok') return undefined
    const made = await call(world, users, { body: { name, password, roles: [name] } })
    noteChange(`user ${name}`, made)
    if (made.kind === 'ok') states.set(`roles ${name}`, { name, way: 'roles', isAllowed: true })
    const token = made.kind === 'ok' ? await signedIn(client, name) : undefined
    if (token === undefined) return undefined
    const changedAt = performance.now()
    return { id: made.json.id, name, token, revokedAt: undefined, changedAt, isChanging: false }
  }

  /** Returns false if the new state is not known. */
  async function change(client: Client, subject: Subject): Promise<boolean> {
    if (subject.revokedAt === undefined) {
      const reply = await set(subject, client.random.pick(ways), false)
      if (reply.kind === 'ok') subject.revokedAt = performance.now()
      return reply.kind === 'ok'
    }
    subject.revokedAt = undefined
    for (const way of ways) if ((await set(subject, way, true)).kind !== 'ok') return false
    const token = await signedIn(client, subject.name)
    subject.token = token ?? subject.token
    return token !== undefined
  }

  async function read(subject: Subject, way: keyof typeof reads): Promise<void> {
    const { revokedAt, token } = subject
    const from = performance.now()
    const reply = await reads[way](token)
    // A search that counts the product shows that there is one.
    const isShown = reply.kind === 'ok' && (reply.bytes.includes(tid) || (reply.json?.totalHitCount ?? 0) > 0)
    if (isShown) views++
    if (revokedAt === undefined || subject.revokedAt !== revokedAt || from - revokedAt < mayBeOld) return
    if (isShown) faults.push(`${subject.name} ${way} ${Math.round(from - revokedAt)} ms after the rights ended`)
    else refusals++
  }
  const body = {
    context: { index: 'PRODUCT' },
    resultAttributes: ['tid'],
    query: { queryType: 'FIELD', name: 'tid', comparator: 'EQ', value: tid },
  }
  const reads = {
    'sees a product': (token: string) => call(world, `${core}/pim/products/retrieve`, { body: { tids: [tid] }, token }),
    'finds a product': (token: string) => call(world, '/api/v1/search', { body, token }),
    // The bytes of the file are its tid.
    'gets a file': (token: string) => call(world, `${core}/dam/assets/bin?assetTid=${tid}`, { token }),
  }
  const ofReads = Object.keys(reads) as (keyof typeof reads)[]

  /** Acknowledged changes are there, and each is in the audit log. */
  async function* lost(): AsyncIterable<string> {
    const rows = await world.db.rows<{ name: string; grants: boolean; roles: boolean; user: boolean }>(sql`
      select u.name, u.enabled as "user", exists (select from user_role r where r.user_id = u.id) as roles,
        exists (select from role_grant g where g.role = u.name and g.kind = 'product') as grants
      from user_account u where u.name like 'rights-%'`)
    const found = new Map(rows.map((row) => [row.name, row]))
    for (const { name, way, isAllowed } of states.values()) {
      const row = found.get(name)
      // A role whose user could not be created has no row here.
      if (row ? row[way] !== isAllowed : way !== 'grants')
        yield `${way} of ${name}: set to ${isAllowed}, found ${row?.[way]}`
    }
    const events = await world.db.rows<{ object: string; n: number }>(
      sql`select object, count(*)::int as n from audit_event
        where outcome = 'success' and action in ('role.put', 'user.create', 'user.update', 'user.enable', 'user.disable', 'user.roles')
        group by object`,
    )
    const counts = new Map(events.map(({ object, n }) => [object, n]))
    for (const [object, { acknowledged, unknown }] of changes) {
      const n = counts.get(object) ?? 0
      if (n < acknowledged || n > acknowledged + unknown)
        yield `${object}: ${acknowledged} changes, ${unknown} perhaps, and ${n} in the audit log`
    }
  }

  return {
    async prepare() {
      const product = [{ tid, name: tid, node: '/Std' }]
      await call(world, `${core}/pim/products/persist`, { body: { schemaVersion, products: { product } } })
      const file = form(paramsPart({ path: `/MAM/faults/${tid}.bin`, tid }), payloadPart(Buffer.from(tid)))
      await call(world, `${core}/dam/assets/bin/persist`, file)
    },
    async step(client) {
      const n = client.random.below(subjects.length)
      const subject = subjects[n]
      if (!subject) {
        const made = await create(client)
        subjects[n] ??= made
      } else if (!subject.isChanging && performance.now() - subject.changedAt > settles) {
        subject.isChanging = true
        if (!(await change(client, subject))) subjects[n] = undefined
        Object.assign(subject, { isChanging: false, changedAt: performance.now() })
      } else {
        await read(subject, client.random.pick(ofReads))
      }
    },
    async *check() {
      yield* faults
      yield* lost()
      if (refusals > 100 && views === 0) yield 'no user with rights has ever seen the product'
    },
  }
}
