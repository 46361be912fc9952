/**
 * Who may call a route, decided before a byte of the body is read.
 *
 * Every route declares its access; one that does not stops the server from starting. What a user may do is in the grants
 * of their roles (permissions.ts). A caller who may not gets 403 where the interface lists it for the endpoint, else 401.
 *
 * An administrator may look through somebody's eyes: with `Kontor-View-As: <user name>` a reading call is judged, and
 * answered, by the roles of that user. The caller stays who they are: messages and tokens are still their own.
 */
import type { Access } from '@kontor/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Caller, Context, Services } from '../context.ts'
import { actions, meets, type Needs } from './permissions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** What a caller without the role is told. */
    refusal?: 'unauthorized' | 'forbidden'
    /** What a user must be allowed; anything at all, when absent. */
    needs?: Needs
  }
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** Checks the values of the Authorization header, of which there must be one, and says who it is; throws a Problem otherwise. */
export type Verify = (authorization: readonly string[], address: string) => Promise<Caller>

/** What somebody may do, by their name; undefined when nobody has it. */
export type RightsOf = (userName: string) => Promise<Pick<Caller, 'roles' | 'permissions'> | undefined>

/** A route as it was registered: what the server answers, and to whom. */
export interface RegisteredRoute {
  readonly method: string
  readonly url: string
  readonly access: Access
}

/** Returns the list of routes, which grows as they are registered. */
export function guardRoutes(
  app: FastifyInstance,
  verify: Verify,
  rightsOf: RightsOf = async () => undefined,
): readonly RegisteredRoute[] {
  const routes: RegisteredRoute[] = []
  app.decorateRequest('caller', null)
  app.addHook('onRoute', ({ method, url, config }) => {
    const { access } = config ?? {}
    if (!access) throw new Error(`${String(method)} ${url} declares no access`)
    routes.push(...[method].flat().map((method) => ({ method, url, access })))
  })
  app.addHook('onRequest', async (request) => {
    const { access, refusal = 'forbidden', needs } = request.routeOptions.config
    if (access === 'public' || request.is404) return
    const caller = await verify(authorizationOf(request), request.ip)
    const rights = await viewedRights(caller, request, rightsOf)
    request.caller = { ...caller, ...rights, address: request.ip, supportId: request.id }
    const missing = whatIsMissing(request.caller, access, needs)
    if (missing !== undefined) throw new Problem(refusal, `this call needs ${missing}`)
  })
  return routes
}

async function viewedRights({ roles }: Caller, { headers, routeOptions }: FastifyRequest, rightsOf: RightsOf) {
  const name = headers['kontor-view-as']
  if (name === undefined) return undefined
  if (!roles.has('admin')) throw new Problem('forbidden', 'Kontor-View-As: only administrators may use it')
  if (!routeOptions.config.needs?.any.every((action) => action === 'read')) {
    throw new Problem('forbidden', 'Kontor-View-As: only reading calls can be made with it')
  }
  const rights = await rightsOf(decodeName(String(name)))
  if (!rights) throw new Problem('invalid', 'Kontor-View-As: no user has this name')
  return rights
}

/** Percent-encoded, because a header has no other letters than those of ASCII. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Problem('invalid', 'Kontor-View-As: expected a user name, percent-encoded')
  }
}

function whatIsMissing({ roles, permissions }: Caller, access: Access | undefined, needs: Needs = { any: actions }) {
  if (access !== 'user') return roles.has('admin') ? undefined : 'the role admin'
  if (meets(permissions, needs)) return undefined
  return `a role that may ${needs.any.join(' or ')} ${needs.kind ?? 'something'}`
}

/** Every Authorization header that was sent. Node keeps the first and forgets the others, which a proxy may have looked at. */
const authorizationOf = ({ raw: { rawHeaders } }: FastifyRequest) =>
  rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'authorization')

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.url} is public and has no caller`)
  return request.caller
}

/** Reading needs no transaction: every statement sees one state, and a handler that needs more opens its own. */
export function readContext({ database, config }: Services, request: FastifyRequest): Context {
  const refuse = () => {
    throw new Error('a reading call must not change anything')
  }
  return { db: database, caller: callerOf(request), config, record: refuse, audit: refuse, deletionBlockers: refuse }
}
