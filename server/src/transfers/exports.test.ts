/** The content of an export: rows, columns, languages, and categories by name. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const at = '/api/v1/transfers'
const { persist } = productCalls(api)

const article = (tid: string, ...variants: string[]) => ({
  tid,
  name: `Article ${tid}`,
  variants: { variant: variants.map((one) => ({ tid: one, name: `Variation ${one}` })) },
})
const said = (attr: string, texts: Record<string, string>) => ({
  attr,
  itm: Object.entries(texts).map(([loc, value]) => ({ value, loc })),
})

beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  const notes = { attr: 'notes', i18N: [{ loc: 'en_GB', itm: [{ value: 'a', pos: 0 }] }, { loc: 'de_DE', itm: [{ value: 'b', pos: 0 }] }] } // prettier-ignore
  const captions = said('caption', { en_GB: 'Warm', de_DE: 'Warm, sehr', fr_FR: 'Chaud' })
  await persist(
    jacket('R1', {
      ...vals(simple('material', 'wool'), captions, notes),
      articles: { article: [article('R1a', 'R1a1', 'R1a2'), article('R1b', 'R1b1')] },
    }),
    jacket('R2', { node: '/Standard/Jackets/Rain', ...vals(said('caption', { fr_FR: 'Froid' })) }),
  )
  const name = (en: string, de: string) => ({ name: { itm: [{ value: en, loc: 'en_GB' }, { value: de, loc: 'de_DE' }] } }) // prettier-ignore
  const node = [
    { path: '/Standard/Jackets', tid: 'Jackets', ...name('Jackets', 'Jacken') },
    { path: '/Standard/Jackets/Rain', tid: 'Rain', ...name('Rainwear', 'Regenkleidung') },
    { parentPath: '/Standard', tid: 'J2', ...name('Other', 'Weitere') },
    { parentPath: '/Standard', tid: 'J3', ...name('Other', 'Andere') },
  ]
  const reply = await api.post(`${pim}/nodes/persist`, { schemaVersion, nodes: { node } }, { token: api.adminToken })
  expect(reply.text).not.toContain('ERROR')
})

async function run(body: object): Promise<{ id: string; state: string; total: number; problem?: string }> {
  const reply = await api.post(`${at}/exports`, { format: 'csv', ...body })
  expect(reply.status, reply.text).toBe(200)
  return vi.waitFor(
    async () => {
      const { json } = await api.get(`${at}/${reply.json.id}`)
      expect(['finished', 'failed']).toContain(json.state)
      return json
    },
    { timeout: 40_000, interval: 20 },
  )
}
const exported = async (body: object) => {
  const { id, problem } = await run(body)
  expect(problem).toBeUndefined()
  return (await api.get(`${at}/${id}/file`)).text
}
const lines = async (body: object) => (await exported(body)).replace('\ufeff', '').trim().split('\r\n')

describe('a table has', () => {
  test.each([
    [['tid', 'material'], ['R1,wool']],
    [
      ['tid', 'article:tid'],
      ['R1,R1a', 'R1,R1b'],
    ],
    [
      ['tid', 'variant:tid'],
      ['R1,R1a1', 'R1,R1a2', 'R1,R1b1'],
    ],
  ])('one row for each object that the columns %j name', async (columns, expected) => {
    expect(await lines({ columns, tids: ['R1'] })).toEqual([columns.join(','), ...expected])
  })

  test('a column for each language of a localized attribute, unless the column names one', async () => {
    const columns = ['tid', 'caption', 'notes@en_GB']
    const locales = ['en_GB', 'de_DE']
    expect(await lines({ columns, tids: ['R1'], locales })).toEqual([
      expect.stringMatching(/^tid,caption@(de_DE|en_GB),caption@(de_DE|en_GB),notes@en_GB$/),
      expect.stringMatching(/^R1,("Warm, sehr",Warm|Warm,"Warm, sehr"),a$/),
    ])
  })

  test('the columns of the chosen languages only, if no columns are given', async () => {
    const [headings] = await lines({ tids: ['R1', 'R2'], locales: ['fr_FR'] })
    expect(headings!.split(',').filter((one) => one.includes('@'))).toEqual(['caption@fr_FR'])
  })

  test('no column for an attribute that does not exist: the export fails and names it', async () => {
    const { problem } = await run({ columns: ['tid', 'materiel'] })
    expect(problem).toBe('column materiel: no attribute has the tid materiel, or you may not read it')
  })
})

describe('messages have', () => {
  test.each(['jsonl', 'xml'])('only values in the chosen languages, in %s', async (format) => {
    const text = await exported({ format, tids: ['R1', 'R2'], locales: ['de_DE'] })
    for (const value of ['wool', 'Warm, sehr', 'R1a1']) expect(text).toContain(value)
    for (const locale of ['en_GB', 'fr_FR']) expect(text).not.toContain(locale)
  })

  test('languages that the system has: another one fails the export', async () => {
    const { problem } = await run({ format: 'jsonl', locales: ['xx_XX'] })
    expect(problem).toContain('locales: unknown locale xx_XX; expected some of ')
  })
})

describe('a category is named by', () => {
  test.each([
    '/Standard/Jackets/Rain',
    '/Standard/Jacken/Regenkleidung',
    'Standard › Jackets › Rainwear',
    '/standard/jackets/rainwear/',
  ])('%s', async (path) => {
    expect(await lines({ columns: ['tid'], nodePaths: [path] })).toEqual(['tid', 'R2'])
  })

  test('a path that fits one category: others are refused', async () => {
    expect((await run({ nodePaths: ['/Standard/Other'] })).problem).toContain('name one of /Standard/J2, /Standard/J3')
    expect((await run({ nodePaths: ['/Standard/Nothing'] })).problem).toContain(
      'no node has the path /Standard/Nothing',
    )
  })
})

test('groups order the columns, and a group can be named as columns', async () => {
  const grouped = (tid: string, ...attributes: string[]) => ({
    tid,
    name: { itm: [{ value: tid, loc: 'en_GB' }] },
    references: { itm: attributes.map((value) => ({ value })) },
  })
  const attrGroup = [grouped('texts', 'notes', 'caption'), grouped('sizing', 'size_table', 'color')]
  await api.post(`${pim}/attribute-groups/persist`, { schemaVersion, attrGroups: { attrGroup } })
  const tids = ['R1']
  const locales = ['en_GB']
  expect((await lines({ tids, locales }))[0]!.split(',').slice(-3)).toEqual(['notes@en_GB', 'caption@en_GB', 'material']) // prettier-ignore
  const columns = ['tid', 'group:sizing', 'caption', 'group:texts', 'article:group:sizing']
  expect((await lines({ tids, locales, columns }))[0]).toBe('tid,size_table/width,color,caption@en_GB,notes@en_GB,article:size_table/width,article:color') // prettier-ignore
  const { problem } = await run({ tids, columns: ['group:none'] })
  expect(problem).toBe('column group:none: no group of attributes has the tid none')
  await api.post(`${pim}/attribute-groups/perform`, { schemaVersion, actions: { action: ['texts', 'sizing'].map((tid) => ({ dataType: 'attrGroup', type: 'delete', tid })) } }) // prettier-ignore
})

test('columns are chosen by the values that the user may see, empty ones and other languages left out', async () => {
  const value = (attr: string, itm: object[]) => ({ attr, itm })
  await persist(
    jacket('U1', { node: '/Standard/J2', ...vals(value('caption', [{ value: 'Hallo', loc: 'de_DE' }])) }),
    jacket('U2', { node: '/Standard/J2', articles: { article: [article('U2a')] } }),
    jacket('U3', { node: '/Standard/J2', ...vals(simple('material', 'wool')) }),
  )
  const headings = async (body: object = {}) => (await lines({ nodePaths: ['/Standard/J2'], ...body }))[0]!.split(',')
  expect(await headings()).toEqual(['tid', 'name', 'node', 'article:tid', 'article:name', 'material', 'caption@de_DE'])
  expect(await headings({ locales: ['en_GB'] })).toEqual(['tid', 'name', 'node', 'article:tid', 'article:name', 'material']) // prettier-ignore
  expect(await headings({ tids: ['U1'], nodePaths: undefined })).toEqual(['tid', 'name', 'node', 'caption@de_DE'])
})
