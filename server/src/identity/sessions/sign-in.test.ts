import { beforeAll, describe, expect, test } from 'vitest'
import { password, withIdentity } from '../../../test/identity.ts'
import { cheapPasswordWorker } from '../../../test/passwords.ts'
import { createAuditWriter } from '../audit/audit-chain.ts'
import { createLocks, networkOf } from './locks.ts'
import { createPasswords, type Passwords } from '../passwords/passwords.ts'
import { createSignIn, type SignIn } from './sign-in.ts'

const kontor = withIdentity()
let hashes = 0
let signIn: SignIn['byPassword']
const secondFactor = { check: async () => false }
beforeAll(async () => {
  const passwords = createPasswords(cheapPasswordWorker)
  const counting: Passwords = {
    ...passwords,
    inTurn: (work) =>
      passwords.inTurn((matches) =>
        work(async (given, hash) => {
          hashes++
          return matches(given, hash)
        }),
      ),
  }
  const { db } = kontor
  const services = {
    db,
    passwords: counting,
    locks: createLocks(db, 0),
    secondFactor,
    writeAudit: createAuditWriter(db),
  }
  signIn = createSignIn(services).byPassword
})

const newUser = (name: string) => kontor.identity.users.create({ name, password })
const fail = async (name: string, times: number, address: string) => {
  for (let i = 0; i < times; i++) await signIn({ name, password: 'a wrong password', address })
}
/** Moves all recorded failures into the past. */
const later = (minutes: number) =>
  kontor.db.pool.query(
    `update sign_in_failure set since = since - $1 * interval '1 min', locked_until = locked_until - $1 * interval '1 min'`,
    [minutes],
  )

describe('an account', () => {
  test('is locked for a minute after ten failures, even for the right password, and unlocked afterwards', async () => {
    await newUser('frida')
    await fail('frida', 9, '192.0.2.1')
    expect(await signIn({ name: 'frida', password, address: '192.0.2.1' })).toMatchObject({ name: 'frida' })
    await fail('FRIDA', 10, '192.0.2.2')
    expect(await signIn({ name: 'frida', password, address: '192.0.2.3' })).toBeUndefined()
    await later(1)
    expect(await signIn({ name: 'frida', password, address: '192.0.2.3' })).toMatchObject({ name: 'frida' })
  })

  test('is locked longer after each further failure, up to 15 minutes', async () => {
    const lockedMinutes = async () => {
      const { rows } = await kontor.db.pool.query(
        `select round(extract(epoch from locked_until - now()) / 60)::int as minutes from sign_in_failure
         where kind = 'user' and key = 'gustav'`,
      )
      return rows[0].minutes as number
    }
    await fail('gustav', 10, '192.0.2.4')
    const minutes = [await lockedMinutes()]
    for (let i = 0; i < 16; i++) {
      await later(minutes.at(-1)!)
      await fail('gustav', 1, `192.0.2.${10 + i}`)
      minutes.push(await lockedMinutes())
    }
    expect(minutes).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15])
  })

  test('starts a new count after twelve hours', async () => {
    await newUser('hanna')
    await fail('hanna', 9, '192.0.2.5')
    await later(12 * 60 + 1)
    await fail('hanna', 9, '192.0.2.6')
    expect(await signIn({ name: 'hanna', password, address: '192.0.2.6' })).toMatchObject({ name: 'hanna' })
  })

  test('is locked for strangers after ten of forty concurrent wrong passwords from forty addresses, not for its owner', async () => {
    await newUser('nora')
    const home = '203.0.113.77'
    expect(await signIn({ name: 'nora', password, address: home })).toMatchObject({ name: 'nora' })
    hashes = 0
    const refusals = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => signIn({ name: 'nora', password: 'wrong', address: `203.0.113.${i}` })),
    )
    expect(refusals).toHaveLength(40)
    // Two passwords are hashed at a time, so that one more than ten may be judged.
    expect(hashes).toBeLessThanOrEqual(11)
    await fail('nora', 10, '203.0.113.78')
    expect(await signIn({ name: 'nora', password, address: '203.0.113.79' })).toBeUndefined()
    expect(await signIn({ name: 'nora', password, address: home })).toMatchObject({ name: 'nora' })
    const signedIn = { name: 'nora', password, address: '203.0.113.79', signedIn: true }
    expect(await signIn(signedIn)).toMatchObject({ name: 'nora' })
  })

  test('is locked after ten failures from a network where its owner signed in, only there', async () => {
    await newUser('oda')
    const [home, office] = ['203.0.113.101', '203.0.113.102']
    for (const address of [home, office]) await signIn({ name: 'oda', password, address })
    await fail('oda', 10, home)
    expect(await signIn({ name: 'oda', password, address: home })).toBeUndefined()
    expect(await signIn({ name: 'oda', password, address: office })).toMatchObject({ name: 'oda' })
  })

  test('keeps its live sessions while it is locked', async () => {
    const user = await newUser('ida')
    const { access_token: token } = await kontor.identity.issueTokens(user)
    await fail('ida', 10, '192.0.2.7')
    expect(await kontor.identity.verify(`Bearer ${token}`)).toMatchObject({ userName: 'ida' })
  })
})

test('an address is refused for a minute after thirty failures within a minute, for any user name', async () => {
  await newUser('karl')
  for (let i = 0; i < 30; i++) await fail(`guess-${i}`, 1, '198.51.100.1')
  const attempt = { name: 'karl', password, address: '198.51.100.1' }
  await expect(signIn(attempt)).rejects.toMatchObject({ kind: 'tooMany' })
  expect(await signIn({ ...attempt, address: '198.51.100.2' })).toMatchObject({ name: 'karl' })
  await later(1)
  expect(await signIn(attempt)).toMatchObject({ name: 'karl' })
})

test('an attack on a locked name causes one query and one event a second, not one per attempt', async () => {
  const { db, statements } = kontor
  const locks = createLocks(db, 60_000)
  const writeAudit = createAuditWriter(db)
  const { byPassword: attempt } = createSignIn({
    db,
    passwords: createPasswords(cheapPasswordWorker),
    locks,
    secondFactor,
    writeAudit,
  })
  await fail('otto', 10, '198.51.100.3')
  statements.length = 0
  for (let i = 0; i < 50; i++) {
    expect(await attempt({ name: 'otto', password, address: `198.51.101.${i}` })).toBeUndefined()
  }
  expect(statements).toHaveLength(2)
  locks.forget()
  await attempt({ name: 'otto', password, address: '198.51.100.4' })
  expect(statements).toHaveLength(4)
})

test('failures at the token endpoint count for the address of the connection, not for a forwarded header', async () => {
  const body = new URLSearchParams({ client_id: 'kontor-ui', grant_type: 'password', username: 'x', password: 'y' })
  const headers = { 'x-forwarded-for': '198.51.100.77' }
  await fetch(`${kontor.issuer}/protocol/openid-connect/token`, { method: 'POST', body, headers })
  const { rows } = await kontor.db.pool.query(
    `select key from sign_in_failure where key in ('198.51.100.77', '127.0.0.1', '0:0:0:0::/64')`,
  )
  expect(rows.map(({ key }) => key)).not.toContain('198.51.100.77')
  expect(rows).toHaveLength(1)
})

test('an unknown user causes as much work as a wrong password', async () => {
  const user = await newUser('ludwig')
  for (const name of [user.name, 'nobody at all']) {
    hashes = 0
    await fail(name, 1, '203.0.113.1')
    expect(hashes).toBe(1)
  }
})

test('a hash with outdated parameters is renewed when its owner signs in', async () => {
  const { db } = kontor
  const { id } = await newUser('martha') // with the cheap parameters of tests
  const writeAudit = createAuditWriter(db)
  const atRealCost = createSignIn({
    db,
    passwords: createPasswords(),
    locks: createLocks(db),
    secondFactor,
    writeAudit,
  })
  await atRealCost.byPassword({ name: 'martha', password, address: '203.0.113.2' })
  const { rows } = await kontor.db.pool.query('select password_hash from user_account where id = $1', [id])
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

// prettier-ignore
test.each([
  ['192.0.2.1',              '192.0.2.1'],
  ['::ffff:192.0.2.1',       '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6',   '2001:db8:1:2::/64'],
  ['2001:db8::5:6',          '2001:db8:0:0::/64'],
  ['2001:0DB8:1:2::',        '2001:db8:1:2::/64'],
  ['::1',                    '0:0:0:0::/64'],
])('failures from %s are counted for %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
