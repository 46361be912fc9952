/**
 * Decides who may call a route, before a byte of the body is read.
 *
 * Every route declares its access; the server does not start with one that does not. The grants of a user's roles say what
 * the user may do (permissions.ts). A caller without the right gets 403 where the interface lists it for the endpoint, else
 * 401.
 *
 * An administrator can see what another user sees: with `Kontor-View-As: <user name>` the permissions of that user apply to
 * a reading call. The caller stays the same: messages and tokens are still their own.
 */
import { type Access, because } from '@kontor/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Caller, Context, Services } from '../context.ts'
import { actions, meets, type Needs } from './permissions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** The error for a caller without the role. */
    refusal?: 'unauthorized' | 'forbidden'
    /** The required permission; any permission at all when absent. */
    needs?: Needs
  }
  interface FastifyRequest {
    caller: Caller | null
    /** Set if the caller has lost the right to this request since it began. */
    lost: Problem | null
    /** Identifies the caller again; throws a Problem if the request would be refused now. */
    admit: (() => Promise<Caller>) | null
  }
}

/** Verifies the Authorization header, of which there must be exactly one, and returns the caller; throws a Problem otherwise. */
export type Verify = (authorization: readonly string[], address: string) => Promise<Caller>

/** The rights of a user by name; undefined for an unknown name. */
type RightsOf = (userName: string) => Promise<Pick<Caller, 'roles' | 'permissions'> | undefined>

/** A registered route and who may call it. */
export interface RegisteredRoute {
  readonly method: string
  readonly url: string
  readonly access: Access
}

interface Guard {
  /** Grows as routes are registered. */
  readonly routes: readonly RegisteredRoute[]
  /**
   * Checks the callers of all running requests again. Call it when users, sessions or roles have changed. A reply that is
   * being sent to a caller with other rights than before is cut; a request that is still being read gets the rights of now.
   */
  recheck(): void
}

export function guardRoutes(app: FastifyInstance, verify: Verify, rightsOf: RightsOf = async () => undefined): Guard {
  const routes: RegisteredRoute[] = []
  const open = new Map<FastifyRequest, FastifyReply>()
  app.decorateRequest('caller', null)
  app.decorateRequest('admit', null)
  app.decorateRequest('lost', null)
  app.addHook('onRoute', ({ method, url, config }) => {
    const { access } = config ?? {}
    if (!access) throw new Error(`${String(method)} ${url} declares no access`)
    routes.push(...[method].flat().map((method) => ({ method, url, access })))
  })
  const identify = async (request: FastifyRequest): Promise<Caller> => {
    const identified = await verify(authorizationOf(request), request.ip)
    const rights = await viewedRights(identified, request, rightsOf)
    return { ...identified, ...rights, address: request.ip, supportId: request.id }
  }
  const demandAccess = ({ routeOptions }: FastifyRequest, caller: Caller): Caller => {
    const { access, refusal = 'forbidden', needs } = routeOptions.config
    const missing = missingRight(caller, access, needs)
    if (missing !== undefined) throw new Problem(refusal, because('needsRight', { right: missing }))
    return caller
  }
  app.addHook('onRequest', async (request, reply) => {
    open.set(request, reply)
    reply.raw.once('close', () => open.delete(request))
    if (request.routeOptions.config.access === 'public' || request.is404) return
    request.admit = async () => demandAccess(request, await identify(request))
    // Set before the check, because the log of requests also names the callers of refused ones.
    request.caller = await identify(request)
    demandAccess(request, request.caller)
  })
  const recheck = async (request: FastifyRequest, { raw }: FastifyReply) => {
    const now = await request.admit!().catch((error: Error) => toProblem(error))
    if (permissionsIn(now) === permissionsIn(request.caller)) return
    // A complete reply is not cut: it may be that of the request which made the change.
    if (raw.headersSent && !raw.writableEnded) raw.destroy()
    else if (now instanceof Problem) request.lost = now
    else request.caller = now
  }
  return {
    routes,
    recheck() {
      for (const [request, reply] of open) if (request.admit && request.caller) void recheck(request, reply)
    },
  }
}

const permissionsIn = (caller: Caller | Problem | null) =>
  caller && 'permissions' in caller && JSON.stringify(caller.permissions)
const toProblem = (error: Error) =>
  error instanceof Problem ? error : new Problem('unavailable', because('rightsUnknown'), { cause: error })

/** For requests that last: their caller now. Throws a Problem if the request would be refused now. */
export function callerNow(request: FastifyRequest): Promise<Caller> {
  if (!request.admit) throw new Error(`${request.url} is public and has no caller`)
  return request.admit()
}

/** For public routes whose URL names the user: checks the user like that of a token, also while the reply is being sent. */
export async function admitBy(request: FastifyRequest, admit: () => Promise<Caller>): Promise<Caller> {
  request.admit = admit
  const caller = await admit()
  request.caller = caller
  return caller
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
  return { ...rights, viewAs: decodeName(String(name)) }
}

/** Percent-encoded, because a header can only contain ASCII. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Problem('invalid', 'Kontor-View-As: expected a user name, percent-encoded')
  }
}

function missingRight({ roles, permissions }: Caller, access: Access | undefined, needs: Needs = { any: actions }) {
  if (access !== 'user') return roles.has('admin') ? undefined : 'the role admin'
  if (meets(permissions, needs)) return undefined
  return `a role that may ${needs.any.join(' or ')} ${needs.kind ?? 'something'}`
}

/** The check of a route, for stored work that does the same later. */
export function demandRight(caller: Caller, access: Access | undefined, needs?: Needs): void {
  const missing = missingRight(caller, access, needs)
  if (missing === undefined) return
  throw new Problem('forbidden', because('orderedWithout', { user: caller.userName, right: missing }))
}

/** Every Authorization header. Node keeps the first and drops the others, which a proxy may have checked instead. */
const authorizationOf = ({ raw: { rawHeaders } }: FastifyRequest) =>
  rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'authorization')

export function callerOf(request: FastifyRequest): Caller {
  const { caller, lost } = request
  if (!caller) throw new Error(`${request.url} is public and has no caller`)
  if (lost) throw lost
  return caller
}

/** Reading needs no transaction: each statement sees one snapshot, and a handler that needs more opens its own. */
export function readContext({ database, config }: Services, request: FastifyRequest): Context {
  const refuse = () => {
    throw new Error('a reading call must not change anything')
  }
  return { db: database, caller: callerOf(request), config, record: refuse, audit: refuse, deletionBlockers: refuse }
}
