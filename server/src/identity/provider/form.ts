/** Parses forms (application/x-www-form-urlencoded) of up to 64 KiB in which no field occurs twice. */
import type { FastifyInstance } from 'fastify'
import { OAuthError } from './oauth-error.ts'

export type Form = ReadonlyMap<string, string>

const maxForm = 64 * 1024

/** Makes the Fastify scope accept forms and no other content type. */
export function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxForm },
    async (_request: unknown, body: string | Buffer) => toForm(new URLSearchParams(String(body))),
  )
}

export function toForm(params: Iterable<[string, string]>): Form {
  const form = new Map<string, string>()
  for (const [name, value] of params) {
    if (form.has(name)) throw new OAuthError(400, 'invalid_request', `the parameter ${name} occurs twice`)
    form.set(name, value)
  }
  return form
}
