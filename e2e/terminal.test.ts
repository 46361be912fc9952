/** The output of the server: for people in a terminal, else as JSON lines. The terminal is a real one, made by script(1). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openConnection } from '../server/test/connection.ts'
import { createDatabase, type TestDatabase } from '../server/test/database.ts'
import { dataFolder, removeFolder, startKontor } from './kontor.ts'

const hasTerminals = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')
if (!hasTerminals) console.warn('script(1) of util-linux is missing: the output in a terminal is not tested')
const inTerminal = test.skipIf(!hasTerminals)
const ctrlC = '\u0003'
/** Unlike colours, which NO_COLOR switches off, these move the cursor. */
// oxlint-disable-next-line no-control-regex
const colour = /\u001B\[\d*m/

const KONTOR_DATA = dataFolder()
let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  removeFolder(KONTOR_DATA)
})

/** `npm start` without its set-up. npm passes signals on, so that Ctrl-C reaches the server twice. */
function startInTerminal(env: Record<string, string> = {}) {
  const child: ChildProcess = spawn('script', ['-qfec', 'npm start --ignore-scripts --silent', '/dev/null'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      PATH: process.env.PATH,
      HOME: KONTOR_DATA,
      TERM: 'xterm-256color',
      KONTOR_DATA,
      DATABASE_URL: database.poolConfig.connectionString,
      KONTOR_PORT: '0',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  let raw = ''
  child.stdout!.on('data', (piece: Buffer) => (raw += String(piece)))
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
    await exited
  })
  const text = () => stripVTControlCharacters(raw)
  return {
    raw: () => raw,
    text,
    shows: (pattern: RegExp) => vi.waitUntil(() => pattern.exec(text()) ?? undefined, { timeout: 120_000 }),
    press: (key: string) => child.stdin!.write(key),
    ended: exited,
  }
}

inTerminal('shows steps, the address and the first password, and only notable requests', async () => {
  const terminal = startInTerminal()
  const [, url] = await terminal.shows(/Console +(http:\S+)/)
  await terminal.shows(/Press Ctrl-C to stop\./)
  expect(terminal.text()).toMatch(/✓ Database +\d+\.\d s {2}PostgreSQL\r\n/)
  expect(terminal.text()).toMatch(/✓ Tables +\d+\.\d s/)
  expect(terminal.text()).toMatch(/✓ Server +\d+\.\d s\r\n/)
  expect(terminal.text()).toMatch(/User +admin\s+Password +\S{20,}\s+shown only once; stored in \S+admin-password/)
  expect(terminal.raw()).toMatch(colour)

  expect((await fetch(`${url}/api/core/v1/about`)).status).toBe(404)
  await fetch(`${url}/auth/realms/kontor/.well-known/openid-configuration`)
  await terminal.shows(/\d\d:\d\d:\d\d {2}GET +\/api\/core\/v1\/about {2}404 {2}\d+ ms/)
  expect(terminal.text()).not.toContain('openid-configuration')

  const waiting = await openConnection(url!)
  const form = 'content-type: application/x-www-form-urlencoded'
  waiting.head('POST /auth/realms/kontor/protocol/openid-connect/token HTTP/1.1', form, 'content-length: 10')
  await new Promise((resolve) => setTimeout(resolve, 500))
  terminal.press(ctrlC)
  await terminal.shows(/Waiting for 1 request\. A second Ctrl-C ends Kontor at once\./)
  waiting.destroy()
  await terminal.shows(/✓ Stopping/)
  await terminal.ended
  expect(terminal.text()).not.toMatch(/^\{/m)
})

inTerminal('has no colours with NO_COLOR, and JSON lines if the setting asks for them', async () => {
  const plain = startInTerminal({ NO_COLOR: '1' })
  await plain.shows(/Press Ctrl-C to stop\./)
  expect(plain.raw()).not.toMatch(colour)
  expect(plain.text()).not.toContain('Password')
  plain.press(ctrlC)
  await plain.shows(/✓ Stopping/)
  await plain.ended

  const json = startInTerminal({ KONTOR_LOG_FORMAT: 'json' })
  await json.shows(/"msg":"Kontor is ready: http:/)
  for (const line of json.text().trim().split('\r\n')) expect(JSON.parse(line)).toMatchObject({ level: 30 })
  json.press(ctrlC)
  await json.shows(/"msg":"Stopping: done"/)
})

test('without a terminal there are only JSON lines', async () => {
  const DATABASE_URL = database.poolConfig.connectionString
  const kontor = await startKontor({ KONTOR_DATA, DATABASE_URL, KONTOR_LOG_LEVEL: 'info' })
  await fetch(`${kontor.url}/api/core/v1/about`)
  expect(await kontor.end('SIGTERM')).toBe(0)
  const lines = kontor.output().trim().split('\n')
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(messages).toEqual(expect.arrayContaining(['Tables: done', `Kontor is ready: ${kontor.url}`, 'request']))
  expect(messages).toContainEqual(expect.stringMatching(/^Waiting for /))
})
