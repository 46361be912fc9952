/**
 * `node tools/bench/login-attack.ts [seconds of attack, default 30] [attempts a second, default 200]`
 *
 * Exits with 1 when p99 under attack is not below twice its quiet value, when an ordinary call failed, or when no attempt
 * got 429.
 */
import { attackLogin } from './login.ts'
import { startServer } from './server.ts'

const [seconds = '30', rate = '200'] = process.argv.slice(2)
const rounds = 5
const server = await startServer()
try {
  const result = await attackLogin(server, { rounds, seconds: Number(seconds) / rounds, rate: Number(rate) })
  const { quiet, attacked, ratio, statuses, attemptsPerSecond, failed } = result
  console.log(`quiet    p50 ${quiet.p50.toFixed(1)} ms  p99 ${quiet.p99.toFixed(1)} ms`)
  console.log(`attacked p50 ${attacked.p50.toFixed(1)} ms  p99 ${attacked.p99.toFixed(1)} ms`)
  console.log(`p99 ${ratio.toFixed(2)} times the quiet one, the median of ${rounds} rounds`)
  console.log(`${attemptsPerSecond.toFixed(0)} attempts a second: ${JSON.stringify(statuses)}`)
  if (failed > 0) console.log(`${failed} ordinary calls were not answered with 200`)
  process.exitCode = ratio < 2 && failed === 0 && (statuses[429] ?? 0) > 0 ? 0 : 1
} finally {
  await server.stop()
}
