/** The quality of products in channels: settings, checks, rights, search; and forbidden words in writes. */
import { cm, common, peo } from '@kontor/contract'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, vals } from '../../../test/catalogue.ts'
import { callsOf, text } from '../../../test/channels.ts'
import { meta, resourceOf, statementsOf } from '../../../test/common.ts'
import { makeDirs, picture, recordOf, upload } from '../../../test/files.ts'
import { all, field, searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'
import { transferCalls } from '../../../test/transfers.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const products = productCalls(api)
const { find, found, call } = searchCalls(api)
type Options = { token?: string }
type Json = Record<string, any>
const post = (path: string, body: object, options?: Options) => api.post(`${cm.base}/${path}`, body, options)
const settings = (tid: string, ...checks: object[]) => post('channels/quality/persist', { tid, checks })
const settingsOf = async (tid: string, options?: Options) =>
  (await post('channels/quality/retrieve', { tids: [tid] }, options)).json.channels[0]
const quality = async (request: object, options?: Options): Promise<Json[]> => {
  const reply = await post('quality/retrieve', request, options)
  expect(reply.status, reply.text).toBe(200)
  return reply.json.products
}
/** The quality of one product in one channel and locale. */
const inPlace = async (tid: string, channel = 'shop', locale = 'en_GB', options?: Options): Promise<Json> => {
  const [one] = await quality({ productTids: [tid], channelTids: [channel], locales: [locale] }, options)
  return one!['places'][0].locales[0]
}
const failedIn = ({ checks = [] }: Json) =>
  checks.filter((one: Json) => !one['passed']).map((one: Json) => one['check'])
const faultsOf = ({ checks }: Json, check: string) => checks.find((one: Json) => one['check'] === check)?.faults

async function tokenWith(role: string, grants: object[]): Promise<string> {
  await api.post(`/api/v1/identity/roles/${role}`, { grants }, { method: 'PUT', token: api.adminToken })
  return api.tokenFor({ name: role, roles: [role] })
}
async function link(kind: string, from: Record<string, string>, type = '') {
  const itms = [{ type: kind, itms: [{ type, itm: meta(from).meta.itm }] }]
  const reply = await api.post(`${common.base}/links/persist`, { schemaVersion, links: { itms } })
  expect(reply.text).not.toContain('ERROR')
}
const place = (productTid: string, projectTid: string) => link('productToProject', { productTid, projectTid })
const both = (attr: string, english: string, german: string) => ({
  attr,
  itm: [{ value: english, loc: 'en_GB' }, { value: german, loc: 'de_DE' }], // prettier-ignore
})
const forbid = async (tid: string, value: string, loc: string, useInstead = '', parentTid = 'style') => {
  const more = { ...meta({ forbidden: 'true', ...(useInstead && { useInstead }) }) }
  more.meta.itm.unshift({ key: 'value', value, loc } as never)
  const [record] = await resourceOf(api, 'glossaryEntries').persist({ tid, parentTid, loc, type: 'term', ...more })
  expect(record.status, record.description).toBe('SUCCESS')
}
const enforce = async (enforcement: string) => {
  const [record] = await resourceOf(api, 'glossaries').persist({
    tid: 'style',
    name: 'Style',
    ...meta({ enforcement }),
  })
  expect(record.status, record.description).toBe('SUCCESS')
}
const settled = async () => {
  const rows = await api.db.rows<{ id: number }>(sql`select id from link where kind = 'productToProject'`)
  await call('/documents/wait', { index: 'CHANNEL_2_PRODUCT', documents: rows.map(({ id }) => id), maxWait: 60_000 })
}

beforeAll(async () => {
  await createModel(api)
  const attrDef = [{ tid: 'ean', type: 'identifier', name: { itm: [{ value: 'EAN', loc: 'en_GB' }] } }]
  await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  const channel = (tid: string, parentTid?: string) => ({ tid, name: tid, type: 'Webshop', ...(parentTid && { parentTid }) }) // prettier-ignore
  await callsOf(api, cm, 'channels').persist(channel('shop'), channel('sale', 'shop'), channel('own'))
  await enforce('off')
  await makeDirs(api, '/MAM/boats')
})

describe('settings', () => {
  test('are inherited down the tree of channels, and otherwise the default', async () => {
    expect((await settingsOf('sale')).inheritedChecks).toHaveLength(6)
    expect((await settings('shop', { check: 'length', attr: 'caption', max: 10 }, { check: 'mainPicture', weight: 3 })).status).toBe(200) // prettier-ignore
    expect(await settingsOf('shop')).toMatchObject({ checks: [{ check: 'length', attr: 'caption', max: 10, weight: 1 }, { check: 'mainPicture', weight: 3 }] }) // prettier-ignore
    expect((await settingsOf('sale')).checks).toBeUndefined()
    expect((await settingsOf('sale')).inheritedChecks).toHaveLength(2)
    await settings('sale', { check: 'similarName' })
    expect((await settingsOf('sale')).checks).toEqual([{ check: 'similarName', weight: 1 }])
    await settings('sale')
    await settings('shop')
    expect((await settingsOf('sale')).inheritedChecks).toHaveLength(6)
  })

  test('are refused with the place of what is wrong', async () => {
    const refusal = async (check: object) => (await settings('shop', check)).text
    expect(await refusal({ check: 'length', attr: 'nothing', max: 3 })).toContain('checks[1]/attr: no attribute')
    expect(await refusal({ check: 'length', attr: 'caption' })).toContain('needs min or max')
    expect(await refusal({ check: 'length', attr: 'caption', min: 9, max: 3 })).toContain('/max: 3 is less than min')
    expect(await refusal({ check: 'mainPicture', min: 3 })).toContain('/min: the check mainPicture does not take it')
    expect(await refusal({ check: 'mainPicture', weight: 11 })).toContain('/weight: 11 is out of range')
    expect((await settings('shop', { check: 'similarName' }, { check: 'similarName' })).text).toContain('occurs twice')
    expect((await settings('shop', { check: 'none' })).status).toBe(400)
    expect((await settings('nobody', { check: 'similarName' })).status).toBe(404)
    const token = await tokenWith('onlooker', [{ kind: '*', actions: ['read'] }])
    const reply = await post('channels/quality/persist', { tid: 'shop', checks: [] }, { token })
    expect(reply.status).toBeGreaterThanOrEqual(401)
  })

  test('hide the limits of attributes that the caller may not see, and keep them', async () => {
    await settings('shop', { check: 'length', attr: 'caption', max: 10 }, { check: 'length', attr: 'notes', max: 20 })
    const token = await tokenWith('blind', [{ kind: '*', actions: ['read', 'update'], visibleAttributes: { except: ['notes'] } }]) // prettier-ignore
    expect((await settingsOf('shop', { token })).checks).toEqual([{ check: 'length', attr: 'caption', max: 10, weight: 1 }]) // prettier-ignore
    expect((await settingsOf('sale', { token })).inheritedChecks).toHaveLength(1)
    const reply = await post('channels/quality/persist', { tid: 'shop', checks: [{ check: 'similarName' }] }, { token })
    expect(reply.status).toBe(200)
    expect((await settingsOf('shop')).checks.map(({ check, attr }: Json) => attr ?? check)).toEqual(['similarName', 'notes']) // prettier-ignore
    await settings('shop')
  })
})

describe('checks', () => {
  beforeAll(async () => {
    await products.persist(
      jacket('Q1', { name: 'Fjord Jacket', ...vals(both('caption', 'A light jacket for windy days', 'Eine leichte Jacke')) }), // prettier-ignore
      jacket('Q2', { name: 'Jacket, Fjörd!', node: '/Standard/Jackets/Rain', ...vals({ attr: 'ean', itm: [{ value: 'X1' }] }) }), // prettier-ignore
      jacket('Q3', { name: 'Sou’wester', ...vals({ attr: 'ean', itm: [{ value: 'X1' }] }) }),
    )
    for (const tid of ['Q1', 'Q2', 'Q3']) await place(tid, 'shop')
  })

  test('judge the length of texts in each language', async () => {
    await settings('shop', { check: 'length', attr: 'caption', min: 20, max: 40 })
    expect(await inPlace('Q1')).toMatchObject({ score: 100, checks: [{ check: 'length', attr: 'caption', passed: true }] }) // prettier-ignore
    const german = await inPlace('Q1', 'shop', 'de_DE')
    expect(german.score).toBe(0)
    expect(faultsOf(german, 'length')).toEqual([
      { dataType: 'product', tid: 'Q1', attr: 'caption', value: '18', expected: '20–40', text: 'has 18 characters; at least 20 are needed: write a longer text' }, // prettier-ignore
    ])
    const french = await inPlace('Q1', 'shop', 'fr_FR')
    expect(french.score, 'a text that is missing is not too short').toBeUndefined()
    await settings('shop')
  })

  test('judge the length of texts without a language in every language, and of nothing else', async () => {
    await products.persist({ tid: 'Q1', ...vals({ attr: 'material', itm: [{ value: 'Wool and silk' }] }) })
    await settings('shop', { check: 'length', attr: 'material', max: 8 })
    for (const locale of ['en_GB', 'de_DE'])
      expect(faultsOf(await inPlace('Q1', 'shop', locale), 'length')).toMatchObject([{ attr: 'material', value: '13' }])
    expect((await inPlace('Q2')).score).toBeUndefined()
    const token = await tokenWith('no-material', [{ kind: '*', actions: ['read'], visibleAttributes: { except: ['material'] } }]) // prettier-ignore
    expect((await inPlace('Q1', 'shop', 'en_GB', { token })).score).toBeUndefined()
    for (const attr of ['weight', 'color'])
      expect((await settings('shop', { check: 'length', attr, max: 8 })).text).toContain(`${attr} is not a text`)
    await products.persist({ tid: 'Q1', ...vals({ attr: 'material' }) })
    await settings('shop')
  })

  test('a text of an extension object takes the place of that of the product', async () => {
    await settings('shop', { check: 'length', attr: 'caption', max: 20 })
    expect(failedIn(await inPlace('Q1'))).toEqual(['length'])
    const templates = callsOf(api, peo, 'admin/templates', 'json', { token: api.adminToken })
    await templates.persist({ tid: 'Any', name: 'Any' })
    const extend = (value: string) =>
      callsOf(api, peo, 'peos').persist({ tid: 'E1', name: 'E1', productTid: 'Q1', templateTid: 'Any', nodes: { node: [{ tid: 'shop' }] }, ...vals(text('caption', value, 'en_GB')) }) // prettier-ignore
    await extend('A light jacket')
    expect((await inPlace('Q1')).score).toBe(100)
    await extend('A light jacket, far too long')
    expect(faultsOf(await inPlace('Q1'), 'length')).toMatchObject([{ dataType: 'peo', tid: 'E1', value: '28' }])
    await callsOf(api, peo, 'peos').perform({ type: 'delete', tid: 'E1' })
    await settings('shop')
  })

  test('find the same text in two languages, but not in two countries', async () => {
    const same = 'The same words in all languages'
    const itm = ['en_GB', 'en_US', 'de_DE'].map((loc) => ({ value: loc === 'de_DE' ? `${same}!` : same, loc }))
    await products.persist({ tid: 'Q3', ...vals({ attr: 'notes', itm }) })
    expect(faultsOf(await inPlace('Q3'), 'identicalTexts')).toMatchObject([{ attr: 'notes', value: 'de_DE' }])
    await products.persist({ tid: 'Q3', ...vals({ attr: 'notes', itm: [{ value: 'Andere Worte auf Deutsch', loc: 'de_DE' }] }) }) // prettier-ignore
    expect(failedIn(await inPlace('Q3'))).not.toContain('identicalTexts')
  })

  test('find products with the same identifier or a similar name, that the caller may read', async () => {
    expect(faultsOf(await inPlace('Q2'), 'duplicateIdentifier')).toMatchObject([{ attr: 'ean', value: 'X1', others: ['Q3'] }]) // prettier-ignore
    expect(faultsOf(await inPlace('Q2'), 'similarName')).toMatchObject([{ value: 'Fjord Jacket', others: ['Q1'] }])
    const token = await tokenWith('rain', [
      { kind: 'product', actions: ['read'], scopes: { node: ['/Standard/Jackets/Rain'] } },
      { kind: 'project', actions: ['read'] },
    ])
    const narrow = await inPlace('Q2', 'shop', 'en_GB', { token })
    expect(failedIn(narrow)).toEqual([])
    expect(narrow.score).toBe(100)
    expect(JSON.stringify(narrow)).not.toContain('Q1')
    expect((await post('quality/retrieve', { productTids: ['Q1'] }, { token })).status).toBe(404)
  })

  test('find the identifiers of articles and variations, and name the article', async () => {
    const ean = (value: string) => vals({ attr: 'ean', itm: [{ value }] })
    const article = (tid: string, more: object) => ({ articles: { article: [{ tid, name: tid, ...more }] } })
    const variant = (tid: string, value: string) => ({ variants: { variant: [{ tid, name: tid, ...ean(value) }] } })
    await products.persist(
      jacket('M1', { name: 'First', ...article('M1-A', { ...ean('M-A'), ...variant('M1-V', 'M-V') }) }),
      jacket('M2', { name: 'Second', ...article('M2-A', { ...ean('M-2'), ...variant('M2-V', 'M-V') }) }),
      jacket('M3', { name: 'Third', ...ean('M-A') }),
    )
    for (const tid of ['M1', 'M2', 'M3']) await place(tid, 'sale')
    const duplicates = async (tid: string) =>
      faultsOf(await inPlace(tid, 'sale'), 'duplicateIdentifier')?.map((one: Json) => [one['dataType'], one['tid'], ...one['others']]) // prettier-ignore
    expect(await duplicates('M1')).toEqual([['article', 'M1-A', 'M3'], ['variant', 'M1-V', 'M2-V']]) // prettier-ignore
    expect(await duplicates('M2')).toEqual([['variant', 'M2-V', 'M1-V']])
    expect(await duplicates('M3')).toEqual([['product', 'M3', 'M1-A']])
    await products.persist({ tid: 'M2', ...article('M2-A', variant('M2-V', 'M-9')) })
    expect(await duplicates('M2')).toBeUndefined()
    await products.persist({ tid: 'M2', ...article('M2-A', variant('M2-V', 'M-V')) })
  })

  test('do not find the identifiers of products on which the caller may not see them', async () => {
    const token = await tokenWith('half-blind', [
      { kind: 'product', actions: ['read'], scopes: { node: ['/Standard/Jackets/Rain'] } },
      { kind: 'product', actions: ['read'], visibleAttributes: { except: ['ean'] } },
      { kind: 'project', actions: ['read'] },
    ])
    const seen = await inPlace('Q2', 'shop', 'en_GB', { token })
    expect(failedIn(seen)).not.toContain('duplicateIdentifier')
    expect(seen['checks'].map(({ check }: Json) => check)).toContain('duplicateIdentifier')
  })

  test('miss a picture, or one with a role', async () => {
    expect(failedIn(await inPlace('Q1'))).toContain('mainPicture')
    const stored = await upload(api, { path: '/MAM/boats/q1.jpg', tid: 'q1' }, await picture(40, 30))
    expect(recordOf(stored).status).toBe('SUCCESS')
    await link('assetToProduct', { assetTid: 'q1', productTid: 'Q1' }, 'Front')
    expect(failedIn(await inPlace('Q1'))).not.toContain('mainPicture')
    await settings('shop', { check: 'mainPicture', role: 'Back' })
    expect(faultsOf(await inPlace('Q1'), 'mainPicture')).toMatchObject([{ expected: 'Back' }])
    await settings('shop')
    const token = await tokenWith('no-files', [{ kind: 'product', actions: ['read'] }, { kind: 'project', actions: ['read'] }]) // prettier-ignore
    const checks = (await inPlace('Q1', 'shop', 'en_GB', { token }))['checks'] as Json[]
    expect(checks.map(({ check }) => check)).not.toContain('mainPicture')
  })

  test('name translations that are older than their source', async () => {
    await api.db.run(sql`
      insert into stale_text (product_id, attr, locale, source) select id, 'caption', 'de_DE', 'en_GB' from product where tid = 'Q1'`)
    expect(faultsOf(await inPlace('Q1', 'shop', 'de_DE'), 'staleTranslation')).toMatchObject([{ attr: 'caption', value: 'en_GB' }]) // prettier-ignore
    expect(failedIn(await inPlace('Q1'))).not.toContain('staleTranslation')
    const grants = (more: object) => [{ kind: 'product', actions: ['read'], ...more }, { kind: 'project', actions: ['read'] }] // prettier-ignore
    const german = await tokenWith('german', grants({ visibleLocales: { only: ['de_DE'] } }))
    expect(JSON.stringify(await quality({ productTids: ['Q1'] }, { token: german }))).not.toContain('en_GB')
    const blind = await tokenWith('captionless', grants({ visibleAttributes: { except: ['caption'] } }))
    const seen = await inPlace('Q1', 'shop', 'de_DE', { token: blind })
    expect(JSON.stringify(seen)).not.toContain('caption')
    expect(failedIn(seen)).not.toContain('staleTranslation')
    await api.db.run(sql`delete from stale_text`)
  })

  test('of a page cost at most three statements more than the page, readiness included', async () => {
    const many = Array.from({ length: 100 }, (_, i) => `page-${i}`)
    await products.persist(...many.map((tid) => jacket(tid, vals(both('caption', 'Text', 'Text')))))
    const page = await statementsOf(api, () => api.post(`${pim}/products/retrieve`, { tids: many }))
    const itm = [...many.map((value) => ({ key: 'productTid', value })), { key: 'projectTid', value: 'own' }]
    await api.post(`${common.base}/links/persist`, { schemaVersion, links: { itms: [{ type: 'productToProject', itms: [{ itm }] }] } }) // prettier-ignore
    const judged = (tids: string[]) => () => quality({ productTids: tids, numbersOnly: true })
    const few = await statementsOf(api, judged(many))
    expect(few - page, 'linked products').toBeLessThanOrEqual(3)

    const pictures = [{ role: 'Front', count: 1 }, { count: 2 }] // prettier-ignore
    await post('channels/requirements/persist', { tid: 'own', attributes: ['caption'], pictures })
    const templates = callsOf(api, peo, 'admin/templates', 'json', { token: api.adminToken })
    await templates.persist({ tid: 'Any', name: 'Any' }, { tid: 'Captions', name: 'Captions', ...meta({ 'attribute.caption': 'overridden,required' }) }) // prettier-ignore
    const extend = (tid: string, i: number) => ({ tid: `x-${tid}`, name: tid, productTid: tid, templateTid: i % 2 ? 'Any' : 'Captions', nodes: { node: [{ tid: 'own' }, { tid: 'sale' }] } }) // prettier-ignore
    await callsOf(api, peo, 'peos').persist(...many.map(extend))
    const statements = await statementsOf(api, judged(many))
    for (const { places } of await quality({ productTids: many }))
      expect(places.map(({ channelTid, locales }: Json) => [channelTid, locales.length])).toEqual([['own', expect.any(Number)], ['sale', expect.any(Number)]]) // prettier-ignore
    expect(await statementsOf(api, judged(many.slice(0, 1)))).toBe(statements)
    expect(statements - page, 'with extension objects, required pictures and all locales').toBeLessThanOrEqual(3)
    await callsOf(api, peo, 'peos').perform(...many.map((tid) => ({ type: 'delete', tid: `x-${tid}` })))
    await post('channels/requirements/persist', { tid: 'own' })
  })

  test('are refused for no products, too many and unknown ones', async () => {
    expect((await post('quality/retrieve', { productTids: [] })).status).toBe(400)
    expect((await post('quality/retrieve', { productTids: Array.from({ length: 1001 }, String) })).text).toContain('at most 1000') // prettier-ignore
    expect((await post('quality/retrieve', { productTids: ['nobody'] })).status).toBe(404)
    expect((await post('quality/retrieve', { productTids: ['Q1'], locales: ['english'] })).status).toBe(400)
  })
})

describe('forbidden words', () => {
  const write = async (tid: string, value: string, loc = 'en_GB') =>
    (await products.persist({ tid, ...vals(text('caption', value, loc)) }))[0]!
  const detailsOf = ({ details }: { details: { itm: { key: string; value: string }[] } }) =>
    Object.fromEntries(details.itm.map(({ key, value }) => [key, value]))

  beforeAll(async () => {
    await products.persist(jacket('W1'), jacket('W2', { name: 'W2', node: '/Standard/Jackets/Rain' }))
    await place('W1', 'own')
    await forbid('cheap', 'dirt-cheap', 'en_GB', 'affordable')
    await forbid('cheap-de', 'Billig', 'de_DE')
  })

  test('are named by the check of quality, whole and in their language only', async () => {
    await write('W1', 'A Dirt  Cheap jacket')
    expect(faultsOf(await inPlace('W1', 'own'), 'forbiddenWords')).toEqual([
      { dataType: 'product', tid: 'W1', attr: 'caption', value: 'dirt-cheap', expected: 'affordable', text: 'contains the forbidden word dirt-cheap; write affordable instead' }, // prettier-ignore
    ])
    await write('W1', 'dirt-cheaper, and billig')
    expect(failedIn(await inPlace('W1', 'own'))).not.toContain('forbiddenWords')
  })

  test('of a glossary that refuses are refused, unless the text had them before', async () => {
    await write('W1', 'A dirt-cheap jacket')
    await enforce('refuse')
    const refused = await write('W2', 'dirt cheap!')
    expect(refused.status).toBe('ERROR')
    expect(detailsOf(refused)).toMatchObject({
      'attribute.caption': 'contains the forbidden word dirt-cheap in en_GB; write affordable instead',
      'reason.caption': 'forbiddenWordUse',
      'parameter.caption.instead': 'affordable',
    })
    expect((await write('W1', 'A dirt-cheap jacket in blue')).status).toBe('SUCCESS')
    expect((await write('W1', 'billig, aber gut', 'de_DE')).status).toBe('ERROR')
    expect((await write('W2', 'A fair price')).status).toBe('SUCCESS')
    const templates = callsOf(api, peo, 'admin/templates', 'json', { token: api.adminToken })
    await templates.persist({ tid: 'Any', name: 'Any' })
    const [extension] = await callsOf(api, peo, 'peos').persist({ tid: 'E2', name: 'E2', productTid: 'W2', templateTid: 'Any', ...vals(text('caption', 'dirt cheap', 'en_GB')) }) // prettier-ignore
    expect(extension).toMatchObject({ status: 'ERROR', description: expect.stringContaining('dirt-cheap') })
    await enforce('off')
    expect((await write('W2', 'dirt cheap!')).status).toBe('SUCCESS')
  })

  test('are refused in imports and in changes of many objects, too', async () => {
    await api.startWorker()
    await enforce('refuse')
    await write('W2', 'A fair price')
    const { run, rowsOf } = transferCalls(api)
    const imported = await run('tid,caption@en_GB\nW2,dirt cheap!\n')
    expect(imported).toMatchObject({ state: 'finished', refused: 1 })
    expect(JSON.stringify(await rowsOf(imported.id))).toContain('forbidden word dirt-cheap')
    const at = '/api/v1/changes'
    const operations = [{ type: 'set', attribute: 'caption', locale: 'en_GB', values: ['dirt cheap!'] }]
    const { json } = await api.post(at, { selection: { tids: ['W2'] }, operations })
    await api.post(`${at}/${json.id}/start`)
    await vi.waitFor(async () => expect((await api.get(`${at}/${json.id}`)).json).toMatchObject({ state: 'finished', refused: 1 }), { timeout: 60_000 }) // prettier-ignore
    expect((await api.get(`${at}/${json.id}/items`)).text).toContain('forbidden word dirt-cheap')
    await enforce('off')
  })

  test('of a glossary that warns are named by imports, their previews, translations and changes of many objects', async () => {
    await enforce('warn')
    const reason = 'attribute caption: contains the forbidden word dirt-cheap in en_GB; write affordable instead'
    const { send, run, rowsOf, previewOf } = transferCalls(api)
    await write('W2', 'A fair price')
    const csv = 'tid,caption@en_GB\nW2,dirt cheap!\nW1,fair\n'
    const warnings = [{ column: 'caption@en_GB', reason }]
    expect((await previewOf((await send(csv, 'name=x.csv')).json.id)).rows[0]).toMatchObject({ warnings })
    const { id } = await run(csv)
    expect((await rowsOf(id))[0]).toMatchObject({ status: 'updated', warnings })
    expect((await api.get(`/api/v1/transfers/${id}/rows?status=warned`)).json.rows).toHaveLength(1)
    await write('W2', 'Ein fairer Preis', 'de_DE')
    const unit = '<unit id="p.caption"><segment state="final"><source>dirt cheap!</source><target>Billig!</target></segment></unit>' // prettier-ignore
    const xliff = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en-GB" trgLang="de-DE"><file id="product.W2">${unit}</file></xliff>` // prettier-ignore
    const translated = await run(xliff, 'name=x.xlf')
    expect(JSON.stringify(await rowsOf(translated.id))).toContain('attribute caption: contains the forbidden word Billig in de_DE') // prettier-ignore
    const at = '/api/v1/changes'
    await write('W2', 'A fair price')
    const operations = [{ type: 'set', attribute: 'caption', locale: 'en_GB', values: ['dirt cheap!'] }]
    const { json } = await api.post(at, { selection: { tids: ['W2'] }, operations })
    await api.post(`${at}/${json.id}/start`)
    await vi.waitFor(async () => expect((await api.get(`${at}/${json.id}`)).json).toMatchObject({ state: 'finished', changed: 1 }), { timeout: 60_000 }) // prettier-ignore
    expect((await api.get(`${at}/${json.id}/items`)).json.items[0].warnings).toEqual([reason])
    await write('W2', 'Ein fairer Preis', 'de_DE')
    await enforce('off')
  })

  test('of a glossary that warns are stored, and the result says so', async () => {
    await enforce('warn')
    await write('W2', 'A fair price')
    const warned = await write('W2', 'dirt cheap!')
    expect(warned.status).toBe('SUCCESS')
    expect(detailsOf(warned)).toMatchObject({
      'warning.caption': 'contains the forbidden word dirt-cheap in en_GB; write affordable instead',
      'reason.caption': 'forbiddenWordUse',
    })
    expect(Object.keys(detailsOf(await write('W2', 'A fair price'))).join()).not.toContain('warning')
    await enforce('off')
  })

  test('in translations count in the language of the translation', async () => {
    const links = { itms: [{ loc: 'fr_FR', itm: [{ key: 'value', value: 'pas cher' }, { key: 'forbidden', value: 'true' }, { key: 'useInstead', value: 'abordable' }] }] } // prettier-ignore
    await resourceOf(api, 'glossaryEntries').persist({ tid: 'cheap', links })
    await write('W1', 'Une veste pas chère', 'fr_FR')
    expect(failedIn(await inPlace('W1', 'own', 'fr_FR'))).not.toContain('forbiddenWords')
    await write('W1', 'Une veste pas cher', 'fr_FR')
    expect(faultsOf(await inPlace('W1', 'own', 'fr_FR'), 'forbiddenWords')).toMatchObject([{ expected: 'abordable' }])
    const { glossaryEntries } = await resourceOf(api, 'glossaries').retrieve({ retrieveEntries: true })
    expect(JSON.stringify(glossaryEntries)).toContain('abordable')
  })

  test('are not explained to those who may not read glossaries', async () => {
    await write('W1', 'A dirt-cheap jacket')
    const token = await tokenWith('no-glossary', [{ kind: 'product', actions: ['read'] }, { kind: 'project', actions: ['read'] }]) // prettier-ignore
    const [fault] = faultsOf(await inPlace('W1', 'own', 'en_GB', { token }), 'forbiddenWords')
    expect(fault).toMatchObject({ value: 'dirt-cheap', text: 'contains the forbidden word dirt-cheap; remove it' })
    expect(JSON.stringify(fault)).not.toContain('affordable')
  })

  test('that are being forbidden while a product is written are waited for, and refused', async () => {
    await enforce('refuse')
    const client = await api.db.pool.connect()
    await client.query('begin')
    await client.query(`insert into glossary_entry (glossary_id, type, loc, value, forbidden, edited_by)
      select id, 'term', 'en_GB', 'racing', true, 'kim' from glossary where tid = 'style'`)
    let isOver = false
    const writing = write('W2', 'A racing jacket').finally(() => (isOver = true))
    const isWaiting = async () =>
      (await api.db.rows(sql`select from pg_locks where locktype = 'advisory' and not granted`)).length > 0
    await expect.poll(async () => isOver || (await isWaiting()), { timeout: 20_000 }).toBe(true)
    await client.query('commit')
    client.release()
    expect((await writing).status, 'it knows the word that was committed meanwhile').toBe('ERROR')
    await enforce('off')
  })

  test('and products that are written at the same time leave no word behind that is refused', async () => {
    await enforce('refuse')
    for (let round = 0; round < 5; round++) {
      const word = `gust${round}`
      const [record] = await Promise.all([write('W2', `a ${word} jacket`), forbid(word, word, 'en_GB')])
      const stored = JSON.stringify(await products.retrieve('W2'))
      expect(stored.includes(word)).toBe(record.status === 'SUCCESS')
      expect((await write('W1', word)).status, 'the word is forbidden now').toBe('ERROR')
    }
    await enforce('off')
  })

  test('an unknown enforcement is refused', async () => {
    const [record] = await resourceOf(api, 'glossaries').persist({ tid: 'style', ...meta({ enforcement: 'shout' }) })
    expect(record).toMatchObject({ status: 'ERROR', description: expect.stringContaining('off or warn or refuse') })
  })
})

describe('search', () => {
  const placed = (query: object, language = 'en_GB', options?: Options) =>
    found('CHANNEL_2_PRODUCT', query, { language }, options, 'product')
  const failed = (tid: string, check: string) => all(field('product', 'EQ', tid), field('qualityFaults', 'EQ', check))

  test('finds, counts and sorts products by their score and by failed checks', async () => {
    await settled()
    expect(await placed(failed('Q2', 'similarName'))).toEqual(['Q2'])
    const { score } = await inPlace('Q2')
    expect(await placed(all(field('product', 'EQ', 'Q2'), field('quality', 'EQ', score)))).toEqual(['Q2'])
    const { facets } = await find('CHANNEL_2_PRODUCT', field('channel', 'EQ', 'shop'), {
      language: 'en_GB',
      aggregationEnabled: true,
      aggregationAttributes: ['quality', 'qualityFaults'],
    })
    type Counted = { value?: string; count: number }
    const counts = (facets as { name: string; facets: Counted[] }[]).map((one) => one.facets)
    expect(counts[0]!.reduce((sum, { count }) => sum + count, 0)).toBe(3)
    expect(counts[1]!.map(({ value }) => value)).toContain('similarName')
    const joined = { join: { joinOn: 'places', search: { context: { index: 'CHANNEL_2_PRODUCT' }, language: 'en_GB', query: failed('Q2', 'similarName') } } } // prettier-ignore
    expect(await found('PRODUCT', undefined, joined)).toEqual(['Q2'])
  })

  test('follows duplicates elsewhere, forbidden words and settings', async () => {
    await products.persist(jacket('S1', { name: 'Lonely Coat' }))
    await place('S1', 'shop')
    await settled()
    expect(await placed(failed('S1', 'similarName'))).toEqual([])
    await products.persist(jacket('S2', { name: 'coat (lonely)', node: '/Standard/Jackets/Rain' }))
    await settled()
    expect(await placed(failed('S1', 'similarName'))).toEqual(['S1'])
    await products.persist({ tid: 'S2', name: 'Popular Coat' })
    await settled()
    expect(await placed(failed('S1', 'similarName'))).toEqual([])

    const article = (tid: string, value: string) => ({ articles: { article: [{ tid, name: tid, ...vals({ attr: 'ean', itm: [{ value }] }) }] } }) // prettier-ignore
    await products.persist({ tid: 'S1', ...article('S1-A', 'S-1') }, { tid: 'S2', ...article('S2-A', 'S-2') })
    await settled()
    expect(await placed(failed('S1', 'duplicateIdentifier'))).toEqual([])
    for (const [value, expected] of [
      ['S-1', ['S1']],
      ['S-2', []],
      ['S-1', ['S1']],
    ] as const) {
      // prettier-ignore
      await products.persist({ tid: 'S2', ...article('S2-A', value) })
      await settled()
      expect(await placed(failed('S1', 'duplicateIdentifier'))).toEqual(expected)
    }
    for (const [value, expected] of [
      ['S-3', []],
      ['S-1', ['S1']],
    ] as const) {
      // prettier-ignore
      await products.persist({ tid: 'S1', ...article('S1-A', value) })
      await settled()
      expect(await placed(failed('S1', 'duplicateIdentifier'))).toEqual(expected)
    }

    await products.persist({ tid: 'S1', ...vals(text('caption', 'A gaudy coat', 'en_GB')) })
    await forbid('gaudy', 'Gaudy', 'en_GB')
    await settled()
    expect(await placed(failed('S1', 'forbiddenWords'))).toEqual(['S1'])
    await resourceOf(api, 'glossaryEntries').perform({ type: 'delete', tid: 'gaudy' })
    await settled()
    expect(await placed(failed('S1', 'forbiddenWords'))).toEqual([])

    await settings('shop', { check: 'length', attr: 'caption', max: 5 })
    await settled()
    expect(await placed(all(field('product', 'EQ', 'S1'), field('quality', 'EQ', 0)))).toEqual(['S1'])
    await settings('shop')
  })

  test('hides the score from those who may not see every product, attribute and language', async () => {
    await settled()
    const grants = (narrow: Record<string, object | undefined>) =>
      ['project', 'product', 'peo', 'asset'].flatMap((kind) =>
        kind in narrow && !narrow[kind] ? [] : [{ kind, actions: ['read'], ...narrow[kind] }],
      )
    const everything = await tokenWith('all-products', grants({}))
    expect(await placed(failed('Q2', 'similarName'), 'en_GB', { token: everything })).toEqual(['Q2'])
    for (const [role, narrow] of Object.entries({
      'some-products': { product: { scopes: { node: ['/Standard/Jackets'] } } },
      'some-values': { product: { visibleAttributes: { except: ['weight'] } } },
      'some-languages': { product: { visibleLocales: { only: ['en_GB'] } } },
      'some-extensions': { peo: { visibleAttributes: { except: ['caption'] } } },
      'no-pictures': { asset: undefined },
    })) {
      const token = await tokenWith(role, grants(narrow))
      expect(await placed(field('product', 'EQ', 'Q2'), 'en_GB', { token })).toEqual(['Q2'])
      expect(await placed(failed('Q2', 'similarName'), 'en_GB', { token })).toEqual([])
      expect(await placed(field('quality', 'IS_NOT_EMPTY'), 'en_GB', { token })).toEqual([])
      const { items } = await find('CHANNEL_2_PRODUCT', field('product', 'EQ', 'Q2'), { language: 'en_GB', resultAttributes: ['quality', 'qualityFaults'] }, { token }) // prettier-ignore
      expect(JSON.stringify(items)).not.toContain('similarName')
    }
  })
})
