/**
 * Rights that are taken away: a second after an acknowledged change of a role, of the roles of a user or of the user, no
 * process shows the product to this user any more.
 */
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

  const put = (path: string, body: object, method = 'PUT') => call(world, path, { body, method })
  const set = ({ id, name }: Pick<Subject, 'id' | 'name'>, way: Way, isAllowed: boolean): Promise<Reply> => {
    if (way === 'roles') return put(`${users}/${id}/roles`, { roles: isAllowed ? [name] : [] })
    if (way === 'user') return put(`${users}/${id}`, { enabled: isAllowed }, 'PATCH')
    const grants = isAllowed
      ? [
          { kind: 'product', actions: ['read'] },
          { kind: 'node', actions: ['read'] },
        ]
      : []
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

  async function read(subject: Subject): Promise<void> {
    const { revokedAt, token } = subject
    const from = performance.now()
    const reply = await call(world, `${core}/pim/products/retrieve`, { body: { tids: [tid] }, token })
    const isShown = reply.kind === 'ok' && reply.bytes.includes(tid)
    if (isShown) views++
    if (revokedAt === undefined || subject.revokedAt !== revokedAt || from - revokedAt < mayBeOld) return
    if (isShown) faults.push(`${subject.name} sees a product ${Math.round(from - revokedAt)} ms after the rights ended`)
    else refusals++
  }

  return {
    async prepare() {
      const product = [{ tid, name: tid, node: '/Std' }]
      await call(world, `${core}/pim/products/persist`, { body: { schemaVersion, products: { product } } })
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
        await read(subject)
      }
    },
    *check() {
      yield* faults
      if (refusals > 100 && views === 0) yield 'no user with rights has ever seen the product'
    },
  }
}
