import { cm, decode, encode, formats, peo, PeoRequest, Pim } from '@kontor/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { addProducts, callsOf, text, values } from '../../../test/channels.ts'
import {
  changesBy,
  codes,
  type Envelope,
  formatNames,
  meta,
  outcomes,
  statementsOf,
  statuses,
} from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const base = `${peo.base}/peos`
const peos = callsOf(api, peo, 'peos')
const links = callsOf(api, peo, 'peos/links')
const channels = callsOf(api, cm, 'channels')
const asAdmin = () => callsOf(api, peo, 'admin/templates', 'json', { token: api.adminToken })

const extension = (tid: string, more: object = {}) => ({
  tid,
  productTid: 'P',
  templateTid: 'Default',
  name: tid,
  ...more,
})
const one = async (tid: string, more: object = {}) => (await peos.retrieve({ tids: [tid], ...more })).peos!.peo![0]!
const status = async (verb: string, request: object) => (await api.post(`${base}/${verb}`, request)).status
const link = (peoTid: string, projectTid: string) => ({
  type: 'peoToProject',
  itms: [{ itm: [{ key: 'peoTid', value: peoTid }, { key: 'projectTid', value: projectTid }] }], // prettier-ignore
})

beforeAll(async () => {
  const definition = (tid: string, localized: boolean) => ({
    tid,
    type: 'text',
    localized: String(localized),
    name: { itm: [{ value: tid, loc: 'en_GB' }] },
  })
  const attrDefs = { attrDef: [definition('LABEL', true), definition('PRICE', false), definition('COST', false)] }
  const reply = await api.post(
    '/api/core/v1/pim/attribute-definitions/persist',
    { schemaVersion: '5.6.0', attrDefs },
    { token: api.adminToken },
  )
  expect(statuses(reply.json.responses.response)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  await addProducts(api, { P: { LABEL: { en_GB: 'Boat', de_DE: 'Boot' }, PRICE: '10', COST: '5' }, Q: {} })
  await channels.persist(
    { tid: 'shop', type: 'Webshop', name: 'shop' },
    { tid: 'sale', type: 'Webshop', name: 'sale', parentTid: 'shop' },
    { tid: 'book', type: 'Catalogue', name: 'book' },
    { tid: 'mass', type: 'Catalogue', name: 'mass' },
  )
})

describe('persist', () => {
  test('creates an object for a product and a template, by tid or by id', async () => {
    const [template] = (await api.get(`${peo.base}/templates`)).json.templates.template
    expect(template).toMatchObject({ tid: 'Default', name: 'Default', id: expect.any(Number) })
    const [product] = await api.db.rows<{ id: number }>(sql`select id from product where tid = 'P'`)
    const records = await peos.persist(
      extension('a'),
      { productTid: 'P', templateId: template.id, name: 'Spring price' },
      { productId: product!.id, templateId: template.id, name: 'by id', tid: 'by-id' },
    )
    expect(records).toMatchObject([
      { status: 'SUCCESS', action: 'create', dataType: 'peo', id: expect.any(Number), tid: 'a' },
      { status: 'SUCCESS', id: expect.any(Number), tid: expect.any(String) },
      { status: 'SUCCESS', tid: 'by-id' },
    ])
    expect(await one('by-id')).toMatchObject({ productTid: 'P', product: 'P', template: 'Default', default: 'false' })
  })

  test('refuses items with missing or unknown references one by one', async () => {
    const records = await peos.persist(
      { templateTid: 'Default', name: 'x' },
      { productTid: 'P', name: 'x' },
      extension('no-name', { name: undefined }),
      extension('no-product', { productTid: 'nobody' }),
      extension('no-template', { templateTid: 'nobody' }),
      extension('no-channel', { nodes: { node: [{ tid: 'nobody' }] } }),
      extension('bad-default', { default: 'perhaps' }),
      { id: 99999999, name: 'x' },
      extension('sound'),
    )
    expect(outcomes(records)).toEqual([
      'productTid is missing; an object extends a product',
      'templateId is missing; send it or templateTid',
      'name is missing',
      'no product has the tid nobody',
      'no template has the tid nobody',
      'no project has the tid nobody',
      'default: perhaps is not true or false',
      'no peo has the id 99999999',
      'SUCCESS',
    ])
    expect(await status('retrieve', { tids: ['no-channel'] })).toBe(404)
  })

  test('changes what is sent, links to channels by tid and by id, and keeps the product', async () => {
    const { id } = (await channels.retrieve({ tids: ['book'] })).projects!.project![0]!
    await peos.persist(extension('b', { nodes: { node: [{ tid: 'shop' }, { id }] }, default: 'true' }))
    await peos.persist({ tid: 'b', name: 'B' })
    expect(await one('b')).toMatchObject({ name: 'B', default: 'true' })
    expect((await one('b')).nodes!.node!.map(({ tid }) => tid)).toEqual(['shop', 'book'])
    expect(outcomes(await peos.persist({ tid: 'b', productTid: 'Q' }))).toEqual([
      'the object extends P; create another object for another product',
    ])
  })

  test('stores values of the attributes of the product, and only those sent', async () => {
    await peos.persist(extension('v', values(text('LABEL', 'Yacht', 'en_GB'), text('PRICE', '9'))))
    await peos.persist({ tid: 'v', ...values({ attr: 'PRICE' }) })
    expect((await one('v')).vals!.val).toEqual([
      { attr: 'LABEL', type: 'localized', itm: [{ value: 'Yacht', loc: 'en_GB' }] },
    ])
    expect(outcomes(await peos.persist({ tid: 'v', ...values(text('NONE', '1')) }))).toEqual([
      'attribute NONE: has no definition; only attributes that are defined can be stored',
    ])
  })

  test('a message sent back as retrieved changes nothing; a change is recorded', async () => {
    const shown = await one('v', { withMetadata: true })
    expect((await changesBy(api, () => peos.persist(shown))).history).toEqual([])
    const { history, outbox } = await changesBy(api, () => peos.persist({ tid: 'v', name: 'V' }))
    expect(history).toMatchObject([{ dataType: 'peo', action: 'update', changes: { name: { from: 'v', to: 'V' } } }])
    expect(outbox).toMatchObject([{ dataType: 'peo', event: 'UPDATE' }])
  })

  test('costs the same number of statements for one object and for a thousand', async () => {
    const batch = (count: number, name: string) =>
      Array.from({ length: count }, (_, i) =>
        extension(`${name}-${i}`, { nodes: { node: [{ tid: 'mass' }] }, ...values(text('PRICE', '1')) }),
      )
    const few = await statementsOf(api, () => peos.persist(...batch(2, 'few')))
    expect(await statementsOf(api, () => peos.persist(...batch(1000, 'many')))).toBe(few)
  })
})

describe('query', () => {
  const tids = async (request: object) => (await peos.query(request)).tids
  beforeAll(async () => {
    await peos.persist(
      extension('q1', { nodes: { node: [{ tid: 'shop' }] }, name: 'Quay' }),
      extension('q2', { nodes: { node: [{ tid: 'sale' }] }, name: 'Quarter', productTid: 'Q' }),
      extension('q3', { name: 'Quay' }),
    )
  })

  test('criteria are combined with AND', async () => {
    expect(await tids({ names: ['Quay', 'Quarter'] })).toEqual(['q1', 'q2', 'q3'])
    expect(await tids({ names: ['Quay'] })).toEqual(['q1', 'q3'])
    expect(await tids({ tidProduct: 'Q' })).toEqual(['q2'])
    expect(await tids({ tidProject: 'shop', names: ['Quay', 'Quarter'] })).toEqual(['q1', 'q2'])
    expect(await tids({ tidProject: 'shop', withChildren: true, names: ['Quarter'] })).toEqual(['q2'])
    expect(await tids({ tidProject: 'shop', withChildren: false, names: ['Quay', 'Quarter'] })).toEqual(['q1'])
    expect(await tids({ tidProject: 'sale', names: ['Quay', 'Quarter'] })).toEqual(['q2'])
    expect((await tids({}))!.length).toBeGreaterThan(1000)
  })

  test('modified from and until are in UTC and include their millisecond', async () => {
    const items = (await one('q1', { withMetadata: true })).meta!.itm!
    const at = items.find(({ key }) => key === 'modificationDate')!.value!.replace('Z', '')
    expect(await tids({ modifiedFrom: at, modifiedUntil: at, names: ['Quay'] })).toContain('q1')
    const names = ['Quay']
    expect(await status('query', { modifiedFrom: '2999-01-01T00:00:00.000', names })).toBe(404)
    expect(await status('query', { modifiedUntil: '2001-01-01', names })).toBe(404)
    expect(await status('query', { modifiedFrom: 'yesterday' })).toBe(400)
    expect(await status('query', { modifiedFrom: '2024-13-01' })).toBe(400)
    expect(await status('query', { modifiedFrom: '0000-01-01' })).toBe(400)
    expect(await status('query', { modifiedFrom: 'T'.repeat(1_000_000) })).toBe(400)
    expect(await status('query', { modifiedFrom: '2999-01-01T00:00+02:00', names })).toBe(404)
  })

  test('considerLinkRelation includes products linked to the channel', async () => {
    const itm = [{ key: 'productTid', value: 'Q' }, { key: 'projectTid', value: 'book' }] // prettier-ignore
    await api.post('/api/core/v1/common/links/persist', {
      schemaVersion: '5.6.0',
      links: { itms: [{ type: 'productToProject', itms: [{ itm }] }] },
    })
    expect(await status('query', { tidProject: 'book', names: ['Quarter'] })).toBe(404)
    expect(await tids({ tidProject: 'book', names: ['Quarter'], considerLinkRelation: true })).toEqual(['q2'])
  })

  test('an empty result is 404 for each criterion', async () => {
    for (const request of [{ names: ['nobody'] }, { tidProject: 'nobody' }, { tidProduct: 'nobody' }]) {
      const reply = await api.post(`${base}/query`, request)
      expect(reply.status).toBe(404)
      expect(reply.text).toContain('1002')
    }
  })
})

describe('retrieve', () => {
  test('ids are ignored when tids are sent; order is kept, unknown ones are left out', async () => {
    const { id } = await one('a')
    const asked = async (request: object) => (await peos.retrieve(request)).peos!.peo!.map(({ tid }) => tid)
    expect(await asked({ tids: ['b', 'nobody', 'a'], ids: [id] })).toEqual(['b', 'a'])
    expect(await asked({ ids: [id] })).toEqual(['a'])
    expect(await status('retrieve', {})).toBe(400)
    expect(await status('retrieve', { tids: ['nobody'], ids: [id] })).toBe(404)
    expect(await status('retrieve', { ids: [99999999] })).toBe(404)
  })

  test('returns only names, or also metadata, on request', async () => {
    expect(await one('b', { namesOnly: true })).toEqual({ tid: 'b', name: 'B', id: expect.any(Number) })
    expect(await one('b')).not.toHaveProperty('meta')
    expect((await one('b', { withMetadata: true })).meta!.itm!.map(({ key }) => key)).toEqual([
      'creationDate',
      'creationUser',
      'modificationDate',
      'modificationUser',
    ])
  })

  test('costs the same number of statements for one object and for a thousand', async () => {
    const tids = Array.from({ length: 1000 }, (_, i) => `many-${i}`)
    const few = await statementsOf(api, () => peos.retrieve({ tids: ['many-0'], withMetadata: true }))
    expect(await statementsOf(api, () => peos.retrieve({ tids, withMetadata: true }))).toBe(few)
  })

  test('the deprecated listing still works and is marked as deprecated', async () => {
    const reply = await api.post(base, { tids: ['a', 'b'] })
    expect(reply.json.peos.peo).toEqual([
      { name: 'a', id: expect.any(Number), tid: 'a' },
      { name: 'B', id: expect.any(Number), tid: 'b' },
    ])
    expect(reply.headers).toMatchObject({ deprecation: '@1704067200', sunset: 'Fri, 31 Dec 2027 00:00:00 GMT' })
    expect((await api.post(base)).json.peos.peo.length).toBeGreaterThan(1000)
    expect((await api.post(base, { tids: ['nobody'] })).status).toBe(404)
  })
})

describe('perform', () => {
  test('copies with values and channels under a new name', async () => {
    await peos.persist(extension('c', { nodes: { node: [{ tid: 'shop' }] }, ...values(text('PRICE', '7')) }))
    const { id } = await one('c')
    const records = await peos.perform(
      { type: 'copy', tid: 'c', ...meta({ name: 'Copy', newPeoTid: 'c-copy' }) },
      { type: 'copy', id, ...meta({ newPeoName: 'Other' }) },
      { type: 'copy', tid: 'c' },
      { type: 'copy', tid: 'nobody', ...meta({ name: 'x' }) },
      { type: 'copy', tid: 'c', ...meta({ name: 'x', newPeoTid: 'c-copy' }) },
    )
    expect(records[0]).toMatchObject({ status: 'SUCCESS', action: 'copy', dataType: 'peo', tid: 'c-copy' })
    expect(outcomes(records).slice(1)).toEqual([
      'SUCCESS',
      'meta name is missing',
      'no peo has the tid nobody',
      'a peo with the tid c-copy exists already',
    ])
    expect(await one('c-copy')).toMatchObject({
      name: 'Copy',
      vals: { val: [{ attr: 'PRICE' }] },
      nodes: { node: [{ tid: 'shop' }] },
    })
  })

  test('deletes by tid or id, with the links, once', async () => {
    await peos.persist(extension('d', { nodes: { node: [{ tid: 'shop' }] } }), extension('e'))
    const { id } = await one('e')
    const records = await peos.perform(
      { type: 'delete', tid: 'd' },
      { type: 'delete', id },
      { type: 'delete', tid: 'd' },
      { type: 'delete' },
      { type: 'delete', tid: 'd', dataType: 'product' },
      { type: 'archive', tid: 'd' },
    )
    expect(codes(records)).toEqual([undefined, undefined, '1002', '1001', '1001', '1001'])
    const announced = await api.db.rows(sql`select from outbox where object_id = ${records[0].id} and event = 'DELETE'`)
    expect(announced).toHaveLength(1)
    expect(await status('retrieve', { tids: ['d', 'e'] })).toBe(404)
    expect(await api.db.rows(sql`select from link where from_id = ${records[0].id}`)).toEqual([])
  })
})

test('an extended product is deleted only with force, together with its objects', async () => {
  await addProducts(api, { doomed: {} })
  await peos.persist(extension('of-doomed', { productTid: 'doomed', nodes: { node: [{ tid: 'shop' }] } }))
  const remove = async (more: object = {}) => {
    const action = [{ type: 'delete', dataType: 'product', tid: 'doomed', ...more }]
    const reply = await api.post('/api/core/v1/pim/products/perform', { schemaVersion: '5.6.0', actions: { action } })
    return outcomes(reply.json.responses.response)
  }
  expect(await remove()).toEqual([
    'the product doomed is in use by peo of-doomed (extends); end this first or send meta force=true',
  ])
  const { id } = await one('of-doomed')
  const { history, outbox } = await changesBy(api, async () => {
    expect(await remove(meta({ force: 'true' }))).toEqual(['SUCCESS'])
  })
  expect(history).toContainEqual(expect.objectContaining({ id, dataType: 'peo', action: 'delete' }))
  expect(outbox).toContainEqual({ id, dataType: 'peo', event: 'DELETE' })
  expect(await status('retrieve', { tids: ['of-doomed'] })).toBe(404)
})

describe('links to channels', () => {
  test('are created by tids or by ids and returned from both ends', async () => {
    await peos.persist(extension('l'))
    const [record] = await links.persist(link('l', 'shop'))
    expect(record).toMatchObject({ status: 'SUCCESS', action: 'create', dataType: 'link' })
    const { id } = await one('l')
    const channel = (await channels.retrieve({ tids: ['book'] })).projects!.project![0]!
    const byIds = { itm: [{ key: 'peoId', value: String(id) }, { key: 'projectId', value: String(channel.id) }] } // prettier-ignore
    expect(statuses(await links.persist({ type: 'peoToProject', itms: [byIds] }))).toEqual(['SUCCESS'])
    expect((await one('l')).nodes!.node!.map(({ tid }) => tid)).toEqual(['shop', 'book'])
    const shown = (await channels.retrieve({ tids: ['shop'] })).projects!.project![0]!
    expect(shown.peos!.peo).toContainEqual(expect.objectContaining({ tid: 'l', product: 'P', template: 'Default' }))
  })

  test('are refused if the ends mix tids and ids, are unknown, or are of another kind', async () => {
    const { id } = await one('l')
    const mixed = { itm: [{ key: 'peoId', value: String(id) }, { key: 'projectTid', value: 'shop' }] } // prettier-ignore
    const records = await links.persist(
      { type: 'peoToProject', itms: [mixed] },
      { ...link('l', 'shop'), type: 'productToProject' },
      link('nobody', 'shop'),
      link('l', 'nobody'),
    )
    expect(codes(records)).toEqual(['1001', '1001', '1002', '1002'])
  })

  test('are removed by tids or by ids; the record names the object', async () => {
    const dataType = 'peoToProjectLink'
    const channel = (await channels.retrieve({ tids: ['book'] })).projects!.project![0]!
    const { id } = await one('l')
    const records = await links.perform(
      { type: 'unlink', dataType, ...meta({ peoTid: 'l', projectTid: 'shop' }) },
      { type: 'unlink', dataType, ...meta({ peoId: String(id), projectId: String(channel.id) }) },
      { type: 'unlink', dataType, ...meta({ peoTid: 'l', projectId: '1' }) },
    )
    const again = await links.perform({ type: 'unlink', dataType, ...meta({ peoTid: 'l', projectTid: 'shop' }) })
    expect(codes(again)).toEqual(['1002'])
    expect(records[0]).toMatchObject({ status: 'SUCCESS', action: 'unlink', dataType: 'peo', tid: 'l' })
    expect(codes(records)).toEqual([undefined, undefined, '1001'])
    expect(await one('l')).not.toHaveProperty('nodes')
  })
})

describe('templates and effective values', () => {
  const valuesOf = async (tid: string) => {
    const reply = await callsOf(api, peo, 'peos/values').retrieve({ tids: [tid] })
    return Object.fromEntries((reply.peos!.peo![0]!.vals?.val ?? []).map(({ attr, ...val }) => [attr!, val]))
  }

  test('the object overrides the product locale by locale, and every value has its origin', async () => {
    await peos.persist(extension('w', values(text('LABEL', 'Jolle', 'de_DE'))))
    expect(await valuesOf('w')).toMatchObject({
      LABEL: {
        itm: [
          { value: 'Jolle', loc: 'de_DE' },
          { value: 'Boat', loc: 'en_GB' },
        ],
        origin: 'peo',
        inheritance: 'overridden',
      },
      PRICE: { itm: [{ value: '10' }], origin: 'product', inheritance: 'inherited' },
    })
  })

  test('a template defines the attributes and their behaviour', async () => {
    const behaviours = {
      'attribute.LABEL': 'inherited',
      'attribute.PRICE': 'overridden,required',
      'attribute.COST': 'hidden',
    }
    const [made] = await asAdmin().persist({ tid: 'Print', name: 'Print', ...meta(behaviours) })
    expect(made).toMatchObject({ status: 'SUCCESS', action: 'create', dataType: 'template', tid: 'Print' })
    const records = await peos.persist(
      extension('x', { templateTid: 'Print', ...values(text('PRICE', '8')) }),
      { tid: 'x', ...values(text('LABEL', 'Jolle', 'de_DE')) },
      { tid: 'x', ...values(text('COST', '1')) },
    )
    expect(outcomes(records)).toEqual([
      'SUCCESS',
      'attribute LABEL: is inherited by the template Print',
      'attribute COST: is hidden by the template Print',
    ])
    expect(await valuesOf('x')).toMatchObject({
      LABEL: { origin: 'product', inheritance: 'inherited' },
      PRICE: { itm: [{ value: '8' }], origin: 'peo', inheritance: 'overridden' },
    })
    expect(await valuesOf('x')).not.toHaveProperty('COST')
    const listed = (await api.get(`${peo.base}/templates`)).json.templates.template
    expect(listed[1]).toMatchObject({ tid: 'Print', meta: { itm: expect.arrayContaining([{ key: 'attribute.COST', value: 'hidden' }]) } }) // prettier-ignore
  })

  test('an unknown behaviour is refused, and only administrators change templates', async () => {
    const [record] = await asAdmin().persist({ tid: 'Print', ...meta({ 'attribute.PRICE': 'secret' }) })
    expect(record.description).toBe(
      'meta attribute.PRICE: unknown behaviour secret; expected inherited, overridden, hidden, required',
    )
    await expect(callsOf(api, peo, 'admin/templates').persist({ tid: 'Mine', name: 'x' })).rejects.toThrow()
  })
})

test('a channel returns the objects of articles and variations below the object of their product', async () => {
  const [article] = await api.db.writeRows<{ id: number }>(sql`
    insert into product (level, tid, root_id, parent_id, name, created_by, modified_by)
    select 1, 'P-1', id, id, 'P-1', 'kim', 'kim' from product where tid = 'P' returning id`)
  await channels.persist({ tid: 'tree', type: 'Catalogue', name: 'tree' })
  const nodes = { node: [{ tid: 'tree' }] }
  await peos.persist(
    extension('part', { productTid: undefined, productId: article!.id, nodes }),
    extension('whole', { nodes }),
    extension('other', { productTid: 'Q', nodes }),
  )
  const shown = async (more: object) => (await channels.retrieve({ tids: ['tree'], ...more })).projects!.project![0]!
  expect((await shown({})).peos!.peo!.map(({ tid }) => tid)).toEqual(['part', 'whole', 'other'])
  expect(await shown({})).not.toHaveProperty('peoHierarchy')
  const { peoHierarchy } = await shown({ includePeoHierarchy: true })
  expect(peoHierarchy!.peo!.map(({ tid, peos }) => [tid, peos?.peo?.map((one) => one.tid)])).toEqual([
    ['whole', ['part']],
    ['other', undefined],
  ])
  const count = (tid: string) => statementsOf(api, () => channels.retrieve({ tids: [tid], includePeoHierarchy: true }))
  expect(await count('mass'), 'of a thousand objects').toBe(await count('tree'))
})

test('the second removal of a link in one message fails', async () => {
  await peos.persist(extension('twice', { nodes: { node: [{ tid: 'sale' }] } }))
  const meta = { itm: [{ key: 'peoTid', value: 'twice' }, { key: 'projectTid', value: 'sale' }] } // prettier-ignore
  const action = { dataType: 'peoToProjectLink', type: 'unlink', meta }
  const records = await callsOf(api, peo, 'peos/links').perform(action, action)
  expect(outcomes(records)).toEqual(['SUCCESS', 'no such link exists'])
})

test('a caller with access to some channels sees only the objects in them', async () => {
  await peos.persist(extension('seen', { nodes: { node: [{ tid: 'sale' }] } }), extension('unseen'))
  const grants = [{ kind: '*', actions: ['read'], scopes: { channel: ['/shop'] } }]
  await api.post('/api/v1/identity/roles/seller', { grants }, { method: 'PUT', token: api.adminToken })
  const seller = callsOf(api, peo, 'peos', 'json', { token: await api.tokenFor({ roles: ['seller'] }) })
  const { peos: seen } = await seller.retrieve({ tids: ['seen', 'unseen'] })
  expect(seen!.peo!.map(({ tid }) => tid)).toEqual(['seen'])
  expect((await seller.query({ names: ['seen', 'unseen'] })).tids).toEqual(['seen'])
})

test('attributes and locales hidden from a role are not returned and cannot be changed', async () => {
  await peos.persist(extension('rights', values(text('PRICE', '1'), text('LABEL', 'Yacht', 'en_GB'))))
  const narrow = { visibleAttributes: { except: ['COST', 'PRICE'] }, visibleLocales: { only: ['en_GB'] } }
  const grants = [{ kind: '*', actions: ['read', 'update'], ...narrow }]
  await api.post('/api/v1/identity/roles/writer', { grants }, { method: 'PUT', token: api.adminToken })
  const options = { token: await api.tokenFor({ roles: ['writer'] }) }
  const writer = callsOf(api, peo, 'peos', 'json', options)
  const label = { attr: 'LABEL', type: 'localized', itm: [{ value: 'Yacht', loc: 'en_GB' }] }
  expect((await writer.retrieve({ tids: ['rights'] })).peos!.peo![0]!.vals!.val).toEqual([label])
  const effective = await callsOf(api, peo, 'peos/values', 'json', options).retrieve({ tids: ['rights'] })
  expect(effective.peos!.peo![0]!.vals!.val).toMatchObject([label])
  const records = await writer.persist(
    { tid: 'rights', ...values(text('PRICE', '2')) },
    { tid: 'rights', ...values(text('LABEL', 'Jolle', 'de_DE')) },
    { tid: 'rights', ...values(text('LABEL', 'Ship', 'en_GB')) },
  )
  expect(statuses(records)).toEqual(['ERROR', 'ERROR', 'SUCCESS'])
})

test.each(formatNames)('%s is accepted and returned', async (format) => {
  const calls = callsOf(api, peo, 'peos', format)
  const tid = `in-${format}`
  const [record] = await calls.persist(extension(tid, { nodes: { node: [{ tid: 'shop' }] } }))
  expect(record).toMatchObject({ status: 'SUCCESS', dataType: 'peo', tid })
  expect((await calls.query({ names: [tid] })).tids).toEqual([tid])
  const { peos: shown } = await calls.retrieve({ tids: [tid], withMetadata: true })
  expect(shown!.peo![0]).toMatchObject({ name: tid, productTid: 'P', nodes: { node: [{ tid: 'shop' }] } })
  expect(statuses(await callsOf(api, peo, 'peos/links', format).persist(link(tid, 'book')))).toEqual(['SUCCESS'])
  expect((await calls.perform({ type: 'delete', tid }))[0]).toMatchObject({ status: 'SUCCESS', action: 'delete' })
})

test.each(formatNames)('templates and the deprecated listing are returned in %s', async (format) => {
  const { mediaType: accept, contentType } = formats[format]
  const listed = await api.get(`${peo.base}/templates`, { accept })
  expect(listed.headers['content-type']).toBe(contentType)
  const { templates } = decode(formats[format], Pim, Buffer.from(listed.text)) as Envelope
  expect(templates!.template![0]).toMatchObject({ tid: 'Default', name: 'Default', id: expect.any(Number) })
  const old = await api.post(base, encode(formats[format], PeoRequest, { tids: ['a'] }), { type: contentType, accept })
  expect(decode(formats[format], Pim, Buffer.from(old.text))).toMatchObject({ peos: { peo: [{ tid: 'a' }] } })
  const { peos: shown } = await callsOf(api, peo, 'peos/values', format).retrieve({ tids: ['w'] })
  expect(shown!.peo![0]!.vals!.val).toContainEqual(
    expect.objectContaining({ attr: 'PRICE', origin: 'product', inheritance: 'inherited' }),
  )
})

test('a caller who may read channels but not objects sees none in them', async () => {
  const grants = [{ kind: 'project', actions: ['read'] }]
  await api.post('/api/v1/identity/roles/viewer', { grants }, { method: 'PUT', token: api.adminToken })
  const viewer = callsOf(api, cm, 'channels', 'json', { token: await api.tokenFor({ roles: ['viewer'] }) })
  const [shown] = (await viewer.retrieve({ tids: ['mass'], includePeoHierarchy: true })).projects!.project!
  expect(shown).not.toHaveProperty('peos')
  expect(shown).not.toHaveProperty('peoHierarchy')
})

test('a bulk run of objects is processed in the background and queried by its id', async () => {
  const body = { schemaVersion: '5.6.0', peos: { peo: [extension('bulk-1'), extension('bulk-2')] } }
  const started = await api.post(`${base}/bulk`, body)
  expect(started.status, started.text).toBe(200)
  const run = await api.get(`${base}/bulk/${started.text}`)
  expect(run.json.meta.itm).toContainEqual({ key: 'total', value: '2' })
  expect((await api.get(`${base}/bulk/00000000-0000-4000-8000-000000000000`)).status).toBe(404)
})
