/**
 * What a login attack does to everybody else: the latency of an ordinary call while nobody attacks, and while wrong
 * passwords come in at 200 a second from many addresses.
 *
 *   node tools/bench/login-attack.ts [seconds of attack, default 30] [attempts a second, default 200]
 *
 * A server of its own is started with the embedded database. Exits with 1 when p99 under attack is not below twice its
 * quiet value, or when no attempt was told to come back later.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../server/src/free-port.ts'

const seconds = Number(process.argv[2] ?? 30)
const rate = Number(process.argv[3] ?? 200)
/** Calls a second whose latency is measured. */
const callRate = 50
const addresses = 100

interface Reply {
  status: number
  ms: number
  text: string
}

function send(
  port: number,
  path: string,
  body: string,
  headers: Record<string, string>,
  agent: Agent,
  from = '127.0.0.1',
): Promise<Reply> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', localAddress: from, method: 'POST', path, headers, agent }
    const call = request(options, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => (text += part))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, ms: performance.now() - start, text }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** Starts `work` at a steady rate, whether or not earlier ones are done, and waits for all. */
async function steadily<T>(perSecond: number, forSeconds: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const started: Promise<T>[] = []
  const begin = performance.now()
  for (let i = 0; i < perSecond * forSeconds; i++) {
    const wait = begin + (i * 1000) / perSecond - performance.now()
    if (wait > 0) await pause(wait)
    started.push(work(i))
  }
  return Promise.all(started)
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const tokenPath = '/auth/realms/kontor/protocol/openid-connect/token'
const passwordGrant = (username: string, password: string) =>
  new URLSearchParams({ grant_type: 'password', client_id: 'kontor-ui', username, password }).toString()

async function measure(port: number, password: string): Promise<boolean> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const { text } = await send(port, tokenPath, passwordGrant('admin', password), form, agent)
  const { access_token: token } = JSON.parse(text) as { access_token: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let failed = 0
  const call = async () => {
    const { status, ms } = await send(port, '/api/core/v1/common/locales/retrieve', '{"mode":"ALL"}', headers, agent)
    if (status !== 200) failed++
    return ms
  }
  await steadily(callRate, 3, call)
  const quiet = await steadily(callRate, Math.max(10, seconds / 2), call)
  const attackers = Array.from({ length: addresses }, () => new Agent({ keepAlive: true, maxSockets: 4 }))
  const [attack, loud] = await Promise.all([
    steadily(rate, seconds, (i) => {
      const who = i % addresses
      return send(port, tokenPath, passwordGrant(`guess-${i}`, 'wrong'), form, attackers[who]!, `127.0.1.${who + 1}`)
    }),
    steadily(callRate, seconds, call),
  ])
  for (const one of [agent, ...attackers]) one.destroy()
  const statuses = Object.fromEntries(
    [...Map.groupBy(attack, ({ status }) => status)].map(([code, all]) => [code, all.length]),
  )
  const show = (values: number[]) =>
    [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${percentile(values, share).toFixed(1)} ms`).join('  ')
  const ratio = percentile(loud, 0.99) / percentile(quiet, 0.99)
  console.log(`quiet   ${show(quiet)}`)
  console.log(`attack  ${show(loud)}  (p99 ${ratio.toFixed(2)} times the quiet one)`)
  console.log(`attempts ${JSON.stringify(statuses)} in ${seconds} s`)
  if (failed > 0) console.log(`${failed} calls were not answered with 200`)
  return ratio < 2 && failed === 0 && (statuses[429] ?? 0) > 0
}

const data = await mkdtemp(join(tmpdir(), 'kontor-attack-'))
const port = await freePort('127.0.0.1')
const env = { ...process.env, KONTOR_DATA: data, KONTOR_PORT: String(port), KONTOR_LOG_LEVEL: 'error' }
const server = spawn(process.execPath, ['server/src/main.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
try {
  for await (const part of server.stdout) if (String(part).includes('Kontor is ready')) break
  const isSound = await measure(port, (await readFile(join(data, 'admin-password'), 'utf8')).trim())
  process.exitCode = isSound ? 0 : 1
} finally {
  server.kill()
  await once(server, 'exit')
  await rm(data, { recursive: true, force: true })
}
