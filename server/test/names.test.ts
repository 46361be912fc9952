/** The names of objects: one rule for all kinds, applied when an object is created or renamed. */
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import { createModel } from './catalogue.ts'
import { withServer } from './server.ts'

const api = withServer()
const core = '/api/core/v1'
const schemaVersion = '5.6.0'

beforeAll(async () => {
  await createModel(api)
  await post('dam/dirs/persist', { dirs: { dir: [{ tid: 'dir', rnc: 'MAM', name: 'boats' }] } })
})

const post = (path: string, body: object) =>
  api.post(`${core}/${path}`, { schemaVersion, ...body }, { token: api.adminToken })
const put = (path: string, body: object) => api.post(path, body, { method: 'PUT', token: api.adminToken })
const named = (value: string) => ({ itm: [{ value }] })
const inEnglish = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })
const meta = (values: Record<string, string>) => ({
  meta: { itm: Object.entries(values).map(([key, value]) => ({ key, value })) },
})
const upload = (params: object, fileName: string) => {
  const boundary = 'of-a-test'
  const parts = [
    `--${boundary}\r\nContent-Disposition: form-data; name="params"\r\n\r\n${JSON.stringify(params)}\r\n`,
    `--${boundary}\r\nContent-Disposition: form-data; name="payload"; filename="${fileName}"\r\n\r\nx\r\n--${boundary}--\r\n`,
  ]
  const type = `multipart/form-data; boundary=${boundary}`
  return api.post(`${core}/dam/assets/bin/persist`, parts.join(''), { type, token: api.adminToken })
}

let count = 0
const next = () => `n${count++}`

// prettier-ignore
const kinds: Record<string, (name: string) => Promise<{ status: number; text: string }>> = {
  product:   (name) => post('pim/products/persist', { products: { product: [{ name, node: '/Standard/Jackets' }] } }),
  article:   async (name) => {
    const tid = next()
    await post('pim/products/persist', { products: { product: [{ tid, name: tid, node: '/Standard/Jackets' }] } })
    return post('pim/products/persist', { products: { product: [{ tid, articles: { article: [{ name }] } }] } })
  },
  'copy of a product': async (name) => {
    const tid = next()
    await post('pim/products/persist', { products: { product: [{ tid, name: tid, node: '/Standard/Jackets' }] } })
    return post('pim/products/perform', { actions: { action: [{ dataType: 'product', type: 'copy', tid, ...meta({ newProductName: name }) }] } })
  },
  node:      (tid) => post('pim/nodes/persist', { nodes: { node: [{ parentPath: '/Standard', tid, name: inEnglish(next()) }] } }),
  'name of a node': (name) => post('pim/nodes/persist', { nodes: { node: [{ parentPath: '/Standard', tid: next(), name: inEnglish(name) }] } }),
  classification: (tid) => post('pim/classes/persist', { classes: { clazz: [{ tid, name: inEnglish(next()) }] } }),
  attribute: (tid) => post('pim/attribute-definitions/persist', { attrDefs: { attrDef: [{ tid, type: 'text', name: inEnglish('A') }] } }),
  directory: (name) => post('dam/dirs/persist', { dirs: { dir: [{ rnc: 'MAM', name }] } }),
  'uploaded file': (name) => upload({ path: '/MAM/boats/' }, name),
  'path of an upload': (name) => upload({ path: `/MAM/boats/${name}` }, 'x.txt'),
  storage:   (tid) => post('dam/rncs/persist', { rncs: { rnc: [{ tid }] } }),
  channel:   (name) => post('cm/channels/persist', { projects: { project: [{ tid: next(), type: 'Catalogue', name }] } }),
  template:  (name) => post('peo/admin/templates/persist', { templates: { template: [{ tid: next(), name }] } }),
  keyword:   (name) => post('common/keywords/persist', { kwds: { kwd: [{ name: named(name) }] } }),
  'name of a keyword': (name) => post('common/keywords/persist', { kwds: { kwd: [{ name: { itm: [{ value: next() }, { value: name, loc: 'en_GB' }] } }] } }),
  glossary:  (name) => post('common/glossaries/persist', { glossaries: { glossary: [{ name }] } }),
  user:      (name) => api.post('/api/v1/identity/users', { name, roles: ['user'] }, { token: api.adminToken }),
  group:     (name) => put(`/api/v1/identity/groups/${encodeURIComponent(name)}`, { roles: [] }),
  role:      (name) => put(`/api/v1/identity/roles/${encodeURIComponent(name)}`, { grants: [] }),
  'stored search': (name) => api.post('/api/v1/search/storedsearch', { name, searchObject: { context: { searchType: 'INDEX', index: 'PRODUCT' } } }, { token: api.adminToken }),
  'search configuration': (name) => put(`/api/v1/search/configurations/${encodeURIComponent(name)}`, { index: 'PRODUCT' }),
}

const refused: readonly (readonly [what: string, name: (good: string) => string])[] = [
  ['only spaces', () => '   '],
  ['a dot', () => '.'],
  ['two dots', () => '..'],
  ['a space at the beginning', (good) => ` ${good}`],
  ['a space at the end', (good) => `${good} `],
  ['a no-break space at the end', (good) => `${good}\u00a0`],
  ['a tab inside', (good) => `a\t${good}`],
  ['a line break inside', (good) => `a\n${good}`],
  ['a control character', (good) => `a\u0085${good}`],
  ['a change of direction', (good) => `a\u202e${good}`],
  ['a zero-width space', (good) => `a\u200b${good}`],
  ['a zero-width joiner', (good) => `a\u200d${good}`],
  ['a byte order mark inside', (good) => `a\ufeff${good}`],
]

/** Paths cannot begin or end with white space at all, and a header cannot contain a line break. */
const impossible = (kind: string, what: string) =>
  (kind === 'uploaded file' && /line break|only spaces/.test(what)) ||
  (/group|role|search configuration/.test(kind) && /dot/.test(what))

describe.each(Object.entries(kinds))('the name of a new %s', (kind, create) => {
  test.each(refused.filter(([what]) => !impossible(kind, what)))('cannot be %s', async (_, nameOf) => {
    const { status, text } = await create(nameOf(next()))
    expect([status === 400 || text.includes('"ERROR"'), text]).toEqual([true, expect.stringContaining('1001')])
  })

  test('can have spaces and dots inside', async () => {
    const { status, text } = await create(kind === 'role' ? next() : `Été 2. ${next()}`)
    expect([status, text]).toEqual([expect.toBeOneOf([200, 201, 204]), expect.not.stringContaining('ERROR')])
  })
})

describe('an object with a name that is refused today', () => {
  const old = 'a\u200bb'
  const ok = async (path: string, body: object) => expect((await post(path, body)).text, path).not.toContain('"ERROR"')

  test.each([
    [
      'product',
      'pim/products/persist',
      (name?: string) => ({ products: { product: [{ tid: 'old', name, node: '/Standard/Jackets' }] } }),
    ],
    [
      'glossary',
      'common/glossaries/persist',
      (name?: string) => ({ glossaries: { glossary: [{ tid: 'old', name }] } }),
    ],
    [
      'channel',
      'cm/channels/persist',
      (name?: string) => ({ projects: { project: [{ tid: 'old', type: 'Catalogue', name }] } }),
    ],
    ['dam_entry', 'dam/dirs/persist', (name?: string) => ({ dirs: { dir: [{ tid: 'old', rnc: 'MAM', name }] } })],
  ] as const)(
    'can be changed otherwise, with its name in the message, and be renamed: %s',
    async (table, path, body) => {
      await ok(path, body('good'))
      const name = table === 'channel' ? sql`project` : table === 'product' ? sql`product` : table === 'glossary' ? sql`glossary` : sql`dam_entry` // prettier-ignore
      const set = table === 'dam_entry' ? sql`name = ${old}, name_key = ${old}` : sql`name = ${old}`
      await api.db.run(sql`update ${name} set ${set} where tid = 'old'`)
      await ok(path, body(old))
      await ok(path, body())
      expect((await post(path, body('c\u200bd'))).text).toContain('U+200B')
      await ok(path, body('better'))
    },
  )
})

test('a tree has at most 64 levels', async () => {
  const pathOf = (levels: number) => Array.from({ length: levels }, (_, i) => `/t${i}`).join('')
  const keyword = (levels: number) =>
    post('common/keywords/persist', {
      kwds: { kwd: [{ parentPath: pathOf(levels - 1) || '/', name: named(`t${levels - 1}`) }] },
    })
  for (let levels = 1; levels <= 64; levels++) expect((await keyword(levels)).text).toContain('SUCCESS')
  expect((await keyword(65)).text).toContain('65 levels deep; at most 64 are allowed')
  await post('common/keywords/persist', { kwds: { kwd: [{ name: named('top') }] } })
  const move = { dataType: 'keyword', type: 'move', path: '/t0', ...meta({ destinationParentPath: '/top' }) }
  expect((await post('common/keywords/perform', { actions: { action: [move] } })).text).toContain('64 levels')
  const node = (tid: string, parentPath: string, more = {}) => ({ tid, parentPath, name: inEnglish(tid), ...more })
  const nest = (level: number): object =>
    level === 65 ? {} : { node: [{ tid: `t${level}`, name: inEnglish('n'), ...nest(level + 1) }] }
  const nodes = { nodes: { node: [node('t1', '/Standard', nest(2))] } }
  expect((await post('pim/nodes/persist', nodes)).text).toContain('levels deep; at most 64 are allowed')
  const createPath = { dataType: 'dir', type: 'createPath', path: `/MAM${pathOf(64)}` }
  expect((await post('dam/dirs/perform', { actions: { action: [createPath] } })).text).toContain(
    'at most 64 are allowed',
  )
  for (let levels = 1; levels <= 65; levels++) {
    const project = [
      { tid: `c${levels}`, ...(levels > 1 && { parentTid: `c${levels - 1}` }), type: 'Catalogue', name: 'c' },
    ]
    const { text } = await post('cm/channels/persist', { projects: { project } })
    expect(text).toContain(levels > 64 ? 'at most 64 are allowed' : 'SUCCESS')
  }
})

test.each(['a\nb', 'a\rb', 'a\u2028b'])('the subject of a message contains no line break: %j', async (subject) => {
  const messages = [{ subject, body: 'b', recipientUser: 'kim' }]
  const { status, text } = await api.post(`${core}/common/messages/persist`, { messages })
  expect([status, text]).toEqual([400, expect.stringContaining('messages[1]/subject: contains a line break')])
})
