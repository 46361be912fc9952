/** Whether the server is busy: its thread has hardly any rest, or requests wait for a database connection. */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../adapters/postgres/db.ts'

const interval = 100
const busyFrom = 0.7

export function watchLoad(app: FastifyInstance, { pool }: Database): () => boolean {
  let last = performance.eventLoopUtilization()
  let utilization = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    ;({ utilization } = performance.eventLoopUtilization(now, last))
    last = now
  }, interval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return () => utilization > busyFrom || pool.waitingCount > 0
}
