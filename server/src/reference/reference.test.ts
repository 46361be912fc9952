/** The description of the interface as clients and browsers get it. */
import { methods, type OpenApi, openapi } from '@kontor/contract'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { referencePage } from './page.ts'
import { mountReference } from './reference.ts'

const installation = { baseUrl: 'https://pim.example.org', realm: 'acme', clientId: 'acme-ui' }
const app = fastify()
mountReference(app, installation)
const get = (url: string, headers = {}) => app.inject({ url, headers })
const document = (await get('/api/openapi.json')).json<OpenApi>()
const page = (await get('/api/docs')).body

test.each([
  ['/api/openapi.json', 'application/json;charset=UTF-8', '{"openapi":"3.1'],
  [
    '/api/core/v1/schema/pim.xsd',
    'application/xml;charset=UTF-8',
    '<?xml version="1.0" encoding="UTF-8"?>\n<xs:schema',
  ],
  ['/api/docs', 'text/html;charset=UTF-8', '<!doctype html>'],
  ['/api/docs/page.css', 'text/css;charset=UTF-8', '/*'],
  ['/api/docs/page.js', 'text/javascript;charset=UTF-8', '/*'],
])('%s is served as %s, may be cached for a while, and is not sent twice', async (url, type, start) => {
  const first = await get(url)
  expect(first.statusCode).toBe(200)
  expect(first.headers['content-type']).toBe(type)
  expect(first.headers['cache-control']).toBe('public, max-age=300')
  expect(first.body.startsWith(start)).toBe(true)
  const etag = first.headers.etag as string
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const second = await get(url, { 'if-none-match': known })
    expect([second.statusCode, second.body]).toEqual([304, ''])
  }
  expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test('the document contains the URL of this installation and of its provider', () => {
  expect(document.servers).toEqual([{ url: 'https://pim.example.org' }])
  expect(document.components.securitySchemes['openId']).toMatchObject({
    openIdConnectUrl: 'https://pim.example.org/auth/realms/acme/.well-known/openid-configuration',
  })
  expect(page).toContain('KONTOR=https://pim.example.org\n')
  expect(page).toContain('client_id=acme-ui')
})

test('the document and the page name an external provider instead', async () => {
  const other = fastify()
  mountReference(other, { ...installation, oidcIssuer: 'https://sso.example.com/realms/shop' })
  const { components } = (await other.inject('/api/openapi.json')).json<OpenApi>()
  expect(components.securitySchemes['openId']).toMatchObject({
    openIdConnectUrl: 'https://sso.example.com/realms/shop/.well-known/openid-configuration',
  })
  const { body } = await other.inject('/api/docs')
  expect(body).toContain('an access token of https://sso.example.com/realms/shop')
  expect(body).not.toContain('grant_type=password')
})

test('the page loads its own stylesheet and script, and nothing else', async () => {
  const { headers } = await get('/api/docs')
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  const loaded = [...page.matchAll(/<(?:script|link|img|iframe|source|use)\b[^>]*/g)].map(([tag]) => tag)
  expect(loaded).toEqual(['<link rel="stylesheet" href="docs/page.css" /', '<script type="module" src="docs/page.js"'])
  expect(page).not.toMatch(/ (?:style|on\w+)="/)
  expect((await get('/api/docs/page.css')).body).not.toMatch(/@import|url\(/)
})

test('every operation is on the page and in its navigation', () => {
  const ids = Object.values(document.paths).flatMap((item) =>
    methods.flatMap((method) => item[method]?.operationId ?? []),
  )
  for (const id of ids) {
    expect(page).toContain(`<article id="${id}"`)
    expect(page).toContain(`href="#${id}"`)
  }
})

test('ids are unique and every internal link has a target', () => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const links = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id)
  expect(links.filter((id) => !ids.includes(id))).toEqual([])
})

test('every heading is one level below the one above it, at most', () => {
  const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
  expect(levels[0]).toBe(1)
  expect(levels.filter((level, i) => i > 0 && level > levels[i - 1]! + 1)).toEqual([])
})

test('a call is shown as a command in all three formats', () => {
  const [, article] = page.split('<article id="common.keywords.persist"')
  const [own] = article!.split('</article>')
  for (const format of ['json', 'xml', 'compact']) expect(own).toContain(`class="sample ${format}"`)
  expect(own).toContain('Content-Type: application/json+compact')
  expect(own).toContain('kwd</span> parentPath=')
})

test('descriptions are escaped', () => {
  const doc = '<script>alert(1)</script> & `<b>` **<i>**'
  const route = { doc, access: 'user', method: 'GET', path: '/x', formats: 'json', statuses: [200] } as const
  const declared = openapi(
    [{ base: '/api/evil', doc, resources: {}, routes: { x: { ...route, query: { '<q>': doc } } } }],
    {
      version: doc,
    },
  )
  const made = referencePage(declared, 'docs', installation)
  expect(made).not.toMatch(/<script>|<q>|<b><\/|<i><\//)
  expect(made).toContain(
    '&lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>&lt;b&gt;</code> <strong>&lt;i&gt;</strong>',
  )
})
