/**
 * Whether the server is busy: its thread has hardly any rest, or requests wait for a database connection. It counts as busy
 * for a while longer, so that measures against the load do not swing.
 */
import type { FastifyInstance } from 'fastify'
import type { Database } from '../adapters/postgres/db.ts'

const interval = 100
const busyFrom = 0.7
const longer = 2000

export function watchLoad(app: FastifyInstance, { pool }: Database): () => boolean {
  let last = performance.eventLoopUtilization()
  let busyUntil = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > busyFrom || pool.waitingCount > 0) busyUntil = performance.now() + longer
  }, interval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return () => performance.now() < busyUntil
}
