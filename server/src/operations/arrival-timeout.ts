/**
 * Limits how long a request may take to arrive: a time for the whole request, or, where a body may have many gigabytes, a time
 * in which at least some bytes must arrive. Node only has the former, for all routes alike.
 */
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts bodies of any length: a client that keeps sending is not interrupted. */
    longBody?: true
  }
}

export function limitArrival(app: FastifyInstance, seconds: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    let received = raw.socket.bytesRead
    const check = () => {
      if (raw.complete || raw.destroyed) return
      const now = raw.socket.bytesRead
      if (!routeOptions.config.longBody || now === received) {
        const error = Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
        return void app.server.emit('clientError', error, raw.socket)
      }
      received = now
      timer.refresh()
    }
    const timer = setTimeout(check, seconds * 1000)
    reply.raw.once('close', () => clearTimeout(timer))
  })
}
