/** Stale texts: marked when the source text changes, shown, searched, confirmed. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { field, searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'

const api = withServer()
const { persist, perform } = productCalls(api)
const search = searchCalls(api)
const at = `${pim}/products/translations`
const texts = (attr: string, byLocale: Record<string, string>) => ({
  attr,
  itm: Object.entries(byLocale).map(([loc, value]) => ({ loc, value })),
})
const caption = (byLocale: Record<string, string>) => vals(texts('caption', byLocale))
const three = { en_GB: 'coat', de_DE: 'Mantel', fr_FR: 'manteau' }
const read = (tid: string, token = api.token) => api.post(`${at}/retrieve`, { tid }, { token })
interface Stale {
  level: string
  tid: string
  attribute: string
  locale: string
  since: string
}
const staleOf = async (tid: string, token = api.token): Promise<Stale[]> => (await read(tid, token)).json.stale ?? []
const marks = async (tid: string, token = api.token) =>
  (await staleOf(tid, token)).map(({ level, tid: of, attribute, locale }) => `${level} ${of} ${attribute} ${locale}`)
const confirm = (tid: string, texts: object[], token = api.token) =>
  api.post(`${at}/confirm`, { tid, texts }, { token })
const german = { attribute: 'caption', locale: 'de_DE' }
const tokens = new Map<string, string>()

beforeAll(async () => {
  await createModel(api)
  const all = ['read', 'create', 'update', 'delete', 'link']
  const roles: Record<string, object> = {
    boots: { kind: '*', actions: all, scopes: { node: ['/Standard/Boots'] } },
    reader: { kind: '*', actions: ['read'] },
    french: { kind: '*', actions: all, visibleLocales: { only: ['en_GB', 'fr_FR'] } },
    translator: { kind: '*', actions: all, editableLocales: { only: ['de_DE'] } },
    seller: { kind: '*', actions: all, visibleAttributes: { except: ['caption'] } },
  }
  for (const [role, grant] of Object.entries(roles)) {
    const options = { method: 'PUT', token: api.adminToken } as const
    expect((await api.post(`/api/v1/identity/roles/${role}`, { grants: [grant] }, options)).status).toBeLessThan(300)
    tokens.set(role, await api.tokenFor({ name: role, roles: [role] }))
  }
})

describe('a translation is marked', () => {
  test('when its source text is replaced, and no longer when it is written', async () => {
    await persist(jacket('A', caption(three)))
    expect((await read('A')).json).toEqual({ source: 'en_GB' })
    await persist({ tid: 'A', ...caption({ en_GB: 'cloak' }) })
    expect(await marks('A')).toEqual(['product A caption de_DE', 'product A caption fr_FR'])
    await persist({ tid: 'A', ...caption({ de_DE: 'Umhang' }) })
    expect(await marks('A')).toEqual(['product A caption fr_FR'])
    await persist({ tid: 'A', vals: { val: [{ attr: 'caption' }] } })
    expect(await marks('A')).toEqual([])
  })

  test('until it is written or removed, also when its source text was removed meanwhile', async () => {
    const send = (byLocale: Record<string, string>) => persist({ tid: 'P', ...caption(byLocale) })
    await persist(jacket('P', caption(three)))
    await send({ en_GB: 'cloak', fr_FR: '' })
    await send({ en_GB: '' })
    expect(await marks('P')).toEqual(['product P caption de_DE'])
    await send({ de_DE: 'Umhang' })
    expect(await marks('P')).toEqual([])
    for (const text of ['cape', 'cloak', '']) await send({ en_GB: text })
    expect(await marks('P')).toEqual(['product P caption de_DE'])
    await send({ de_DE: '' })
    expect(await marks('P')).toEqual([])
  })

  test('when its source text is removed and another one is written later', async () => {
    await persist(jacket('Q', caption(three)))
    await persist({ tid: 'Q', ...caption({ en_GB: '', fr_FR: 'cape' }) })
    await persist({ tid: 'Q', ...caption({ en_GB: 'cape' }) })
    expect(await marks('Q')).toEqual(['product Q caption de_DE'])
  })

  test('not when it is written together with its source, or when the same text is sent again', async () => {
    await persist(jacket('B', caption(three)))
    await persist({ tid: 'B', ...caption({ en_GB: 'cloak', de_DE: 'Umhang' }) })
    expect(await marks('B')).toEqual(['product B caption fr_FR'])
    await persist({ tid: 'B', ...caption({ en_GB: 'cloak', de_DE: 'Umhang', fr_FR: 'manteau' }) })
    expect(await marks('B')).toEqual(['product B caption fr_FR'])
  })

  test('not by a first source text, a text in another locale, or a value that is no text', async () => {
    await persist(jacket('C', caption({ de_DE: 'Mantel' })))
    await persist({ tid: 'C', ...caption({ en_GB: 'coat' }) })
    await persist({ tid: 'C', ...caption({ fr_FR: 'manteau' }) })
    await persist({ tid: 'C', ...caption({ fr_FR: 'cape' }) })
    await persist({ tid: 'C', ...vals(simple('material', 'wool'), simple('weight', '2')) })
    await persist({ tid: 'C', ...vals(simple('material', 'silk'), simple('weight', '3')) })
    expect(await marks('C')).toEqual([])
  })

  test('of articles and variations, and of lists of texts; a copy has the marks of its original', async () => {
    const notes = (loc: string, ...values: string[]) => ({
      attr: 'notes',
      i18N: [{ loc, itm: values.map((value, pos) => ({ value, pos })) }],
    })
    const variant = [{ tid: 'D-1-1', name: 'v', vals: { val: [notes('en_GB', 'a', 'b'), notes('de_DE', 'A', 'B')] } }]
    await persist(jacket('D', { articles: { article: [{ tid: 'D-1', name: 'a', ...caption(three), variants: { variant } }] } })) // prettier-ignore
    const changed = [{ tid: 'D-1-1', vals: { val: [notes('en_GB', 'a', 'c')] } }]
    await persist({ tid: 'D', articles: { article: [{ tid: 'D-1', ...caption({ en_GB: 'cloak' }), variants: { variant: changed } }] } }) // prettier-ignore
    const expected = ['article D-1 caption de_DE', 'article D-1 caption fr_FR', 'variant D-1-1 notes de_DE']
    expect(await marks('D')).toEqual(expected)
    const [copy] = await perform({ type: 'copy', tid: 'D', meta: { itm: [{ key: 'newProductName', value: 'D2' }, { key: 'newProductTid', value: 'D2' }] } }) // prettier-ignore
    expect(copy.status, copy.description).toBe('SUCCESS')
    expect(await staleOf('D2')).toHaveLength(3)
  })

  test('only for products of a batch that are stored', async () => {
    await persist(jacket('E', caption(three)), jacket('F', caption(three)))
    const outcome = await persist(
      { tid: 'E', ...caption({ en_GB: 'cloak' }) },
      { tid: 'F', ...vals(texts('caption', { en_GB: 'cloak' }), simple('weight', 'heavy')) },
    )
    expect(outcome.map(({ status }) => status)).toEqual(['SUCCESS', 'ERROR'])
    expect([await staleOf('E'), await staleOf('F')].map(({ length }) => length)).toEqual([2, 0])
  })

  test('by a change of the locale that an administrator has chosen as the source', async () => {
    const put = (tid: string, body: object) =>
      api.post(`/api/core/v1/common/locales/${tid}`, body, { method: 'PUT', token: api.adminToken })
    await persist(jacket('G', caption(three)))
    const chosen = await put('de_DE', { source: true })
    expect(chosen.json.meta.itm).toContainEqual({ key: 'source', value: 'true' })
    await persist({ tid: 'G', ...caption({ en_GB: 'cloak' }) })
    expect((await read('G')).json).toEqual({ source: 'de_DE' })
    await persist({ tid: 'G', ...caption({ de_DE: 'Umhang' }) })
    expect(await marks('G')).toEqual(['product G caption en_GB', 'product G caption fr_FR'])
    expect((await put('de_DE', { source: false })).json.meta.itm).toHaveLength(2)
    expect((await read('G')).json.source).toBe('en_GB')
    const refused = await put('de_DE', { source: true, content: false })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('/localeChange/source')])
  })

  test('once by many writers at the same time', async () => {
    await persist(jacket('H', caption(three)))
    const words = ['cloak', 'cape', 'parka', 'anorak']
    await Promise.all(words.map((word) => persist({ tid: 'H', ...caption({ en_GB: word }) })))
    expect(await marks('H')).toEqual(['product H caption de_DE', 'product H caption fr_FR'])
  })

  test('by imports, bulk messages and changes of many products', async () => {
    const worker = await api.startWorker()
    const tids = ['W1', 'W2', 'W3']
    await persist(...tids.map((tid) => jacket(tid, caption(three))))
    await transferCalls(api).run('tid,caption@en_GB\nW1,cloak\n')
    const bulk = { schemaVersion, products: { product: [{ tid: 'W2', ...caption({ en_GB: 'cloak' }) }] } }
    expect((await api.post(`${pim}/products/bulk`, bulk)).status).toBe(200)
    const operations = [{ type: 'set', attribute: 'caption', locale: 'en_GB', values: ['cloak'] }]
    const { json } = await api.post('/api/v1/changes', { selection: { tids: ['W3'] }, operations })
    expect((await api.post(`/api/v1/changes/${json.id}/start`)).status).toBe(200)
    const counts = () => Promise.all(tids.map(async (tid) => (await staleOf(tid)).length))
    await vi.waitFor(async () => expect(await counts()).toEqual([2, 2, 2]), { timeout: 30_000 })
    await worker.stop()
  })

  test('until its attribute is deleted', async () => {
    const admin = { token: api.adminToken }
    const attrDef = [{ tid: 'slogan', type: 'text', localized: 'true', name: { itm: [{ value: 'Slogan', loc: 'en_GB' }] } }] // prettier-ignore
    const define = () =>
      api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, admin)
    await define()
    await persist(jacket('I', vals(texts('slogan', three))))
    await persist({ tid: 'I', ...vals(texts('slogan', { en_GB: 'cloak' })) })
    expect(await staleOf('I')).toHaveLength(2)
    const action = [{ dataType: 'attrDefinition', type: 'delete', tid: 'slogan', meta: { itm: [{ key: 'force', value: 'true' }] } }] // prettier-ignore
    const gone = await api.post(`${pim}/attribute-definitions/perform`, { schemaVersion, actions: { action } }, admin)
    expect(gone.json.responses.response[0].status, gone.text).toBe('SUCCESS')
    await define()
    expect(await staleOf('I')).toEqual([])
  })
})

describe('a text that is still right', () => {
  test('loses its mark, and the history says that somebody confirmed it', async () => {
    await persist(jacket('K', caption(three)))
    await persist({ tid: 'K', ...caption({ en_GB: 'cloak' }) })
    expect((await confirm('K', [german])).json.stale.map(({ locale }: Stale) => locale)).toEqual(['fr_FR'])
    expect((await confirm('K', [german])).status).toBe(200)
    const { json } = await api.post(`${pim}/products/history`, { tid: 'K' })
    expect(json.entries[0].changes).toEqual([{ field: 'staleTexts', from: 2, to: 1 }])
  })

  test('keeps its mark if the source text has changed again', async () => {
    await persist(jacket('L', caption(three)))
    await persist({ tid: 'L', ...caption({ en_GB: 'cloak' }) })
    const [{ since }] = (await staleOf('L')) as [Stale]
    await persist({ tid: 'L', ...caption({ en_GB: 'cape' }) })
    const refused = await confirm('L', [{ ...german, since }])
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('has changed again')])
    expect(await staleOf('L')).toHaveLength(2)
    const [again] = (await staleOf('L')) as [Stale]
    expect((await confirm('L', [{ ...german, since: again.since }])).status).toBe(200)
  })

  test.each([
    ['no texts', [], '/textConfirmation/texts'],
    ['an article of another product', [{ ...german, level: 'article', tid: 'D-1' }], 'has no article with the tid D-1'],
  ])('is not said about %s', async (_, sent, reason) => {
    await persist(jacket('M', caption(three)))
    const { status, text } = await confirm('M', sent)
    expect([status, text]).toEqual([400, expect.stringContaining(reason)])
  })
})

describe('rights', () => {
  beforeAll(async () => {
    await persist(jacket('R', caption(three)))
    await persist({ tid: 'R', ...caption({ en_GB: 'cloak' }) })
  })

  test.each([
    ['french', ['product R caption fr_FR']],
    ['seller', []],
    ['reader', ['product R caption de_DE', 'product R caption fr_FR']],
  ])('%s sees the marks of texts that this role may see', async (role, expected) => {
    expect(await marks('R', tokens.get(role))).toEqual(expected)
  })

  test('a product that one may not read does not exist', async () => {
    expect((await read('R', tokens.get('boots'))).status).toBe(404)
    expect((await confirm('R', [german], tokens.get('boots'))).status).toBe(404)
  })

  test('a text that one may not change is not confirmed', async () => {
    expect((await confirm('R', [german], tokens.get('reader'))).status).toBe(403)
    expect((await confirm('R', [german], tokens.get('french'))).status).toBe(403)
    const french = { ...german, locale: 'fr_FR' }
    expect((await confirm('R', [french], tokens.get('translator'))).status).toBe(403)
    expect(await staleOf('R')).toHaveLength(2)
    expect((await confirm('R', [german], tokens.get('translator'))).status).toBe(200)
  })
})

describe('search', () => {
  const staleIn = (language: string, token = api.token) =>
    search.found('PRODUCT', field('staleTexts', 'EQ', true, { language }), {}, { token })

  test('finds objects with stale texts in a language, as far as one may see them', async () => {
    const id = (await persist(jacket('S', caption(three))))[0]!.id
    await persist({ tid: 'S', ...caption({ en_GB: 'cloak', de_DE: 'Umhang' }) })
    await search.wait('PRODUCT', id)
    expect(await staleIn('fr_FR')).toContain('S')
    expect(await staleIn('de_DE')).not.toContain('S')
    expect(await staleIn('fr_FR', tokens.get('french'))).toContain('S')
    await confirm('S', [{ ...german, locale: 'fr_FR' }])
    await search.wait('PRODUCT', id)
    expect(await staleIn('fr_FR')).not.toContain('S')
    expect(await staleIn('de_DE', tokens.get('french'))).toEqual([])
  })
})
