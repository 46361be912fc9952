/**
 * The attacker of login.ts: wrong passwords for names that nobody has, from a hundred addresses of this machine. Tells
 * its parent how often it got which answer.
 */
import { Agent, request } from 'node:http'
import { steadily } from './login.ts'

const [url = '', seconds = '0', rate = '0'] = process.argv.slice(2)
const { port } = new URL(url)
const path = '/auth/realms/kontor/protocol/openid-connect/token'
const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const agents = Array.from({ length: 100 }, () => new Agent({ keepAlive: true, maxSockets: 4 }))

function attempt(i: number): Promise<number> {
  const who = i % agents.length
  const fields = { grant_type: 'password', client_id: 'kontor-ui', username: `guess-${i}`, password: 'wrong' }
  const from = { host: '127.0.0.1', port, localAddress: `127.0.1.${who + 1}`, agent: agents[who] }
  return new Promise((resolve, reject) => {
    const call = request({ ...from, method: 'POST', path, headers }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0))
    })
    call.on('error', reject).end(new URLSearchParams(fields).toString())
  })
}

const replies = await steadily(Number(rate), Number(seconds), attempt)
for (const agent of agents) agent.destroy()
const counts = [...Map.groupBy(replies, (status) => status)].map(([status, all]) => [status, all.length])
process.send!(Object.fromEntries(counts), () => process.disconnect())
