/** /identity/backchannel-logout: an external provider posts a logout token here when a session has ended there. */
import { identity as contract } from '@kontor/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../core/batch/batch.ts'
import { bodyOf } from '../core/http/message.ts'
import { parseMediaType } from '../core/http/negotiate.ts'
import { mountStreams } from '../core/http/streaming.ts'
import { Problem } from '../errors.ts'
import type { IdentityServices } from './routes.shared.ts'

const maxForm = 64 * 1024
const formType = 'application/x-www-form-urlencoded'

export function mountBackchannelLogout(
  app: FastifyInstance,
  services: Services,
  { endExternalSession, invalidateCaches }: IdentityServices,
): void {
  mountStreams(app, services, contract, {
    async backchannelLogout({ request, reply, send }) {
      if (!endExternalSession) {
        throw new Problem('notFound', 'this installation signs users in itself; see KONTOR_OIDC_ISSUER')
      }
      await endExternalSession(await readToken(request), request.ip)
      invalidateCaches()
      reply.header('cache-control', 'no-store')
      return send(undefined)
    },
  })
}

/** Reads the form field logout_token. Other fields are allowed, as the specification demands. */
async function readToken(request: FastifyRequest): Promise<string> {
  if (parseMediaType(request.headers['content-type'] ?? '')?.type !== formType) {
    throw new Problem('mediaType', `send the logout token as ${formType}`)
  }
  const parts: Buffer[] = []
  for await (const part of bodyOf(request, maxForm)) parts.push(part)
  const tokens = new URLSearchParams(Buffer.concat(parts).toString()).getAll('logout_token')
  if (tokens.length !== 1) throw new Problem('invalid', 'send the form field logout_token once')
  return tokens[0]!
}
