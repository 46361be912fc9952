/**
 * How long a request may take to arrive: a time for the whole of it, or, where a body may be many gigabytes, a time in
 * which something must come. Node has only the former, for all routes alike.
 */
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bodies of any length are taken here: who sends steadily is not interrupted. */
    longBody?: true
  }
}

export function limitArrival(app: FastifyInstance, seconds: number): void {
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    let seen = raw.socket.bytesRead
    const look = () => {
      if (raw.complete || raw.destroyed) return
      const now = raw.socket.bytesRead
      if (!routeOptions.config.longBody || now === seen) {
        const error = Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
        return void app.server.emit('clientError', error, raw.socket)
      }
      seen = now
      timer.refresh()
    }
    const timer = setTimeout(look, seconds * 1000)
    reply.raw.once('close', () => clearTimeout(timer))
  })
}
