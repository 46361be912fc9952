/**
 * The description of the interface: the OpenAPI document, a page to read it, and the XML Schema. All are public, rendered once
 * at start and served from here; the page loads nothing from anywhere else.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { areas, openapi, xsd } from '@kontor/contract'
import type { FastifyInstance } from 'fastify'
import { type Installation, referencePage } from './page.ts'

const defaults: Installation = { baseUrl: 'http://localhost:8080', realm: 'kontor', clientId: 'kontor-ui' }
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function mountReference(app: FastifyInstance, installation: Installation = defaults): void {
  const { baseUrl, realm, oidcIssuer: issuer } = installation
  const document = openapi(areas, { version: readVersion(), serverUrl: baseUrl, realm, issuer })
  serve(app, '/api/openapi.json', 'application/json;charset=UTF-8', JSON.stringify(document))
  serve(app, '/api/core/v1/schema/pim.xsd', 'application/xml;charset=UTF-8', xsd())
  serve(app, '/api/docs', 'text/html;charset=UTF-8', referencePage(document, 'docs', installation))
  serve(app, '/api/docs/page.css', 'text/css;charset=UTF-8', readNear('page.css'))
  serve(app, '/api/docs/page.js', 'text/javascript;charset=UTF-8', readNear('page-script.js'))
}

const readNear = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const readVersion = () => (JSON.parse(readNear('../../package.json')) as { version: string }).version

/** A text that does not change while the server runs. */
function serve(app: FastifyInstance, url: string, type: string, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  app.get(url, { config: { access: 'public' } }, (request, reply) => {
    const known = request.headers['if-none-match']?.split(/, */).some((tag) => tag.replace(/^W\//, '') === etag)
    reply.headers({ etag, 'cache-control': 'public, max-age=300', 'content-security-policy': policy })
    return known ? reply.status(304).send() : reply.type(type).send(text)
  })
}
