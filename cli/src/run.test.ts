import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { coreError, startLocalServer } from '../../sdk/test/local-server.ts'
import { runCli, temporaryFolder } from '../test/run-cli.ts'

const me = { body: { name: 'robin', roles: ['admin', 'user'] } }
const tokenOf = (url: string) => ({ KONTOR_URL: url, KONTOR_TOKEN: 'a-token' })

describe('a command line is refused with exit code 2 and the usage of the command', () => {
  test.each([
    ['persist a.json b.json', 'unexpected argument b.json'],
    ['whoami robin', 'unexpected argument robin'],
    ['export products --out a.csv', 'unexpected argument products'],
    ['webhooks delete 1 2', 'unexpected argument 2'],
    ['whoami --loud', "Unknown option '--loud'"],
    ['products retrieve --tid', '--tid'],
    ['whoami --json=yes', '--json'],
    ['persist', 'missing <file>'],
    ['upload film.bin', 'missing --to'],
    ['search', 'missing <words>'],
    ['webhooks create', 'missing <address>'],
    ['search sea --count many', '--count: expected a number, found many'],
    ['products retrieve --id P1', '--id: expected a number, found P1'],
    ['products retrieve --as yaml', '--as: expected xml, json, compact'],
    ['products retrieve --request {', '--request: '],
    ['reindex BOATS', 'unknown index BOATS; expected '],
    ['export --out products.doc', '--out: expected a name that ends in csv'],
  ])('%s', async (line, message) => {
    const { code, stdout, stderr } = await runCli(line)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^kontor: .+\nusage: kontor \w/)
    expect(stderr).toContain(message)
  })

  test.each(['dance', 'products dance', 'help dance'])('unless the command is unknown: %s', async (line) => {
    const { code, stderr } = await runCli(line)
    expect(code).toBe(2)
    expect(stderr).toBe(`kontor: unknown command ${line.replace('help ', '')}; \`kontor help\` lists all commands\n`)
  })

  test('also on the machine of the server', async () => {
    const { code, stderr } = await runCli('backup here there')
    expect([code, stderr]).toEqual([2, 'kontor: unexpected argument there\nusage: kontor backup <folder>\n'])
  })
})

describe('help', () => {
  test.each(['', 'help', '--help'])('lists all commands: kontor %s', async (line) => {
    const { code, stdout } = await runCli(line)
    expect(code).toBe(0)
    for (const name of ['login', 'products retrieve', 'persist', 'webhooks create', 'completion', 'backup verify'])
      expect(stdout).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'))
  })

  test('of a noun shows its commands', async () => {
    const { stdout } = await runCli('help webhooks')
    expect(stdout.match(/^kontor webhooks \w+/gm)).toEqual(['kontor webhooks list', 'kontor webhooks create', 'kontor webhooks delete']) // prettier-ignore
  })

  test.each(['persist --help', 'persist a.json b.json --help', 'backup --help'])('does not run %s', async (line) => {
    const { code, stdout } = await runCli(line)
    expect([code, stdout.startsWith(`kontor ${line.split(' ')[0]} <`)]).toEqual([0, true])
  })
})

describe('the server and the token', () => {
  test('come from the environment where it has them', async () => {
    const { url, requests } = await startLocalServer(() => me)
    expect(await runCli('whoami', tokenOf(`${url}/`))).toEqual({ code: 0, stdout: 'robin: admin, user\n', stderr: '' })
    expect(requests[0]!.headers.authorization).toBe('Bearer a-token')
  })

  test('come from the last sign-in otherwise, and the new offline token is stored', async () => {
    const { url, requests } = await startLocalServer(({ path }) =>
      path.endsWith('/token') ? { body: { access_token: 'access', expires_in: 300, refresh_token: 'offline-2' } } : me,
    )
    const home = temporaryFolder()
    const file = join(home, 'session.json')
    writeFileSync(file, JSON.stringify({ url, user: 'robin', offlineToken: 'offline-1' }))
    expect(await runCli('whoami', { KONTOR_CLI_HOME: home })).toMatchObject({ code: 0, stdout: 'robin: admin, user\n' })
    expect(requests[0]!.body.toString()).toContain('refresh_token=offline-1')
    expect(requests[1]!.headers.authorization).toBe('Bearer access')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url, user: 'robin', offlineToken: 'offline-2' })
  })

  test('are missing before the first sign-in', async () => {
    const { code, stderr } = await runCli('whoami')
    expect([code, stderr]).toEqual([3, 'kontor: you are not signed in: run `kontor login`\n'])
  })
})

describe('login', () => {
  test('stores the offline token, logout deletes it', async () => {
    const { url } = await startLocalServer(() => ({ body: { access_token: 'access', expires_in: 300, refresh_token: 'offline' } })) // prettier-ignore
    const home = temporaryFolder()
    const env = { KONTOR_CLI_HOME: home, KONTOR_PASSWORD: 'a quiet heron' }
    const { code, stdout } = await runCli(`login --url ${url}/ --user robin`, env)
    expect([code, stdout]).toEqual([0, `Signed in at ${url} as robin.\n`])
    const file = join(home, 'session.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url, user: 'robin', offlineToken: 'offline' })
    expect(await runCli('logout', env)).toMatchObject({ code: 0, stdout: 'Signed out.\n' })
    expect(await runCli('whoami', env)).toMatchObject({ code: 3 })
  })

  test('with a wrong password stores nothing', async () => {
    const { url } = await startLocalServer(() => ({ status: 401, body: { error_description: 'wrong user or password' } })) // prettier-ignore
    const env = { KONTOR_CLI_HOME: temporaryFolder(), KONTOR_PASSWORD: 'guessed' }
    const { code, stderr } = await runCli(`login --url ${url} --user robin`, env)
    expect([code, stderr]).toEqual([3, 'kontor: wrong user or password\n'])
    expect(await runCli('whoami', env)).toMatchObject({ code: 3 })
  })
})

test('with --json the result is JSON', async () => {
  const { url } = await startLocalServer(() => me)
  const { stdout } = await runCli('whoami --json', tokenOf(url))
  expect(JSON.parse(stdout)).toEqual(me.body)
})

describe('a failure', () => {
  test.each([
    [400, 1],
    [403, 1],
    [404, 1],
    [401, 3],
  ])('with the status %i is one line with the support id, and exit code %i', async (status, expected) => {
    const { url } = await startLocalServer(() => ({ status, body: coreError('1001', 'level: too small') }))
    const { code, stdout, stderr } = await runCli('whoami', tokenOf(url))
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toBe('kontor: level: too small (support id a-support-id)\n')
  })

  test('to read a file names the file', async () => {
    const { code, stderr } = await runCli('persist /nonexistent/in.json')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^kontor: ENOENT.*\/nonexistent\/in\.json'\n$/)
  })

  test('to reach the server has exit code 4', async () => {
    const { url } = await startLocalServer(() => 'lost')
    for (const address of [url, 'http://127.0.0.1:1']) {
      const { code, stderr } = await runCli(`login --url ${address} --user robin`, { KONTOR_PASSWORD: 'x' })
      expect([code, stderr]).toEqual([4, expect.stringMatching(/^kontor: the server does not answer \(.+\)\n$/)])
    }
  })
})

test('a reader that has enough, such as head, ends the command without an error', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
  const [code] = (await once(child, 'close')) as [number]
  expect([code, errors]).toEqual([0, ''])
})
