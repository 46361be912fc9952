/** Mounting an area: its resources with the four verbs, its routes, and whatever else it brings. */
import type { Area, Route } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import type { Services } from './batch.ts'
import type { Mounted } from './handlers.ts'
import type { DocumentSource } from './documents.ts'
import { mountRoute, type RouteHandler } from './routes.ts'
import { mountResource } from './verbs.ts'

/** What an area hands over: its part of the contract and who answers it. */
export interface AreaModule {
  readonly contract: Area
  readonly resources: Readonly<Record<string, object>>
  readonly routes: Readonly<Record<string, unknown>>
  /** What of it can be searched. */
  readonly documents?: readonly DocumentSource[]
  /** What is neither a verb nor a plain route. */
  plugin?(app: FastifyInstance, services: Services): void
}

export function mountArea(
  app: FastifyInstance,
  services: Services,
  { contract, resources, routes, plugin }: AreaModule,
): Mounted[] {
  const mounted = Object.entries(contract.resources).map(([name, resource]) => ({
    path: `${contract.base}/${name}`,
    resource,
    handlers: resources[name] as Mounted['handlers'],
  }))
  for (const one of mounted) mountResource(app, services, one)
  for (const [name, handler] of Object.entries(routes)) {
    mountRoute(app, services, contract.base, contract.routes[name]!, handler as RouteHandler<Route>)
  }
  plugin?.(app, services)
  return mounted
}
