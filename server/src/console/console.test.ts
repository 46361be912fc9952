/** The files of the console as browsers get them, and the size of the first load. */
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { answerFailures } from '../core/http/failure.ts'
import { builtConsole, openConsole } from './console.ts'

const script = 'console.log("hello")'
const folder = mkdtempSync(join(tmpdir(), 'kontor-console-'))
mkdirSync(join(folder, 'console'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><!--installation--><script src="/console/a-1.js"></script>')
writeFileSync(join(folder, 'console/a-1.js'), script)
writeFileSync(join(folder, 'console/a-1.js.br'), brotliCompressSync(script))
writeFileSync(join(folder, 'console/a-1.js.gz'), gzipSync(script))
writeFileSync(join(folder, 'manifest.json'), '{}')
afterAll(() => rmSync(folder, { recursive: true }))

const installation = { baseUrl: 'https://pim.example.org', realm: 'acme', clientId: 'acme-ui' }
const serve = (from: string, more = {}) => {
  const app = fastify()
  const pages = openConsole({ ...installation, ...more }, from)
  answerFailures(app, pages.place)
  pages.mount(app)
  return (url: string, headers = {}, method: 'GET' | 'POST' = 'GET') => app.inject({ method, url, headers })
}
const get = serve(folder)
const navigating = { accept: 'text/html,application/xhtml+xml' }

test('files with a digest in their name are cached for ever, in an encoding that the browser accepts', async () => {
  for (const [asked, used, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ] as const) {
    const reply = await get('/console/a-1.js', { 'accept-encoding': asked })
    expect(reply.headers['content-encoding']).toBe(used)
    expect(unpack(reply.rawPayload).toString()).toBe(script)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/javascript;charset=UTF-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
  }
})

test('the page is revalidated each time, has the sign-in settings, and may load from this server only', async () => {
  const { headers, body } = await get('/', navigating)
  expect(headers['cache-control']).toBe('no-cache')
  expect(body).toContain('{"issuer":"https://pim.example.org/auth/realms/acme","clientId":"acme-ui"}')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  expect((await get('/', { 'if-none-match': headers.etag! })).statusCode).toBe(304)
})

test('an external provider is in the settings and allowed by the policy', async () => {
  const other = serve(folder, { oidcIssuer: 'https://sso.example.com/realms/shop', oidcClients: ['shop', 'shop-sync'] })
  const { headers, body } = await other('/')
  expect(body).toContain('{"issuer":"https://sso.example.com/realms/shop","clientId":"shop"}')
  expect(headers['content-security-policy']).toContain("connect-src 'self' https://sso.example.com;")
})

test.each(['/products', '/products/boat-1?loc=de_DE', '/assets/a%2Fb'])('%s is a page of the console', async (url) => {
  const reply = await get(url, navigating)
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html;charset=UTF-8'])
})

test.each([
  ['/api/nothing', navigating, 'GET'],
  ['/auth/nothing', navigating, 'GET'],
  ['/console/old-9.js', navigating, 'GET'],
  ['/manifest.json', {}, 'GET'],
  ['/products', { accept: 'application/json' }, 'GET'],
  ['/products', navigating, 'POST'],
] as const)('%s %j %s is not a page of the console', async (url, headers, method) => {
  expect((await get(url, headers, method)).statusCode).toBe(404)
})

test('without a built console, / redirects to the reference', async () => {
  const reply = await serve(join(folder, 'nowhere'))('/')
  expect([reply.statusCode, reply.headers.location]).toEqual([302, '/api/docs'])
})

/** `npm test` builds it; a single test file can be run without. */
describe.skipIf(!existsSync(builtConsole))('the build', () => {
  interface Chunk {
    file: string
    isEntry?: boolean
    imports?: string[]
  }

  test('loads less than 250 KB of compressed JavaScript first', () => {
    const manifest = JSON.parse(readFileSync(join(builtConsole, 'manifest.json'), 'utf8')) as Record<string, Chunk>
    const needed = new Set<string>()
    const need = (key: string) => {
      if (needed.has(key)) return
      needed.add(key)
      manifest[key]!.imports?.forEach(need)
    }
    Object.keys(manifest)
      .filter((key) => manifest[key]!.isEntry)
      .forEach(need)
    const sizes = [...needed].map((key) => statSync(join(builtConsole, `${manifest[key]!.file}.gz`)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000)
  })
})
