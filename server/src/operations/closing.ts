/** The end of a server: `closing` is aborted when it stops, so that requests that wait for something can end. */
import type { FastifyInstance } from 'fastify'

export function createClosing(app: FastifyInstance, ...begin: (() => void)[]) {
  const controller = new AbortController()
  app.addHook('preClose', async () => controller.abort())
  return {
    closing: controller.signal,
    stopping() {
      for (const each of begin) each()
      controller.abort()
    },
  }
}
