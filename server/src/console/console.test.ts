/** The console's files as browsers get them, and the size of what they load first. */
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

test('files named by content are kept for ever, in the form the browser takes', async () => {
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

test('the page is asked for each time, knows where to sign in, and may load only from here', async () => {
  const { headers, body } = await get('/', navigating)
  expect(headers['cache-control']).toBe('no-cache')
  expect(body).toContain('{"issuer":"https://pim.example.org/auth/realms/acme","clientId":"acme-ui"}')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  expect((await get('/', { 'if-none-match': headers.etag! })).statusCode).toBe(304)
})

test('another provider is named, and may be asked for tokens', async () => {
  const other = serve(folder, { oidcIssuer: 'https://sso.example.com/realms/shop', oidcClientId: 'shop' })
  const { headers, body } = await other('/')
  expect(body).toContain('{"issuer":"https://sso.example.com/realms/shop","clientId":"shop"}')
  expect(headers['content-security-policy']).toContain("connect-src 'self' https://sso.example.com;")
})

test.each(['/products', '/products/boat-1?loc=de_DE', '/assets/a%2Fb'])('%s is a place: the same page', async (url) => {
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
] as const)('%s %j %s is not a place', async (url, headers, method) => {
  expect((await get(url, headers, method)).statusCode).toBe(404)
})

test('where the console was not built, / leads to the reference', async () => {
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

  test('loads less than 300 KB of compressed JavaScript first', () => {
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
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000)
  })
})
