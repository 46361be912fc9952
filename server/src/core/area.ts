/**
 * Mounting an area: its resources with the four verbs, its routes, and whatever else it brings.
 *
 * Calls of administrators that change something are written to the audit log.
 */
import type { Area, Route } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import { auditBy } from './access/audit.ts'
import type { Services } from './batch/batch.ts'
import type { Mounted } from './batch/handlers.ts'
import { mountRoute, type RouteHandler } from './http/routes.ts'
import { mountResource } from './http/verbs.ts'

/** An area: its part of the contract and the handlers for it. */
export interface AreaModule {
  readonly contract: Area
  readonly resources: Readonly<Record<string, object>>
  readonly routes: Readonly<Record<string, unknown>>
  /** Whether it notes what its calls do itself, in their transactions. */
  readonly audits?: true
  /** Mounts the routes that are neither verbs nor plain routes. */
  plugin?(app: FastifyInstance, services: Services): void
}

export function mountArea(
  app: FastifyInstance,
  services: Services,
  { contract, resources, routes, audits, plugin }: AreaModule,
): Mounted[] {
  const mounted = Object.entries(contract.resources).map(([name, resource]) => ({
    path: `${contract.base}/${name}`,
    resource,
    handlers: resources[name] as Mounted['handlers'],
  }))
  for (const one of mounted) mountResource(app, services, one)
  for (const [name, answer] of Object.entries(routes)) {
    const route = contract.routes[name]!
    const handler = answer as RouteHandler<Route>
    const isNoted = route.access === 'admin' && route.method !== 'GET' && !audits
    mountRoute(app, services, contract.base, route, isNoted ? thenAudit(name, handler) : handler)
  }
  plugin?.(app, services)
  return mounted
}

const thenAudit =
  (name: string, handler: RouteHandler<Route>): RouteHandler<Route> =>
  async (ctx, call) => {
    const reply = await handler(ctx, call)
    const object = Object.values(call.params).join(' ')
    await auditBy(ctx.db, call.caller, { action: `admin.${name}`, object, detail: plainOf(call.body) })
    return reply
  }

/** Of a body what is short and no secret: which index, which command. */
const plainOf = (body: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body ?? {}).filter(
      ([key, value]) =>
        !/secret|password|token|key|url/i.test(key) &&
        (typeof value === 'boolean' || typeof value === 'number' || (typeof value === 'string' && value.length <= 100)),
    ),
  )
