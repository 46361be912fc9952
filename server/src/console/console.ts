/**
 * Serves the built files of the console at `/`.
 *
 *   /console/<name>-<digest>.js   named by content: cached for ever
 *   /kontor.svg                   cached for a while
 *   /, /products, /assets/…       pages of the console: all are the one HTML page, which is revalidated each time
 *
 * All files are read once at start, with the compressed variants of the build. The page contains the settings of the
 * installation (where to sign in) as a block of data, so that it need not request them. Without a built console, `/` redirects
 * to the reference of the interface.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Problem } from '../errors.ts'
import { pagePolicy } from './policy.ts'

interface ConsoleInstallation {
  readonly baseUrl: string
  readonly realm: string
  readonly clientId: string
  /** An external OpenID provider. */
  readonly oidcIssuer?: string | undefined
  /** The clients of the external provider; the console is the first. */
  readonly oidcClients?: readonly string[] | undefined
}

interface Served {
  readonly type: string
  readonly cache: string
  readonly etag: string
  readonly policy?: string
  readonly forms: readonly { readonly encoding?: 'br' | 'gzip'; readonly bytes: Buffer }[]
}

export const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url))

// prettier-ignore
const types = new Map([
  ['.js', 'text/javascript;charset=UTF-8'], ['.css', 'text/css;charset=UTF-8'], ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'], ['.woff', 'font/woff'], ['.ttf', 'font/ttf'], ['.eot', 'application/vnd.ms-fontobject'], ['.png', 'image/png'], ['.md', 'text/plain;charset=UTF-8'],
])

interface Console {
  /** Answers a request for a page of the console: a browser navigates to it and no route exists. */
  readonly place: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined
  mount(app: FastifyInstance): void
}

export function openConsole(installation: ConsoleInstallation, folder: string = builtConsole): Console {
  const page = readPage(folder, installation)
  return {
    place: (request, reply) => (page && isNavigation(request) ? send(request, reply.status(200), page) : undefined),
    mount(app) {
      const files = page ? readFiles(folder) : new Map<string, Served>()
      const open = { config: { access: 'public' } } as const
      app.get('/', open, (request, reply) => (page ? send(request, reply, page) : reply.redirect('/api/docs')))
      for (const url of ['/kontor.svg', '/console/:file'])
        app.get(url, open, (request, reply) => {
          const path = request.url.split('?')[0]!
          const file = files.get(path)
          if (!file) throw new Problem('notFound', `there is nothing at ${path.slice(0, 200)}; load the page again`)
          return send(request, reply, file)
        })
    },
  }
}

const isNavigation = ({ method, url, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') &&
  !/^\/(api|auth|console)(\/|$)/.test(url) &&
  /\btext\/html\b/.test(headers.accept ?? '')

function readPage(folder: string, installation: ConsoleInstallation): Served | undefined {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return undefined
  const { baseUrl, realm, clientId, oidcIssuer, oidcClients } = installation
  const issuer = oidcIssuer ?? `${baseUrl}/auth/realms/${realm}`
  const settings = JSON.stringify({ issuer, clientId: oidcClients?.[0] ?? clientId }).replaceAll(
    '<',
    String.raw`\u003c`,
  )
  const block = `<script type="application/json" id="installation">${settings}</script>`
  const bytes = Buffer.from(readFileSync(file, 'utf8').replace('<!--installation-->', () => block))
  return {
    type: 'text/html;charset=UTF-8',
    cache: 'no-cache',
    etag: digest(bytes),
    policy: pagePolicy(new URL(issuer).origin),
    forms: [
      { encoding: 'br', bytes: brotliCompressSync(bytes) },
      { encoding: 'gzip', bytes: gzipSync(bytes) },
      { bytes },
    ],
  }
}

function readFiles(folder: string): Map<string, Served> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.flatMap((name): [url: string, file: Served][] => {
    const type = types.get(extname(name))
    if (!type) return []
    const bytes = readFileSync(join(folder, name))
    const forms = (['br', 'gzip'] as const).flatMap((encoding) => {
      const compressed = join(folder, `${name}.${encoding === 'br' ? 'br' : 'gz'}`)
      return existsSync(compressed) ? [{ encoding, bytes: readFileSync(compressed) }] : []
    })
    const url = `/${name.replaceAll('\\', '/')}`
    const cache = url.startsWith('/console/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
    return [[url, { type, cache, etag: digest(bytes), forms: [...forms, { bytes }] }]]
  })
  return new Map(files)
}

const digest = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url')}"`

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, cache, etag, policy, forms }: Served,
): FastifyReply {
  reply.headers({ etag, 'cache-control': cache, vary: 'accept-encoding' })
  if (policy) reply.header('content-security-policy', policy)
  const known = request.headers['if-none-match']?.split(/, */).some((tag) => tag.replace(/^W\//, '') === etag)
  if (known) return reply.status(304).send()
  const accepted = new Set(
    (request.headers['accept-encoding'] ?? '')
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]!.trim()),
  )
  const { encoding, bytes } = forms.find((form) => form.encoding === undefined || accepted.has(form.encoding))!
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(type).send(bytes)
}
