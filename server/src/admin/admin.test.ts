/** The `kontor` command on a database given by DATABASE_URL, as with a running server. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { connect, type Database } from '../adapters/postgres/db.ts'
import { audit } from '../identity/audit/audit-chain.ts'
import { commands } from './admin.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createDatabase()
  db = connect(database.poolConfig)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

async function kontor(line: string, ...args: string[]) {
  const output: string[] = []
  const errors = vi.spyOn(console, 'error').mockImplementation((text: string) => void output.push(text))
  const env = {
    DATABASE_URL: database.poolConfig.connectionString,
    KONTOR_MASTER_KEY: 'of a test, which need not be secret',
  }
  const code = await commands.get(line)!.run(args, env, (text) => void output.push(text))
  errors.mockRestore()
  return { code, output: output.join('\n') }
}

test('users can be created, listed, given roles, disabled, enabled and given a new password', async () => {
  expect((await kontor('users create', 'root', 'admin')).output).toMatch(/^root can sign in with the password \w{24} /)
  expect((await kontor('users create', 'vera')).output).toContain('vera has no role and may do nothing yet')
  expect(await kontor('users list')).toEqual({ code: 0, output: 'root\tenabled\tadmin\t\nvera\tenabled\t\t' })
  await kontor('users roles', 'vera', 'editor', 'reader')
  await kontor('users disable', 'vera')
  expect((await kontor('users list', 'ver')).output).toBe('vera\tdisabled\teditor,reader\t')
  await kontor('users enable', 'vera')
  expect((await kontor('users reset-password', 'vera')).output).toMatch(/is now \w{24} and must be changed/)
  const { rows } = await db.pool.query(`select action from audit_event where object = 'user vera' order by seq`)
  const actions = ['user.create', 'user.roles', 'user.disable', 'user.enable', 'user.reset-password']
  expect(rows.map(({ action }) => action)).toEqual(actions)
})

test.each([
  ['users create', ['vera'], 'exists already'],
  ['users create', [], 'name a user'],
  ['users disable', ['nobody'], 'no user has the name nobody'],
  ['users disable', ['root'], 'at least one enabled user'],
  ['users roles', ['vera', 'king'], 'no role has this name: king'],
  ['users roles', ['vera'], 'at least one role'],
  ['audit verify', ['x'], 'has the form'],
  ['channel-types add', ['Kiosk'], 'expected <tid> <name>'],
  ['channel-types add', ['Kiosk', 'Kiosk', 'TITLE'], 'TITLE: expected attribute:type'],
  ['channel-types add', ['Kiosk', 'Kiosk', 'TITLE:poem'], 'poem'],
  ['channel-types rename', ['nobody', 'x'], 'no channel type has the tid nobody'],
])('%s %j is refused with a message', async (line, args, sentence) => {
  expect(await kontor(line, ...args)).toMatchObject({ code: 1, output: expect.stringContaining(sentence) })
})

test('channel types can be listed, added with attributes, extended and renamed', async () => {
  expect((await kontor('channel-types list')).output).toContain('Webshop\tWeb shop\tTITLE,DESCRIPTION')
  const added = await kontor('channel-types add', 'Kiosk', 'Kiosk', 'TITLE:text:localized', 'OPENED_ON:date')
  expect(added).toEqual({ code: 0, output: 'The channel type Kiosk can be used now.' })
  await kontor('channel-types add', 'Kiosk', 'Kiosk', 'SCREENS:number')
  await kontor('channel-types rename', 'Kiosk', 'Info kiosk')
  expect((await kontor('channel-types list')).output).toContain('Kiosk\tInfo kiosk\tTITLE,OPENED_ON,SCREENS')
  const { rows } = await db.pool.query(
    `select user_name from history where data_type = 'projectTypes' group by user_name`,
  )
  expect(rows).toEqual([{ user_name: 'kontor command' }])
})

test('keys can be rotated', async () => {
  const signing = async () =>
    (await db.pool.query(`select kid from signing_key where algorithm = 'ES256' order by active_at desc nulls last`))
      .rows[0]
  await kontor('keys rotate')
  const before = await signing()
  expect(await kontor('keys rotate')).toMatchObject({ code: 0 })
  expect(await signing()).not.toEqual(before)
})

test('a wrong master key is refused', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {})
  const env = {
    DATABASE_URL: database.poolConfig.connectionString,
    KONTOR_MASTER_KEY: 'another one, of another process',
  }
  const { createKeys } = await import('../identity/tokens/keys.ts')
  const { createMasterKey } = await import('../identity/tokens/master-key.ts')
  await expect(createKeys(db, 'ES256', createMasterKey(`${env.KONTOR_MASTER_KEY} here`))).rejects.toThrow(
    'does not fit',
  )
  expect(await commands.get('keys rotate')!.run([], env, () => {})).toBe(1)
  expect(complain).toHaveBeenCalledWith(expect.stringContaining('at least 32 characters'))
  complain.mockRestore()
})

test('the audit log is verified, and changed, removed and truncated rows are found', async () => {
  for (let i = 0; i < 5; i++) await audit(db, { action: 'test', actor: `Müller ${i} 🚢`, detail: { i } })
  const whole = await kontor('audit verify')
  expect(whole).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^The audit log is whole: \d+ rows; the last one is/),
  })
  const [anchor] = /\d+:[0-9a-f]{64}/.exec(whole.output)!
  expect(await kontor('audit verify', anchor)).toMatchObject({ code: 0 })

  const asOwner = async (statement: string) => {
    await db.pool.query('alter table audit_event disable trigger user')
    await db.pool.query(statement)
    await db.pool.query('alter table audit_event enable trigger user')
  }
  await asOwner(`delete from audit_event where seq = (select max(seq) from audit_event)`)
  expect(await kontor('audit verify')).toMatchObject({ code: 0 }) // a truncated log is detected only with an anchor
  expect((await kontor('audit verify', anchor)).output).toContain('which the anchor names, is missing')
  await asOwner(`update audit_event set actor = 'nobody' where seq = 2`)
  expect(await kontor('audit verify')).toMatchObject({ code: 1, output: expect.stringContaining('row 2 was changed') })
  await asOwner(`delete from audit_event where seq = 2`)
  expect((await kontor('audit verify')).output).toContain('row 2 is missing')
})

test('rows of the audit log can neither be changed nor removed, and concurrent writers do not fork the chain', async () => {
  for (const statement of ['update audit_event set actor = $$x$$', 'delete from audit_event', 'truncate audit_event']) {
    await expect(db.pool.query(statement)).rejects.toThrow('only ever added to')
  }
  await Promise.all(Array.from({ length: 40 }, (_, i) => audit(db, { action: 'race', actor: String(i) })))
  const { rows } = await db.pool.query(`select count(*)::int, count(distinct previous)::int as links from audit_event`)
  expect(rows[0].count).toBe(rows[0].links)
})

test('workflows can be checked, deployed and listed', async () => {
  const file = fileURLToPath(new URL('../../workflows/asset-approval.bpmn', import.meta.url))
  expect(await kontor('workflows check', file)).toEqual({ code: 0, output: 'The file can be run.' })
  expect((await kontor('workflows deploy', file, 'Approval')).output).toMatch(
    /^assetApproval is deployed in version 1 /,
  )
  expect((await kontor('workflows list')).output).toContain('assetApproval 1  Approval  0 running')
  const bad = fileURLToPath(new URL('../../package.json', import.meta.url))
  expect(await kontor('workflows check', bad)).toMatchObject({
    code: 1,
    output: expect.stringContaining('not a BPMN 2.0 file'),
  })
  expect((await kontor('workflows deploy', bad)).code).toBe(1)
  expect((await kontor('workflows deploy', 'nowhere.bpmn')).output).toContain('nowhere.bpmn cannot be read')
})

test.each([
  ['keys rotate', ['--help'], /^kontor: Unknown option '--help'.*\nusage: kontor keys rotate$/s],
  ['backup', ['--help'], /usage: kontor backup <folder>$/],
  ['backup', ['here', 'there'], /^kontor: unexpected argument there\nusage: kontor backup <folder>$/],
  ['users disable', ['vera', 'root'], /unexpected argument root/],
  ['demo install', ['--size', '5'], /Unknown option '--size'.*usage: kontor demo install \[--scale <number>\]$/s],
])('%s %j is not run but answered with the usage', async (line, args, sentence) => {
  expect(await kontor(line, ...args)).toEqual({ code: 2, output: expect.stringMatching(sentence) })
})

test('every command has a description', () => {
  expect([...commands].filter(([, { doc }]) => doc.length < 10)).toEqual([])
})
