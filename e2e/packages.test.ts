/**
 * The packages as their users install them: from the tarballs alone, outside of the repository, on the Node of the
 * machine. The SDK and the CLI depend on nothing, so they are always tested. The server depends on packages of others:
 * `npm run test:packages` tests it, too.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../server/src/process/free-port.ts'
import { withServer } from '../server/test/server.ts'
import { dataFolder, removeFolder, startKontor } from './kontor.ts'

const api = withServer()
const run = promisify(execFile)
const folder = dataFolder()
afterAll(() => removeFolder(folder))

/** The environment of a user: without the Node and the settings that `npm run` and the tests add. */
const PATH = process.env
  .PATH!.split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter)
const isOfTests = (name: string) => /^(npm_|KONTOR_|VITEST|NODE_ENV$|NODE_OPTIONS$|NODE_COMPILE_CACHE$)/i.test(name)
const user = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfTests(name))), PATH }
const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, env: user })

const tarballs = join(folder, 'tarballs')
const tarball = (name: string) => {
  const file = readdirSync(tarballs).find((file) => file.startsWith(`kontor-${name}-`))
  return join(tarballs, file!)
}
const pack = (...names: string[]) => run('node', ['tools/pack.ts', ...names, '--to', tarballs])

/** Runs a command; a failure is an outcome, too. */
async function outcome(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const kept = { ...user, KONTOR_CLI_HOME: join(folder, 'cli-home'), ...env }
  const found = await run(program, args, { cwd: folder, env: kept }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code: 'code' in found ? found.code : 0, stdout: found.stdout, stderr: found.stderr }
}

const commandIn = (prefix: string, name: string) =>
  process.platform === 'win32' ? join(prefix, `${name}.cmd`) : join(prefix, 'bin', name)
const packageIn = (prefix: string, name: string) =>
  join(prefix, ...(process.platform === 'win32' ? [] : ['lib']), 'node_modules', '@kontor', name)

let baseUrl: string
beforeAll(async () => {
  baseUrl = await api.listen()
  await pack('sdk', 'cli')
})

describe('the SDK', () => {
  const project = join(folder, 'project')
  const installed = join(project, 'node_modules', '@kontor', 'sdk')

  beforeAll(async () => {
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
    await npm(project, 'install', '--offline', tarball('sdk'))
  })

  test('plain JavaScript can import it and make calls', async () => {
    writeFileSync(
      join(project, 'use.js'),
      `import { createClient, fixedToken, KontorError } from '@kontor/sdk'
       const [baseUrl, token] = process.argv.slice(2)
       const kontor = createClient({ baseUrl, tokens: fixedToken(token), format: 'compact' })
       const [record] = await kontor.common.keywords.persist([{ name: { itm: [{ value: 'Harbour' }] } }])
       const paths = []
       for await (const keyword of kontor.common.keywords.stream({ path: '/' })) paths.push(keyword.path)
       const failed = await kontor.common.keywords.retrieve({ level: 0 }).catch((error) => error instanceof KontorError)
       console.log(JSON.stringify({ status: record.status, paths, failed }))`,
    )
    const { stdout } = await run('node', ['use.js', baseUrl, api.token], { cwd: project, env: user })
    expect(JSON.parse(stdout)).toEqual({ status: 'SUCCESS', paths: ['/Harbour'], failed: true })
  })

  test('it imports no other package and no module of Node, so browsers can load it', () => {
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies')
    const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
    const imported = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [
        ...readFileSync(join(installed, 'dist', file), 'utf8').matchAll(/\b(?:from |import |import\()'([^'\n]+)'/g),
      ])
      .map(([, specifier]) => specifier!)
    expect(imported.length).toBeGreaterThan(50)
    expect(imported.filter((specifier) => !specifier.startsWith('.'))).toEqual([])
  })

  test('a TypeScript program compiles against its types and runs', async () => {
    writeFileSync(
      join(project, 'typed.ts'),
      `import { createClient, fixedToken } from '@kontor/sdk'
       declare const process: { argv: [string, string, string, string] }
       const [, , baseUrl, token] = process.argv
       const { common, pim } = createClient({ baseUrl, tokens: fixedToken(token) })
       export const good: Promise<{ status?: string }[]> = common.keywords.persist([{ name: { itm: [{ value: 'Pier' }] } }])
       // @ts-expect-error a product has no such field
       export const bad = () => pim.products.persist([{ nme: 'x' }])
       declare const console: { log(text: string): void }
       console.log((await good).map(({ status }) => status ?? 'none').join())`,
    )
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2024', types: [] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
    const compiled = await run('tsc', ['-p', project]).catch((error: { stdout: string }) => error)
    expect(compiled.stdout).toBe('')
    const { stdout } = await run('node', ['typed.js', baseUrl, api.token], { cwd: project, env: user })
    expect(stdout).toBe('SUCCESS\n')
  })
})

describe('the CLI alone', () => {
  const prefix = join(folder, 'cli')
  const kontor = (args: string[], env?: Record<string, string>) => outcome(commandIn(prefix, 'kontor'), args, env)
  beforeAll(() => npm(folder, 'install', '--global', '--prefix', prefix, '--offline', tarball('cli')))

  test('explains its commands', async () => {
    const { code, stdout } = await kontor(['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('products retrieve')
    expect(stdout).toMatch(/doctor +Checks the connection to the server and the sign-in/)
  })

  test('talks to a server', async () => {
    const env = { KONTOR_URL: baseUrl, KONTOR_TOKEN: api.token }
    const message = join(folder, 'keyword.json')
    writeFileSync(message, '{"schemaVersion":"5.6.0","kwds":{"kwd":[{"name":{"itm":[{"value":"Quay"}]}}]}}')
    expect(await kontor(['persist', message], env)).toMatchObject({ code: 0, stderr: '' })
    expect((await kontor(['keywords', 'retrieve', '--request', '{"path":"/","level":-1}'], env)).stdout).toContain(
      '/Quay',
    )
  })

  test('doctor names what is missing with its remedy, then finds nothing', async () => {
    const unknown = await kontor(['doctor'])
    expect(unknown).toMatchObject({ code: 1, stdout: expect.stringContaining('run `kontor login --url <address>`') })
    expect(existsSync(join(folder, 'cli-home'))).toBe(false)
    const away = await kontor(['doctor'], { KONTOR_URL: `http://127.0.0.1:${await freePort('127.0.0.1')}` })
    expect(away).toMatchObject({ code: 1, stdout: expect.stringContaining('does not answer (ECONNREFUSED)') })
    const KONTOR_URL = baseUrl
    const anonymous = await kontor(['doctor'], { KONTOR_URL })
    expect(anonymous).toMatchObject({ code: 1, stdout: expect.stringContaining('not signed in; run `kontor login`') })
    const { code, stdout } = await kontor(['doctor', '--json'], { KONTOR_URL, KONTOR_TOKEN: api.token })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true })
  })

  test('says that commands for the machine of the server come with the server', async () => {
    const { code, stderr } = await kontor(['users', 'list'])
    expect(code).toBe(2)
    expect(stderr).toContain('kontor-server-<version>.tgz')
  })
})

/** Why the server is not tested; undefined if it is. */
function reasonToSkip(): string | undefined {
  if (process.env.KONTOR_TEST_PACKAGES === undefined) return 'it needs the npm registry: run npm run test:packages'
  const { status } = spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=20000'], { env: user })
  return status === 0 ? undefined : 'the npm registry does not answer: connect to the network, and try npm ping'
}
const reason = reasonToSkip()
if (reason) console.log(`SKIPPED: the installation of the server package; ${reason}`)

describe.skipIf(reason !== undefined)('the server, with the CLI beside it', () => {
  const prefix = join(folder, 'server')
  const data = join(folder, 'data')
  const kontor = (args: string[]) => outcome(commandIn(prefix, 'kontor'), args, { KONTOR_DATA: data })

  beforeAll(async () => {
    await pack('server')
    await npm(folder, 'install', '--global', '--prefix', prefix, tarball('server'), tarball('cli'))
  })

  test('the package has no TypeScript and imports nothing of ours by name', () => {
    const dist = join(packageIn(prefix, 'server'), 'dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('console'))
    expect(files.filter((file) => file.endsWith('.ts'))).toEqual([])
    const code = files.filter((file) => file.endsWith('.js') && statSync(join(dist, file)).isFile())
    const strays = code.flatMap((file) => [
      ...readFileSync(join(dist, file), 'utf8').matchAll(/(?:from|import\(|URL\() ?'(@kontor\/[^']*|[^']*\.ts)'/g),
    ])
    expect(strays.map(([found]) => found)).toEqual([])
  })

  test('doctor inspects a system that was never started, and creates nothing', async () => {
    const { code, stdout } = await kontor(['doctor'])
    expect(code).toBe(1)
    expect(stdout).toContain(`${data} does not exist; the first start of the server creates it`)
    expect(existsSync(data)).toBe(false)
  })

  test('it starts, serves the console, answers calls, searches, makes previews and stops', async () => {
    const env = { ...user, KONTOR_DATA: data }
    const server = await startKontor(env, ['--demo', '--scale', '40'], [commandIn(prefix, 'kontor-server')])
    onTestFinished(async () => void (await server.end('SIGTERM')))
    expect((await fetch(`${server.url}/livez`)).status).toBe(200)
    const page = await (await fetch(`${server.url}/`)).text()
    const [, script] = /<script[^>]+src="([^"]+)"/.exec(page) ?? []
    expect((await fetch(new URL(script!, server.url))).status).toBe(200)
    expect((await fetch(`${server.url}/api/docs`)).status).toBe(200)

    const password = readFileSync(join(data, 'admin-password'), 'utf8').trim()
    const signIn = { KONTOR_PASSWORD: password }
    const cli = (...args: string[]) => outcome(commandIn(prefix, 'kontor'), args, { KONTOR_DATA: data, ...signIn })
    expect(await cli('login', '--url', server.url, '--user', 'admin')).toMatchObject({ code: 0 })
    expect((await cli('products', 'query')).stdout).toContain('FJ-000001')
    expect(await cli('search', 'jacket')).toMatchObject({ code: 0, stdout: expect.stringContaining('Sailing jacket') })
    expect(await cli('doctor')).toMatchObject({ stdout: expect.stringContaining('Everything is fine.'), code: 0 })
    expect(await server.end('SIGTERM')).toBe(0)
  })
})
