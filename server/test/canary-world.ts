/**
 * The data of the canary test: objects that a narrow role may read, objects that it may not, and a secret in every place
 * where one could come to light.
 *
 * A secret is a word that occurs nowhere else: `secret('nodeName')`. Objects out of the role's scope have ids in a range of
 * their own, so that a reply with such an id is recognised too.
 */
import { randomBytes } from 'node:crypto'
import { cm, common, peo } from '@kontor/contract'
import { expect } from 'vitest'
import { sql } from '../src/adapters/postgres/sql.ts'
import { bpmn } from './bpmn.ts'
import { callsOf } from './channels.ts'
import { meta, resourceOf } from './common.ts'
import { damCalls } from './dam.ts'
import { picture, upload } from './files.ts'
import { searchCalls } from './search.ts'
import type { TestServer } from './server.ts'

const mark = `zq${randomBytes(3).toString('hex')}`
/** Every secret begins with this; requests for suggestions may send it. */
export const beginning = 'zq'
const labels = new Set<string>()
/** A word to plant. The label names its place in the report of the test. */
export function secret(label: string): string {
  labels.add(label.toLowerCase())
  return `${mark}${label}`
}
export const planted = (): readonly string[] => [...labels]

const firstOutside = 880_000_000_000
const outsideId = /\b88000000\d{4}\b/g
const secrets = new RegExp(`${mark}([a-z0-9]+)`, 'gi')

/** The labels of the secrets in a text, and the ids of objects out of scope. */
export function secretsIn(text: string): Set<string> {
  return new Set([
    ...[...text.matchAll(secrets)].map(([, label]) => label!.toLowerCase()),
    ...[...text.matchAll(outsideId)].map(([id]) => `id ${id}`),
  ])
}

/** The hidden attributes. Their tids have dots, like a locale at the end of a field of a history. */
export const hidden = {
  text: `${mark}attrTid.with.dots`,
  required: `${mark}requiredTid.with.dots`,
  column: `${mark}columnTid.dots`,
  table: `${mark}tableTid.dots`,
  file: `${mark}fileAttrTid.with.dots`,
  price: `${mark}priceTid.with.dots`,
  measure: `${mark}measureTid.with.dots`,
}
/** The hidden locale, and one that is not. */
const locales = { hidden: 'fr_FR', open: 'en_GB' }

// prettier-ignore
export const narrowGrants = [
  {
    kind: '*',
    actions: ['read', 'create', 'update', 'delete', 'link', 'checkout', 'share'],
    scopes: { node: ['/Standard/In'], dir: ['/main/In'], channel: ['/in'], keyword: ['/In'] },
    // those of the group closed are hidden by it
    visibleAttributes: { except: [hidden.column, hidden.table, hidden.file], exceptGroups: ['closed'] },
    visibleLocales: { except: [locales.hidden] },
  },
]

/** Names of all objects, in and out of scope, as requests send them. */
export interface Names {
  readonly tids: string[]
  readonly ids: number[]
  readonly paths: string[]
  readonly attributes: string[]
}

const schemaVersion = '5.6.0'
const core = '/api/core/v1'
/** A text in both locales; the one in the hidden locale is a secret. */
const texts = (open: string, label: string) => ({
  itm: [
    { value: open, loc: locales.open },
    { value: secret(label), loc: locales.hidden },
  ],
})
const both = (attr: string, open: string, label: string) => ({ attr, ...texts(open, label) })
/** A meta item in the hidden locale. */
const remark = (label: string) => ({ itm: [{ key: 'remark', value: secret(label), loc: locales.hidden }] })
const own = (attr: string, value: string, more: object = {}) => ({ attr, itm: [{ value }], ...more })

export async function createWorld(api: TestServer): Promise<void> {
  for (const label of ['attrTid', 'requiredTid', 'columnTid', 'tableTid', 'fileAttrTid', 'priceTid', 'measureTid'])
    secret(label)
  const admin = { token: api.adminToken }
  const persist = async (path: string, body: object, verb = 'persist') => {
    const reply = await api.post(`${core}/${path}/${verb}`, { schemaVersion, ...body }, admin)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.text, `${path} ${JSON.stringify(body)}`).not.toContain('"ERROR"')
    return reply.json.responses.response as { id: number; tid: string }[]
  }
  const { outside, inside } = idRanges(api)
  const plant = { api, persist, outside, inside }
  await plantModel(plant)
  await plantFiles(plant)
  await plantKeywords(plant)
  await plantChannels(plant)
  await plantProducts(plant)
  await plantWords(plant)
}

interface Plant {
  readonly api: TestServer
  readonly persist: (path: string, body: object, verb?: string) => Promise<{ id: number; tid: string }[]>
  /** Objects that are created from now on are out of scope, and have ids in the range of such objects. */
  outside(): Promise<void>
  inside(): Promise<void>
}

function idRanges({ db }: TestServer) {
  let other = firstOutside
  let isOutside = false
  const change = async (toOutside: boolean) => {
    if (isOutside === toOutside) return
    isOutside = toOutside
    const { last } = (await db.row<{ last: number }>(sql`select last_value as last from object_id_seq`))!
    await db.run(sql`select setval('object_id_seq', ${other})`)
    other = last
  }
  return { outside: () => change(true), inside: () => change(false) }
}

async function plantModel({ persist, outside, inside }: Plant): Promise<void> {
  const named = (open: string, label: string) => ({ name: texts(open, label) })
  const domainVals = (value: string, label: string) => ({
    allowNewValue: 'true',
    domainVal: [{ tid: value, itm: [{ value: label, loc: locales.open }] }],
  })
  const listed = { domainVals: { domainVal: [{ tid: 'red', ...texts('Red', 'domainLabelFr') }] } }
  await outside()
  const attrDef = [
    {
      tid: hidden.text,
      type: 'text',
      name: { itm: [{ value: secret('attrName'), loc: locales.open }] },
      tooltip: { itm: [{ value: secret('attrTooltip'), loc: locales.open }] },
      defaultVal: { tid: secret('attrDefault') },
      domainVals: domainVals(secret('attrDefault'), secret('attrDomainLabel')),
    },
    { tid: hidden.required, type: 'identifier', name: { itm: [{ value: secret('requiredName'), loc: locales.open }] } },
    { tid: hidden.price, type: 'price', name: { itm: [{ value: secret('priceName'), loc: locales.open }] }, format: { unit: [{ code: 'EUR' }] } }, // prettier-ignore
    { tid: hidden.measure, type: 'measure', name: { itm: [{ value: secret('measureName'), loc: locales.open }] }, format: { family: 'mass' } }, // prettier-ignore
    { tid: hidden.column, type: 'text', name: { itm: [{ value: secret('columnName'), loc: locales.open }] }, multiValued: { value: 'true' } }, // prettier-ignore
  ]
  await persist('pim/attribute-definitions', { attrDefs: { attrDef } })
  await inside()
  await persist('pim/attribute-definitions', {
    attrDefs: {
      attrDef: [
        { tid: 'caption', type: 'text', localized: 'true', ...named('Caption', 'captionNameFr') },
        { tid: 'note', type: 'text', ...named('Note', 'noteNameFr') },
        { tid: 'story', type: 'richtext', localized: 'true', ...named('Story', 'storyNameFr') },
        { tid: 'color', type: 'text', ...named('Colour', 'colorNameFr'), ...listed },
        { tid: 'width', type: 'text', multiValued: { value: 'true' }, ...named('Width', 'widthNameFr') },
        { tid: 'sizes', type: 'table', references: { itm: [{ value: 'width' }, { value: hidden.column }] }, ...named('Sizes', 'sizesNameFr') }, // prettier-ignore
      ],
    },
  })
  await outside()
  await persist('pim/attribute-definitions', {
    attrDefs: {
      attrDef: [
        { tid: hidden.table, type: 'table', references: { itm: [{ value: 'width' }] }, name: { itm: [{ value: secret('tableName'), loc: locales.open }] } }, // prettier-ignore
      ],
    },
  })
  await persist('pim/classes', {
    classes: {
      clazz: [{ tid: secret('classTid'), name: { itm: [{ value: secret('className'), loc: locales.open }] } }],
    },
  })
  await inside()
  const grouped = (tid: string, label: string, ...attributes: string[]) => ({ tid, ...named(tid, label), references: { itm: attributes.map((value) => ({ value })) } }) // prettier-ignore
  await persist('pim/attribute-groups', {
    attrGroups: { attrGroup: [grouped('closed', 'closedGroupFr', hidden.text, hidden.required, hidden.price, hidden.measure), grouped('open', 'openGroupFr', hidden.table, 'note', 'caption')] }, // prettier-ignore
  })
  await persist('pim/classes', { classes: { clazz: [{ tid: 'Standard', ...named('Standard', 'rootNameFr') }] } })
  await persist('pim/nodes', { nodes: { node: [{ parentPath: '/Standard', tid: 'In', ...named('In', 'nodeNameFr') }] } }) // prettier-ignore
  await outside()
  const out = { parentPath: '/Standard', tid: secret('nodeTid'), name: { itm: [{ value: secret('nodeName'), loc: locales.open }] } } // prettier-ignore
  await persist('pim/nodes', { nodes: { node: [out] } })
  await persist('pim/attributes', {
    attrs: {
      attr: [
        { nodePath: `/Standard/${secret('nodeTid')}`, key: 'note', defaultVal: { itm: [{ value: secret('nodeDefault') }] } }, // prettier-ignore
        {
          nodePath: `/Standard/${secret('nodeTid')}`,
          key: 'color',
          domainVals: domainVals('red', secret('outLabel')),
        },
        { nodePath: '/Standard', key: hidden.text },
        { nodePath: '/Standard', key: hidden.price },
        { nodePath: '/Standard', key: hidden.measure },
        { nodePath: '/Standard', key: hidden.required, restriction: 'required' },
      ],
    },
  })
  await inside()
  await persist('pim/attributes', { attrs: { attr: [{ nodePath: '/Standard/In', key: 'caption', restriction: 'required' }, { nodePath: '/Standard/In', key: 'color', level: 'pav' }, { nodePath: '/Standard', key: 'story' }] } }) // prettier-ignore
}

async function plantFiles({ api, persist, outside, inside }: Plant): Promise<void> {
  const token = api.adminToken
  const dam = damCalls(api)
  await inside()
  await persist('dam/rncs', { rncs: { rnc: [{ tid: 'main', name: 'Main' }] } })
  await dam.createPath('/main/In')
  await outside()
  await persist('dam/rncs', { rncs: { rnc: [{ tid: secret('storageTid'), name: secret('storageName') }] } })
  await dam.createPath(`/main/${secret('dirName')}`)
  await dam.createPath(`/${secret('storageTid')}/${secret('dirBelow')}`)
  await persist('dam/admin/attribute-definitions', {
    attrDefs: {
      attrDef: [
        { tid: hidden.file, type: 'text', name: { itm: [{ value: secret('fileAttrName'), loc: locales.open }] }, meta: { itm: [{ key: 'embeddedOut', value: 'xmp:Instructions' }] } }, // prettier-ignore
      ],
    },
  })
  const dir = `/main/${secret('dirName')}`
  const outsider = await upload(api, { path: `${dir}/${secret('fileName')}.txt`, tid: secret('assetTid') }, 'same bytes', { token }) // prettier-ignore
  expect(outsider.text).toContain('SUCCESS')
  await inside()
  // Everybody who may read assets learns of a deletion, by the id alone; so this id is not one of those to look for.
  await upload(api, { path: `${dir}/${secret('trashName')}.txt`, tid: secret('trashTid') }, 'trash', { token })
  await dam.performAssets({ type: 'delete', tid: secret('trashTid') })
  // An asset in scope that was out of scope, under another name and with other values.
  await upload(api, { path: `${dir}/${secret('formerFile')}.txt`, tid: 'asset-in' }, 'same bytes', { token })
  const values = (title: string) => ({
    vals: { val: [both('TITLE', title, 'assetTitleFr'), own(hidden.file, secret('assetValue'))] },
  })
  await persist('dam/assets', { assets: { asset: [{ tid: 'asset-in', ...values(secret('formerTitle')) }] } })
  await persist('dam/assets', { assets: { asset: [{ tid: 'asset-in', name: `${secret('secondFile')}.txt` }] } })
  await persist('dam/assets', { assets: { asset: [{ tid: 'asset-in', name: 'moved.txt', ...values('Title') }] } })
  await dam.performAssets({ type: 'move', tid: 'asset-in', ...dam.meta({ destinationDirPath: '/main/In' }) })
  await persist('dam/assets', {
    assets: { asset: [{ tid: 'asset-in', name: 'open.txt', meta: remark('assetMetaFr'), ...values('Open title') }] },
  })
  const version = { tid: 'asset-in', versionComment: 'second' }
  const second = await upload(api, version, 'other bytes', { token, to: '/assets/versions/bin/persist' })
  expect(second.text).toContain('SUCCESS')
  await upload(api, { path: '/main/In/gone.txt', tid: 'trash-in' }, 'gone', { token })
  await upload(api, { path: '/main/In/picture.png', tid: 'picture-in' }, await picture(9, 9, 'png'), { token })
  await api.db.run(sql`
    insert into rendition_profile (tid, settings, modified_by)
    values ('small', ${JSON.stringify({ width: 9, watermarkTid: secret('assetTid'), iccTid: secret('assetTid'), channelTid: secret('channelTid') })}, 'admin')`)
  await api.db.run(sql`
    insert into asset_usage (asset_id, channels) select id, ${['in', secret('channelTid')]}::text[] from dam_entry where tid in ('asset-in', 'picture-in')`)
  // All files look alike, inside and outside.
  await api.db.run(sql`
    insert into file_analysis (sha256, hash) select distinct sha256, repeat('01', 32)::bit(64) from dam_entry where kind = 'asset'
    on conflict (sha256) do update set hash = excluded.hash`)
  await dam.performAssets({ type: 'delete', tid: 'trash-in' })
}

async function plantKeywords({ api, persist, outside, inside }: Plant): Promise<void> {
  const keywords = resourceOf(api, 'keywords', 'json', { token: api.adminToken })
  await inside()
  await keywords.persist({ name: { itm: [{ value: 'In' }, ...texts('Inside', 'keywordNameFr').itm] } })
  await outside()
  await keywords.persist({ name: { itm: [{ value: secret('keywordPath') }, { value: secret('keywordName'), loc: locales.open }] } }) // prettier-ignore
  const kwds = { type: 'kwds', itm: [{ value: '/In' }, { value: `/${secret('keywordPath')}` }] }
  const others = [secret('assetTid'), 'asset-in'].map((tid) => ({ tid, links: { itms: [kwds] } }))
  await persist('dam/assets', { assets: { asset: others } })
}

async function plantChannels({ api, outside, inside }: Plant): Promise<void> {
  const channels = callsOf(api, cm, 'channels', 'json', { token: api.adminToken })
  const vals = (open: string, label: string) => ({ vals: { val: [both('TITLE', open, label)] } })
  await inside()
  await channels.persist({
    tid: 'in',
    type: 'Webshop',
    name: 'in',
    meta: remark('channelMetaFr'),
    ...vals('Inside', 'channelTitleFr'),
  })
  await channels.persist({ tid: 'below', type: 'Webshop', name: 'below', parentTid: 'in' })
  await outside()
  await channels.persist({ tid: secret('channelTid'), type: 'Webshop', name: secret('channelName'), ...vals(secret('channelTitle'), 'channelTitleOutFr') }) // prettier-ignore
  const briefing = (tid: string, locale: string, name: string) =>
    api.post(
      `${core}/cm/channels/briefings/persist`,
      { tid, briefingInfo: { briefingModuleCfgTid: 'page', locale }, layout: [{ name }] },
      { token: api.adminToken },
    )
  await inside()
  await briefing('in', locales.open, 'Open page')
  const requirement = { tid: 'in', locales: Object.values(locales), attributes: ['caption', hidden.text] }
  await api.post(`${core}/cm/channels/requirements/persist`, requirement, { token: api.adminToken })
  const checks = ['caption', hidden.text].map((attr) => ({ check: 'length', attr, max: 3 }))
  const quality = { tid: 'in', checks: [...checks, { check: 'identicalTexts', min: 1 }, { check: 'similarName' }] }
  await api.post(`${core}/cm/channels/quality/persist`, quality, { token: api.adminToken })
  await outside()
  await briefing('in', locales.hidden, secret('briefingFr'))
  await briefing(secret('channelTid'), locales.open, secret('briefingOut'))
}

async function plantProducts({ api, persist, outside, inside }: Plant): Promise<void> {
  const token = api.adminToken
  const out = `/Standard/${secret('nodeTid')}`
  const values = (note: string, label: string) => [
    both('caption', 'Open caption', `${label}CaptionFr`),
    both('story', '<p>Open <b>story</b></p>', `${label}StoryFr`),
    own('note', note),
    // amounts look like ids of objects out of scope, so that they are recognised
    own(hidden.price, '880000007771 EUR'),
    own(hidden.measure, '880000007772 kg'),
    own(hidden.text, '', { itm: [{ value: secret('attrValue'), key: secret('attrValue') }] }),
    own(hidden.required, secret(`${label}Required`)),
    { attr: hidden.column, parent: 'sizes', itm: [{ value: secret(`${label}Column`), pos: 0 }] },
    { attr: 'width', parent: hidden.table, itm: [{ value: secret(`${label}Table`), pos: 0 }] },
  ]
  await outside()
  const variant = [{ tid: secret('variantTid'), name: secret('variantName') }]
  const article = [{ tid: secret('articleTid'), name: secret('articleName'), variants: { variant } }]
  const outsider = { tid: secret('productTid'), name: secret('productName'), node: out, articles: { article } }
  await persist('pim/products', { products: { product: [{ ...outsider, vals: { val: values(secret('productNote'), 'out') } }] } }) // prettier-ignore
  await inside()
  // A product in scope that was out of scope, under another name and with other values.
  const former = { tid: 'product-in', name: secret('formerName'), node: out }
  await persist('pim/products', { products: { product: [{ ...former, vals: { val: values(secret('formerNote'), 'in') } }] } }) // prettier-ignore
  const later = { tid: 'product-in', name: 'Moved product', vals: { val: [own('note', 'Note')] } }
  await persist('pim/products', { products: { product: [later] } })
  await persist('pim/products', { products: { product: [{ tid: 'product-in', node: '/Standard/In' }] } })
  const now = { tid: 'product-in', name: 'Open product', vals: { val: [own('note', 'Open note')] } }
  await persist('pim/products', { products: { product: [now] } })
  // Without a value of the required attributes.
  await persist('pim/products', { products: { product: [{ tid: 'product-two', name: 'Second', node: '/Standard/In', vals: { val: [own(hidden.required, 'x'), { attr: 'caption', itm: [{ value: 'c', loc: locales.open }] }] } }] } }) // prettier-ignore
  await api.db.run(sql`
    insert into stale_text (product_id, attr, locale, source) select id, ${hidden.text}, ${locales.open}, ${locales.open} from product`)
  await api.db.run(sql`update product set vals = '{}' where tid = 'product-two'`)
  const ends = (kind: string, one: Record<string, string>, type?: string) => ({
    type: kind,
    itms: [{ itm: Object.entries(one).map(([key, value]) => ({ key, value })), ...(type !== undefined && { type }) }],
  })
  const itms = [
    ends('assetToProduct', { assetTid: secret('assetTid'), productTid: 'product-in' }),
    ends('productToProduct', { sourceProductTid: 'product-in', targetProductTid: secret('productTid') }),
    ends('productToProduct', { sourceProductTid: secret('productTid'), targetProductTid: 'product-in' }),
    ends('productToProduct', { sourceProductTid: 'product-in', targetArticleTid: secret('articleTid') }, 'Bundle'),
    ends('productToProduct', { sourceVariantTid: secret('variantTid'), targetProductTid: 'product-in' }, 'Bundle'),
    ends('productToProject', { productTid: 'product-in', projectTid: secret('channelTid') }),
    ends('productToProject', { productTid: secret('productTid'), projectTid: 'in' }),
    ends('assetToProject', { assetTid: secret('assetTid'), projectTid: 'in' }),
    ends('assetToProject', { assetTid: 'asset-in', projectTid: secret('channelTid') }),
    ends('assetToProduct', { assetTid: 'asset-in', productTid: secret('productTid') }),
  ]
  await persist('common/links', { links: { itms } })
  await persist('common/links', {
    links: {
      itms: [
        ends('assetToProduct', { assetTid: 'asset-in', productTid: 'product-in' }),
        ends('productToProject', { productTid: 'product-in', projectTid: 'in' }),
        ends('productToProject', { productTid: 'product-two', projectTid: 'in' }),
      ],
    },
  })
  await api.db.run(sql`
    insert into variation_axes (node_id, articles, variations, modified_by)
    select id, '{}', array[case path when '/Standard' then ${hidden.text} else 'color' end], 'admin'
    from node where path in ('/Standard', '/Standard/In')`)
  const peos = callsOf(api, peo, 'peos', 'json', { token })
  const extension = { templateTid: 'Default', vals: { val: [both('caption', 'Open text', 'peoCaptionFr'), own(hidden.required, secret('peoValue'))] } } // prettier-ignore
  const places = { nodes: { node: [{ tid: 'in' }, { tid: secret('channelTid') }] } }
  await peos.persist({
    tid: 'peo-in',
    productTid: 'product-in',
    name: 'Open text',
    meta: remark('peoMetaFr'),
    ...extension,
    ...places,
  })
  await outside()
  const elsewhere = { nodes: { node: [{ tid: secret('channelTid') }] } }
  await peos.persist({ tid: secret('peoTid'), productTid: 'product-in', name: secret('peoName'), ...extension, ...elsewhere }) // prettier-ignore
  await inside()
  const place = { nodes: { node: [{ tid: 'in' }] } }
  await peos.persist({ tid: 'peo-of-out', productTid: secret('productTid'), name: 'peo of another', ...extension, ...place }) // prettier-ignore
  // Its id is known from the event of its deletion, so it is not one of those outside.
  await inside()
  const gone = { tid: secret('goneTid'), name: 'Gone', node: out, vals: { val: [own(hidden.required, 'x')] } }
  await persist('pim/products', { products: { product: [gone] } })
  const action = [{ type: 'delete', dataType: 'product', tid: gone.tid }]
  await persist('pim/products', { actions: { action } }, 'perform')
}

/** Glossaries, messages, searches and workflows of others. */
async function plantWords({ api, outside, inside }: Plant): Promise<void> {
  const admin = { token: api.adminToken }
  await inside()
  const glossaries = resourceOf(api, 'glossaries', 'json', admin)
  await glossaries.persist({ tid: 'words', name: 'Words', meta: remark('glossaryMetaFr') })
  const entries = callsOf(api, common, 'glossaryEntries', 'json', admin)
  const translation = (loc: string, value: string) => ({ type: 'term', loc, itm: [{ key: 'value', value, loc }] })
  const links = { itms: [translation(locales.hidden, secret('translationFr')), translation('de_DE', 'Offen')] }
  await entries.persist({ parentTid: 'words', tid: 'word-in', type: 'term', loc: locales.open, ...meta({ value: 'Open' }), links }) // prettier-ignore
  await outside()
  await entries.persist({ parentTid: 'words', tid: secret('entryTid'), type: 'term', loc: locales.hidden, ...meta({ value: secret('entryFr') }) }) // prettier-ignore
  const message = { subject: secret('messageSubject'), body: secret('messageBody'), recipientUser: 'ada' }
  expect((await api.post(`${core}/common/messages/persist`, { messages: [message] }, admin)).text).toContain('SUCCESS')
  await searchCalls(api).call('/history', { text: secret('searchText') }, admin)
  const searchObject = { context: { searchType: 'INDEX', index: 'PRODUCT' }, query: { queryType: 'FULLTEXT', value: secret('storedQuery') } } // prettier-ignore
  const kept = await api.post('/api/v1/search/storedsearch', { name: secret('storedName'), searchObject }, admin)
  expect(kept.status, kept.text).toBe(201)
  await inside()
  const xml = bpmn('start > work:user > end')
  const deployed = await api.post('/api/v1/workflow/definitions/deploy', { xml }, admin)
  expect(deployed.status, deployed.text).toBe(200)
  const configuration = { identifier: 'review', definitionKey: deployed.json.key, parameters: [{ key: 'what', type: 'string' }], linkedTypes: ['product'] } // prettier-ignore
  const configured = await api.post('/api/v1/workflow/configurations/persist', configuration, admin)
  expect(configured.status, configured.text).toBe(200)
  await outside()
  const request = { parameters: [{ key: 'what', values: [secret('processValue')] }], linkedObjects: [{ type: 'product', tid: secret('productTid') }] } // prettier-ignore
  const started = await api.post('/api/v1/workflow/start', { configIdentifier: 'review', processStartRequests: [request] }, admin) // prettier-ignore
  expect(started.text).toContain('success')
  await inside()
}

/** The names of everything. Attributes of nodes, versions and others without a tid are named by id. */
export async function namesOf({ db }: TestServer): Promise<Names> {
  const rows = await db.rows<{ id: number; tid: string | null; path: string | null }>(sql`
    select id, tid, null as path from attr_def union all select id, tid, null from dam_attr_def where tid like 'zq%'
    union all select id, tid, '/' || tid from classification union all select id, null, path from node
    union all select id, null, null from node_attribute union all select id, tid, null from product
    union all select id, tid, '/' || tid from rnc
    union all select e.id, e.tid, coalesce(e.path, d.path || '/' || e.name) from dam_entry e left join dam_entry d on d.id = e.parent_id
    union all select id, tid, null from asset_version union all select id, null, path from keyword
    union all select id, tid, null from project union all select id, tid, null from peo
    union all select id, tid, null from glossary union all select id, tid, null from glossary_entry
    union all select id, tid, null from workflow_process union all select id, null, null from stored_search
    union all select id, null, null from workflow_definition union all select id, null, null from workflow_task`)
  const { tids, ids, paths } = {
    tids: [...new Set(rows.flatMap(({ tid }) => tid ?? []))],
    ids: rows.map(({ id }) => id),
    paths: ['/', ...new Set(rows.flatMap(({ path }) => path ?? []))],
  }
  return { tids, ids, paths, attributes: ['caption', 'note', 'color', 'sizes', 'width', 'TITLE', ...Object.values(hidden)] } // prettier-ignore
}
