/**
 * The description of the interface: the OpenAPI document, a page to read it, and the XML Schema. All are public and served
 * from here; the page loads nothing from anywhere else.
 *
 * The texts are rendered once, when the first of them is asked for. A start would wait for them, and a request would hold the
 * event loop, so a thread does it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { createThread } from '../core/thread.ts'
import type { Installation } from './page.ts'
import type { RenderCalls } from './render.ts'

const defaults: Installation = { baseUrl: 'http://localhost:8080', realm: 'kontor', clientId: 'kontor-ui' }
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function mountReference(app: FastifyInstance, installation: Installation = defaults): void {
  const { baseUrl, realm, clientId, oidcIssuer } = installation
  const thread = createThread<RenderCalls>(new URL('./render.ts', import.meta.url), 'the description of the interface')
  app.addHook('onClose', () => thread.close())
  const texts = kept(() => thread.call('texts', { baseUrl, realm, clientId, oidcIssuer }))
  serve(app, '/api/openapi.json', 'application/json;charset=UTF-8', async () => (await texts()).document)
  serve(app, '/api/core/v1/schema/pim.xsd', 'application/xml;charset=UTF-8', async () => (await texts()).xsd)
  serve(app, '/api/docs', 'text/html;charset=UTF-8', async () => (await texts()).page)
  serve(app, '/api/docs/page.css', 'text/css;charset=UTF-8', () => readNear('page.css'))
  serve(app, '/api/docs/page.js', 'text/javascript;charset=UTF-8', () => readNear('page-script.js'))
}

const readNear = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

/** Makes a value once. What failed is tried again by the next call. */
function kept<T>(make: () => T | Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined
  return () => {
    making ??= Promise.resolve(make()).catch((error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }
}

/** A text that does not change while the server runs. */
function serve(app: FastifyInstance, url: string, type: string, make: () => string | Promise<string>): void {
  const made = kept(async () => {
    const text = await make()
    return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
  })
  app.get(url, { config: { access: 'public' } }, async (request, reply) => {
    const { text, etag } = await made()
    const known = request.headers['if-none-match']?.split(/, */).some((tag) => tag.replace(/^W\//, '') === etag)
    reply.headers({ etag, 'cache-control': 'public, max-age=300', 'content-security-policy': policy })
    return known ? reply.status(304).send() : reply.type(type).send(text)
  })
}
