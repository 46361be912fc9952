/**
 * Who may call a route, decided before a byte of the body is read.
 *
 * Every route declares its access; one that does not stops the server from starting. A caller without the role gets 403
 * where the interface lists it for the endpoint, else 401.
 */
import type { Access } from '@kontor/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Caller } from './context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** What a caller without the role is told. */
    refusal?: 'unauthorized' | 'forbidden'
  }
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** Checks the Authorization header and says who it is; throws a Problem otherwise. */
export type Verify = (authorization: string | undefined) => Promise<Caller>

// prettier-ignore
const rolesFor: Record<Exclude<Access, 'public'>, readonly string[]> = {
  user:  ['user', 'admin'],
  admin: ['admin'],
}

export function guardRoutes(app: FastifyInstance, verify: Verify): void {
  app.decorateRequest('caller', null)
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${String(method)} ${url} declares no access`)
  })
  app.addHook('onRequest', async (request) => {
    const { access, refusal = 'forbidden' } = request.routeOptions.config
    if (access === 'public' || request.is404) return
    request.caller = await verify(request.headers.authorization)
    const { roles } = request.caller
    if (!rolesFor[access ?? 'admin'].some((role) => roles.has(role))) {
      throw new Problem(refusal, `this call needs the role ${access}`)
    }
  })
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.url} is public and has no caller`)
  return request.caller
}
