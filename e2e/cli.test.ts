/** The `kontor` command as a process, against its own server. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { objectCommands } from '../cli/src/objects.ts'
import { run } from '../cli/src/run.ts'
import { createModel } from '../server/test/catalogue.ts'
import { withServer } from '../server/test/server.ts'

const api = withServer()
const folder = mkdtempSync(join(tmpdir(), 'kontor-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const program = fileURLToPath(new URL('../cli/bin/kontor.mjs', import.meta.url))
const password = 'a quiet heron by the weir'
let url = ''

interface Result {
  code: number
  stdout: string
  stderr: string
}
const kontor = (args: readonly string[], env: Record<string, string> = {}): Promise<Result> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env
    const options = { env: { PATH, KONTOR_CLI_HOME: join(folder, 'home'), ...env }, cwd: folder }
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
    child.stdin!.end(password)
  })
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return name
}

beforeAll(async () => {
  url = await api.listen()
  await createModel(api)
  await api.startWorker()
  await api.app.identity.users.create({ name: 'robin', roles: ['admin'], password })
})

test('after sign-in, the token is stored in a file that only its owner can read', async () => {
  expect(await kontor(['whoami'])).toMatchObject({ code: 3, stderr: expect.stringContaining('kontor login') })
  const login = await kontor(['login', '--url', url, '--user', 'robin', '--password-stdin'])
  expect(login).toMatchObject({ code: 0, stdout: `Signed in at ${url} as robin.\n` })
  expect(statSync(join(folder, 'home', 'session.json')).mode & 0o777).toBe(0o600)
  expect((await kontor(['whoami'])).stdout).toBe('robin: admin\n')
  expect(JSON.parse((await kontor(['whoami', '--json'])).stdout)).toMatchObject({ name: 'robin' })
})

const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
test.skipIf(!hasTerminal)('a password typed at a terminal is not echoed', async () => {
  const line = `'${process.execPath}' '${program}' login --url ${url} --user robin`
  const env = { PATH: process.env.PATH, KONTOR_CLI_HOME: join(folder, 'terminal'), TERM: 'dumb' }
  const terminal = spawn('script', ['-qec', line, '/dev/null'], { env })
  let screen = ''
  terminal.stdout.on('data', (chunk: Buffer) => {
    screen += chunk
    if (screen.endsWith('Password: ')) terminal.stdin.write(`${password}\n`)
  })
  await once(terminal, 'close')
  expect(screen.split(/\r*\n/)).toEqual(['Password: ', `Signed in at ${url} as robin.`, ''])
})

describe('signed in', () => {
  test('an envelope is stored; refused objects are listed, and the exit code is 1', async () => {
    const xml = `<pim xmlns="http://www.apollon.de/omn" schemaVersion="5.6.0"><products>
      <product tid="CL1"><name>One</name><node>/Standard/Jackets</node></product>
      <product tid="CL2"><name>Two</name><node>/Nowhere</node></product></products></pim>`
    const result = await kontor(['persist', file('in.xml', xml)])
    expect(result).toMatchObject({ code: 1, stdout: expect.stringMatching(/^refused: CL2 .*\n1 stored, 1 refused\n$/) })
    const one = file('one.json', '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"name":{"itm":[{"value":"Sea"}]}}]}}')
    expect(await kontor(['persist', one])).toMatchObject({ code: 0, stdout: '1 stored, 0 refused\n' })
  })

  test('an invalid envelope is refused as a whole, with the reason', async () => {
    const wrong: readonly (readonly [content: string, code: number, message: string, ...args: string[]])[] = [
      ['{"schemaVersion":"5.6.0","kwds":{"kwd":[{"name":{"itm":[{"value":"Half"}]}}]},"locales":{"locale":[{"tid":"x"}]}}', 2, 'locales cannot be stored'],
      ['{"schemaVersion":"5.6.0","kwds":{"kwd":[]}}', 2, 'has no objects that can be stored'],
      ['{"schemaVersion":"5.6.0","kwds":{"kwds":[]}}', 1, 'kontor: /pim/kwds/kwds: '],
      ['{"schemaVersion"', 1, 'kontor: '],
      [`{"schemaVersion":"5.6.0","kwds":{"kwd":[${'{"parentPath":"/Sea"},'.repeat(1000)}{"parentPath":"/Sea"}]}}`, 2, '--atomic: at most 1000 objects, not 1001', '--atomic'],
      ['{"schemaVersion":"5.6.0","kwds":{"kwd":[{}]},"glossaries":{"glossary":[{}]}}', 2, '--atomic: one kind of objects at a time, not keywords, glossaries', '--atomic'],
      ['{"schemaVersion":"5.6.0"}', 2, 'unexpected argument other.json', 'other.json'],
    ] // prettier-ignore
    for (const [content, code, message, ...args] of wrong) {
      const result = await kontor(['persist', file('wrong.json', content), ...args])
      expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
      expect(result.stderr).not.toContain('    at ')
    }
    expect((await kontor(['keywords', 'retrieve', '--request', '{"path":"/","level":-1}'])).stdout).not.toContain('Half') // prettier-ignore
  })

  test('an option that needs a number refuses other text', async () => {
    for (const line of ['events follow --count all', 'search sea --count all', 'products retrieve --id P1'])
      expect(await kontor(line.split(' '))).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a number') }) // prettier-ignore
  })

  test('objects are retrieved in every format', async () => {
    const retrieve = ['products', 'retrieve', '--tid', 'CL1', '--as']
    expect((await kontor([...retrieve, 'xml'])).stdout).toMatch(/^<\?xml.*<product tid="CL1">/s)
    expect(JSON.parse((await kontor([...retrieve, 'compact'])).stdout)).toHaveProperty('products')
    expect((await kontor(['products', 'query', '--request', '{"nodePaths":["/Standard/Jackets"]}'])).stdout).toContain('CL1') // prettier-ignore
    expect(await kontor([...retrieve, 'yaml'])).toMatchObject({ code: 2, stderr: expect.stringContaining('usage:') })
  })

  test('a folder is uploaded with all its content', async () => {
    mkdirSync(join(folder, 'pictures', 'below'), { recursive: true })
    file('pictures/a.txt', 'a')
    file('pictures/below/b.txt', 'b'.repeat(100))
    const result = await kontor(['upload', 'pictures', '--to', '/MAM/cli', '--resume'])
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('uploaded: /MAM/cli/below/b.txt') })
    expect(await kontor(['upload', 'pictures/a.txt', '--to', '/MAM/cli'])).toMatchObject({ code: 1 })
    expect(await kontor(['upload', 'pictures/a.txt', '--to', '/MAM/cli', '--overwrite'])).toMatchObject({ code: 0 })
  })

  test('files are imported and exported', async () => {
    const csv = file('in.csv', 'tid,name,node,weight\nCI1,I1,/Standard/Jackets,5\nCI2,I2,/Standard/Jackets,heavy\n')
    expect(await kontor(['import', csv, '--validate'])).toMatchObject({ code: 1, stdout: expect.stringContaining('row 2, weight:') }) // prettier-ignore
    const result = await kontor(['import', csv, '--result', 'wrong.csv'])
    expect(result.stdout).toContain('1 created, 0 updated, 1 refused')
    expect(readFileSync(join(folder, 'wrong.csv'), 'utf8')).toContain('CI2,I2,/Standard/Jackets,heavy,refused')
    expect(await kontor(['export', '--tid', 'CI1', '--column', 'tid', '--column', 'weight', '--out', 'out.csv'])).toMatchObject({ code: 0, stdout: '1 product in out.csv\n' }) // prettier-ignore
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('\ufefftid,weight\r\nCI1,5\r\n')
  })

  test('search finds products; a series of exports contains them all first, then only the changes', async () => {
    const csv = 'tid,name,node\nCS1,Lighthouse red,/Standard/Jackets\nCS2,Lighthouse blue,/Standard/Jackets\n'
    expect((await kontor(['import', file('lights.csv', csv)])).code).toBe(0)
    const light = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: { queryType: 'FULLTEXT', value: 'lighthouse' } } // prettier-ignore
    const untilFound = (count: number) =>
      vi.waitFor(async () => expect((await api.post('/api/v1/search', light)).json.totalHitCount).toBe(count), 30_000)
    await untilFound(2)
    const found = await kontor(['search', 'lighthouse'])
    expect(found).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^product\tCS\d\tLighthouse .*\n2 found\n$/s),
    })
    const one = await kontor(['search', 'lighthouse', '--count', '1', '--json'])
    expect(JSON.parse(one.stdout)).toMatchObject({ totalHitCount: 2, items: [{}] })
    expect(await kontor(['search', 'qwxyzzy'])).toMatchObject({ code: 1, stdout: '0 found\n' })

    const { users, issueTokens } = api.app.identity
    const { access_token: token } = await issueTokens((await users.find({ name: 'robin' }))!)
    const stored = await api.post('/api/v1/search/storedsearch', { name: 'Lights', searchObject: light }, { token })
    expect(stored.status, stored.text).toBe(201)
    const exportSeries = [
      'export',
      '--search',
      String(stored.json.id),
      '--series',
      'lights',
      '--column',
      'tid',
      '--out',
    ]
    expect(await kontor([...exportSeries, 'first.csv'])).toMatchObject({ code: 0, stdout: '2 products in first.csv\n' })
    const pier = '{"schemaVersion":"5.6.0","products":{"product":[{"tid":"CS2","name":"Pier"}]}}'
    expect((await kontor(['persist', file('pier.json', pier)])).code).toBe(0)
    await untilFound(1)
    expect((await kontor([...exportSeries, 'next.csv'])).code).toBe(0)
    expect(readFileSync(join(folder, 'next.csv'), 'utf8').trim().split('\r\n').at(-1)).toBe('CS2,true')
  })

  test('reindex rebuilds one index or all', async () => {
    expect(await kontor(['reindex', 'PRODUCT'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PRODUCT: .*\n$/) }) // prettier-ignore
    expect((await kontor(['reindex'])).stdout.trim().split('\n').length).toBeGreaterThan(2)
    expect(await kontor(['reindex', 'BOATS'])).toMatchObject({ code: 2, stderr: expect.stringContaining('BOATS') }) // prettier-ignore
  })

  test('the server accepts every reading command', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const errors: string[] = []
    vi.spyOn(console, 'error').mockImplementation((text: string) => void errors.push(text))
    const codes: [string, number][] = []
    for (const { name } of objectCommands.filter((command) => command.name !== 'persist'))
      codes.push([
        name,
        await run([...name.split(' '), '--tid', 'unknown'], { KONTOR_URL: url, KONTOR_TOKEN: api.adminToken }),
      ])
    vi.restoreAllMocks()
    expect(codes.length).toBeGreaterThan(20)
    expect(
      codes.filter(([, code]) => code > 1),
      errors.join('\n'),
    ).toEqual([])
  })

  test('events are followed; webhooks are created, listed and deleted', async () => {
    const { position } = (await api.get('/api/v1/events')).json
    await kontor(['persist', file('k.json', '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"name":{"itm":[{"value":"Harbour"}]}}]}}')]) // prettier-ignore
    const { stdout } = await kontor(['events', 'follow', '--after', position, '--count', '1'])
    expect(JSON.parse(stdout)).toMatchObject({ type: 'kontor.keyword.created', subject: '/Harbour' })
    const { id } = JSON.parse((await kontor(['webhooks', 'create', 'https://example.com/hook', '--json'])).stdout)
    expect((await kontor(['webhooks', 'list'])).stdout).toContain(`${id}\tenabled`)
    expect((await kontor(['webhooks', 'delete', id])).code).toBe(0)
  })
})

test('commands on the machine of the server check the installation and its settings, also with --json', async () => {
  const env = {
    DATABASE_URL: api.db.pool.options.connectionString!,
    KONTOR_DATA: api.config.data,
    KONTOR_MASTER_KEY: api.config.masterKey!,
  }
  const doctor = await kontor(['doctor'], env)
  expect(doctor.stdout).toMatch(/^fine {3}data folder {2}\//)
  expect(doctor.stdout).toMatch(/fine {3}migrations {3}all \d+ applied/)
  const { id } = JSON.parse((await kontor(['webhooks', 'create', 'https://example.com/hook', '--json'])).stdout)
  await api.post(`/api/v1/webhooks/${id}`, { enabled: false }, { method: 'PATCH', token: api.adminToken })
  const failing = await kontor(['doctor', '--json'], env)
  const { ok, lines } = JSON.parse(failing.stdout)
  expect([failing.code, ok, lines]).toEqual([1, false, expect.arrayContaining([expect.stringMatching(/^wrong {2}webhooks {5}https:..example.com.hook: disabled/)])]) // prettier-ignore
  expect(await kontor(['config', 'check', '--json'], env)).toMatchObject({ code: 0, stdout: '{"ok":true,"lines":["The settings are fine."]}\n' }) // prettier-ignore
  expect((await kontor(['config', 'print'], env)).stdout).toContain('KONTOR_ROLES=api,worker,search')
  expect(await kontor(['config', 'check'], { KONTOR_PORT: 'many' })).toMatchObject({ code: 1, stderr: expect.stringContaining('KONTOR_PORT') }) // prettier-ignore
})

test('after sign-out, commands ask to sign in', async () => {
  expect(await kontor(['logout'])).toMatchObject({ code: 0, stdout: 'Signed out.\n' })
  expect((await kontor(['whoami'])).code).toBe(3)
})

test('help describes commands without running them, and exit codes tell failures apart', async () => {
  expect(await kontor(['help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('products retrieve') })
  expect((await kontor(['help', 'upload'])).stdout).toContain('--to /RNC/path')
  expect(await kontor(['dance'])).toMatchObject({ code: 2 })
  expect(await kontor(['help', 'dance'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown command dance'),
  })
  for (const [line, usage] of [
    ['keys rotate', 'keys rotate'],
    ['backup', 'backup <folder>'],
    ['demo remove', 'demo remove'],
    ['persist', 'persist <file'],
  ] as const)
    expect(await kontor([...line.split(' '), '--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining(`kontor ${usage}`) }) // prettier-ignore
  const unreachable = { KONTOR_URL: 'http://127.0.0.1:1', KONTOR_TOKEN: 'x' }
  expect(await kontor(['whoami'], unreachable)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('does not answer'),
  })
  expect(await kontor(['whoami'], { KONTOR_URL: url, KONTOR_TOKEN: 'x' })).toMatchObject({ code: 3 })
})
