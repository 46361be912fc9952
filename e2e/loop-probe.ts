/**
 * Loaded into a server process by `--import`: measures how long the event loop is held, in CPU time of the main thread, so
 * that the figures hold on a busy machine too. A small HTTP server reports them, and prints its port.
 *
 *   GET /           milliseconds of the longest stretch between two turns of the loop since the last report
 *   GET /calibrate  milliseconds that a fixed piece of work takes; 100 on a quiet machine
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/** Milliseconds of CPU time of this thread. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function calibrate(): number {
  const began = cpu()
  let hash = 0
  for (let i = 0; i < 85_000_000; i++) hash = Math.imul(hash ^ i, 0x01000193)
  return cpu() - began + (hash === 0 ? 1 : 0)
}

function start() {
  let longest = 0
  let before = cpu()
  const turn = () => {
    const now = cpu()
    longest = Math.max(longest, now - before)
    before = now
  }
  setInterval(turn, 2).unref()
  const server = createServer(({ url }, reply) => {
    turn()
    const millis = url === '/calibrate' ? calibrate() : longest
    before = cpu()
    longest = 0
    reply.end(String(millis))
  })
  server.listen(0, '127.0.0.1', () => console.log(`loop probe: ${(server.address() as AddressInfo).port}`))
  server.unref()
}

if (isMainThread && /server[/\\]src[/\\]main\.ts$/.test(process.argv[1] ?? '')) start()
