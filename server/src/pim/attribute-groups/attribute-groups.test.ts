/** Groups of attributes: labels, order, members, and the rights of roles that name them. */
import { formats } from '@kontor/contract'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../adapters/postgres/sql.ts'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../../test/catalogue.ts'
import { readEvents } from '../../../test/events.ts'
import { type CallOptions, withServer } from '../../../test/server.ts'

const api = withServer()
const { persist: persistProducts } = productCalls(api)
const base = `${pim}/attribute-groups`
const admin: CallOptions = {
  get token() {
    return api.adminToken
  },
}

interface Group {
  tid?: string
  id?: number
  pos?: number
  name?: object
  references?: object
}
const english = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })
const group = (tid: string, ...attributes: string[]): Group => ({
  tid,
  name: english(tid),
  references: { itm: attributes.map((value) => ({ value })) },
})
const send = (groups: readonly Group[], options?: CallOptions) =>
  api.post(`${base}/persist`, { schemaVersion, attrGroups: { attrGroup: groups } }, options)
const persist = async (groups: readonly Group[], options?: CallOptions) => {
  const reply = await send(groups, options)
  expect(reply.status, reply.text).toBe(200)
  return reply.json.responses.response
}
const retrieve = async (request: object = {}, options?: CallOptions): Promise<Group[]> =>
  (await api.post(`${base}/retrieve`, request, options)).json.attrGroups?.attrGroup ?? []
const order = async (options?: CallOptions) =>
  (await retrieve({}, options)).map(({ tid, references }) => [
    tid,
    ...((references as { itm?: { value: string }[] })?.itm ?? []).map(({ value }) => value),
  ])
const remove = async (tid: string, options?: CallOptions) =>
  (
    await api.post(
      `${base}/perform`,
      { schemaVersion, actions: { action: [{ dataType: 'attrGroup', type: 'delete', tid }] } },
      options,
    )
  ).json.responses.response[0]
const definition = async (tid: string) =>
  (await api.post(`${pim}/attribute-definitions/retrieve`, { tids: [tid] })).json.attrDefs.attrDef[0]
const define = async (attrDef: object, options?: CallOptions) =>
  (await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef: [attrDef] } }, options))
    .json.responses.response[0]
const putRole = async (name: string, ...grants: object[]) => {
  const reply = await api.post(`/api/v1/identity/roles/${name}`, { grants }, { method: 'PUT', token: api.adminToken })
  return reply.status < 300 ? 'stored' : (reply.json.details?.errorMessage ?? reply.text)
}

beforeAll(() => createModel(api))
beforeEach(async () => {
  await api.db.run(sql`delete from role_grant where id in (select grant_id from grant_attr_group)`)
  await api.db.run(sql`update attr_def set definition = definition - 'group'`)
  await api.db.run(sql`delete from attr_group`)
})

describe('a group', () => {
  test('is created, changed and retrieved, with its attributes in their order', async () => {
    expect(await persist([group('care', 'washable', 'material'), group('size', 'width')])).toMatchObject([
      { status: 'SUCCESS', action: 'create', dataType: 'attrGroup', tid: 'care' },
      { status: 'SUCCESS', action: 'create', tid: 'size' },
    ])
    expect(await order()).toEqual([['care', 'washable', 'material'], ['size', 'width']]) // prettier-ignore
    const [care] = await persist([{ tid: 'care', pos: 5, name: { itm: [{ value: 'Pflege', loc: 'de_DE' }] } }])
    expect(care).toMatchObject({ status: 'SUCCESS', action: 'update' })
    expect(await order()).toEqual([['size', 'width'], ['care', 'washable', 'material']]) // prettier-ignore
    const [stored] = await retrieve({ ids: [care.id] })
    expect(stored).toMatchObject({
      tid: 'care',
      pos: 5,
      name: { itm: expect.arrayContaining([{ value: 'care', loc: 'en_GB' }, { value: 'Pflege', loc: 'de_DE' }]) }, // prettier-ignore
    })
  })

  test.each(['xml', 'json', 'compact'] as const)('is sent back unchanged as %s', async (format) => {
    const { mediaType, contentType } = formats[format]
    await persist([group('care', 'washable', 'width'), group('size', 'weight')])
    const before = await order()
    const { text } = await api.post(`${base}/retrieve`, { tids: ['care'] }, { accept: mediaType })
    await persist([group('care'), group('size', 'washable')])
    const { text: reply } = await api.post(`${base}/persist`, text, { type: contentType })
    expect(reply).toContain('SUCCESS')
    await persist([group('size', 'weight')])
    expect(await order()).toEqual(before)
  })

  test('takes attributes from another group, and gives up those that it no longer names', async () => {
    await persist([group('care', 'washable', 'material'), group('size', 'width')])
    await persist([group('size', 'material', 'width')])
    expect(await order()).toEqual([['care', 'washable'], ['size', 'material', 'width']]) // prettier-ignore
    await persist([{ tid: 'size', references: {} }])
    expect(await order()).toEqual([['care', 'washable'], ['size']])
    expect(await definition('material')).not.toHaveProperty('group')
  })

  test('is named by the definitions of its attributes, which can also choose it', async () => {
    await persist([group('care', 'washable')])
    expect(await definition('washable')).toMatchObject({ group: { tid: 'care', pos: 0 } })
    expect(await define({ tid: 'material', type: 'text', group: { tid: 'care' } })).toMatchObject({ status: 'SUCCESS' })
    expect(await order()).toEqual([['care', 'washable', 'material']])
    await define({ tid: 'washable', type: 'boolean', group: { tid: 'care', pos: 7 } })
    expect(await order()).toEqual([['care', 'material', 'washable']])
    await define({ tid: 'washable', type: 'boolean', name: english('Can be washed') })
    await define({ tid: 'material', type: 'text', group: {} })
    expect(await order()).toEqual([['care', 'washable']])
    expect(await define({ tid: 'material', type: 'text', group: { tid: 'none' } })).toMatchObject({
      status: 'ERROR',
      description: expect.stringContaining('no group of attributes has the tid none'),
    })
  })

  test('leaves its attributes without a group when it is deleted', async () => {
    await persist([group('care', 'washable')])
    expect(await remove('care')).toMatchObject({ status: 'SUCCESS', action: 'delete', tid: 'care' })
    expect(await order()).toEqual([])
    expect(await definition('washable')).not.toHaveProperty('group')
    expect(await remove('care')).toMatchObject({ status: 'ERROR' })
  })

  test.each<[string, Group, string]>([
    ['without a name', { tid: 'bare' }, 'name is missing'],
    ['with an unknown attribute', group('g', 'ghost'), 'no attribute definition has the tid ghost'],
    ['with an attribute twice', group('g', 'width', 'width'), 'width is named twice'],
    ['at no place', { ...group('g'), pos: -1 }, '@pos: expected 0 to 10000'],
  ])('%s is refused, and its neighbours are stored', async (_, bad, reason) => {
    const [first, second] = await persist([bad, group('fine')])
    expect(first).toMatchObject({ status: 'ERROR', description: expect.stringContaining(reason) })
    expect(second).toMatchObject({ status: 'SUCCESS' })
    expect(await order()).toEqual([['fine']])
  })

  test('is recorded in the change feed, and so are the attributes that moved', async () => {
    const { position } = await readEvents(api)
    await persist([group('care', 'washable')])
    const { events } = await readEvents<{ type: string; subject: string }>(api, `after=${position}`)
    const wanted = ['kontor.attrGroup.created care', 'kontor.attrDefinition.updated washable']
    expect(events.map(({ type, subject }) => `${type} ${subject}`)).toEqual(expect.arrayContaining(wanted))
  })
})

describe('at the same time', () => {
  test('two people reorder a group: one order holds as a whole', async () => {
    const attributes = ['material', 'sizes', 'color', 'weight', 'launch']
    await persist([group('all', ...attributes)])
    const orders = Array.from({ length: 12 }, (_, i) => [...attributes.slice(i % 5), ...attributes.slice(0, i % 5)])
    await Promise.all(orders.map((one) => persist([group('all', ...one)])))
    const [[, ...stored] = []] = await order()
    expect(orders).toContainEqual(stored)
  })

  test('with If-Match, the second change is refused', async () => {
    await persist([group('all', 'material', 'sizes')])
    const { headers } = await api.post(`${base}/retrieve`, { tids: ['all'] })
    const match = { headers: { 'if-match': String(headers.etag) } }
    expect((await send([group('all', 'sizes', 'material')], match)).status).toBe(200)
    expect((await send([group('all', 'material', 'sizes')], match)).status).toBe(412)
    expect(await order()).toEqual([['all', 'sizes', 'material']])
  })

  test('an attribute is deleted while it is grouped: the group is without it, or the call is refused', async () => {
    await define({ tid: 'brief', type: 'text', name: english('Brief') })
    const deletion = api.post(`${pim}/attribute-definitions/perform`, {
      schemaVersion,
      actions: { action: [{ dataType: 'attrDefinition', type: 'delete', tid: 'brief' }] },
    })
    const [deleted, [stored]] = await Promise.all([deletion, persist([group('g', 'brief', 'width')])])
    expect(deleted.text).toContain('SUCCESS')
    expect(await order()).toEqual(stored.status === 'SUCCESS' ? [['g', 'width']] : [])
  })
})

describe('a role that names a group', () => {
  const all = ['read', 'create', 'update', 'delete', 'link']
  beforeAll(() => persistProducts(jacket('Dry', vals(simple('material', 'wool'), simple('code', 'AB1')))))

  const visible = async (token: string) => {
    const { json } = await api.post(`${pim}/products/retrieve`, { tids: ['Dry'] }, { token })
    return json.products.product[0].vals.val.map(({ attr }: { attr: string }) => attr).sort()
  }

  test('sees the attributes that are in it at the time, and no others', async () => {
    await persist([group('open', 'material'), group('closed', 'code')])
    expect(await putRole('in-group', { kind: '*', actions: all, visibleAttributes: { onlyGroups: ['open'] } })).toBe('stored') // prettier-ignore
    expect(await putRole('out-of-group', { kind: '*', actions: all, visibleAttributes: { exceptGroups: ['closed'] } })).toBe('stored') // prettier-ignore
    const inside = await api.tokenFor({ name: 'ina', roles: ['in-group'] })
    const outside = await api.tokenFor({ name: 'otto', roles: ['out-of-group'] })
    await vi.waitFor(async () => expect(await visible(inside)).toEqual(['material']))
    expect(await visible(outside)).toEqual(['material'])
    expect(await order({ token: inside })).toEqual([['open', 'material'], ['closed']])
    await persist([group('open', 'code'), group('closed', 'material')], admin)
    await vi.waitFor(async () => expect(await visible(inside)).toEqual(['code']))
    await vi.waitFor(async () => expect(await visible(outside)).toEqual(['code']))
  })

  test('edits only the attributes of the group', async () => {
    await persist([group('open', 'material')])
    await putRole('group-editor', { kind: '*', actions: all, editableAttributes: { onlyGroups: ['open'] } })
    const token = await api.tokenFor({ name: 'edda', roles: ['group-editor'] })
    const change = async (attr: string) => {
      const product = [jacket('Dry', vals(simple(attr, attr === 'code' ? 'CD2' : 'silk')))]
      const reply = await api.post(`${pim}/products/persist`, { schemaVersion, products: { product } }, { token })
      return reply.json.responses.response[0].status
    }
    await vi.waitFor(async () => expect(await change('material')).toBe('SUCCESS'))
    expect(await change('code')).toBe('ERROR')
  })

  test('cannot be widened by those who may only edit the model', async () => {
    await persist([group('open', 'material'), group('other', 'code')])
    await putRole('in-group', { kind: '*', actions: all, visibleAttributes: { onlyGroups: ['open'] } })
    const refused = { status: 'ERROR', description: expect.stringContaining('only an administrator can move') }
    expect(await persist([group('open', 'material', 'code')])).toMatchObject([refused])
    expect(await persist([group('other', 'code', 'material')])).toMatchObject([refused])
    expect(await define({ tid: 'code', type: 'text', group: { tid: 'open' } })).toMatchObject(refused)
    expect(await define({ tid: 'fresh', type: 'text', name: english('Fresh'), group: { tid: 'open' } })).toMatchObject({ status: 'SUCCESS' }) // prettier-ignore
    expect(await persist([group('open', 'fresh', 'material')])).toMatchObject([{ status: 'SUCCESS' }])
    expect(await persist([group('open', 'material', 'fresh', 'code')], admin)).toMatchObject([{ status: 'SUCCESS' }])
  })

  test('keeps the group from being deleted, also by an administrator', async () => {
    await persist([group('open', 'material')])
    await putRole('in-group', { kind: '*', actions: all, visibleAttributes: { exceptGroups: ['open'] } })
    const refused = { status: 'ERROR', description: expect.stringContaining('remove it from these roles first') }
    expect(await remove('open', admin)).toMatchObject(refused)
    await putRole('in-group', { kind: '*', actions: all })
    expect(await remove('open', admin)).toMatchObject({ status: 'SUCCESS' })
  })

  test('is refused if the group does not exist', async () => {
    const grant = { kind: '*', actions: ['read'], visibleAttributes: { onlyGroups: ['ghost'] } }
    expect(await putRole('haunted', grant)).toContain('no group of attributes has the tid ghost')
  })

  test('is stored or the group is deleted, but a role never names a group that is gone', async () => {
    const grant = { kind: '*', actions: ['read'], visibleAttributes: { exceptGroups: ['brief'] } }
    for (let i = 0; i < 5; i++) {
      await persist([group('brief', 'width')])
      const [stored, deleted] = await Promise.all([putRole('racer', grant), remove('brief', admin)])
      expect([stored === 'stored', deleted.status === 'SUCCESS'].filter(Boolean)).toHaveLength(1)
      await putRole('racer', { kind: '*', actions: ['read'] })
      await remove('brief', admin)
    }
  })

  test('reorders what it sees: hidden attributes stay in the group', async () => {
    await persist([group('mixed', 'material', 'code', 'width')])
    await putRole('seller', { kind: '*', actions: all, visibleAttributes: { except: ['code'] } })
    const token = await api.tokenFor({ name: 'sol', roles: ['seller'] })
    await vi.waitFor(async () => expect(await order({ token })).toEqual([['mixed', 'material', 'width']]))
    expect(await persist([group('mixed', 'width', 'material')], { token })).toMatchObject([{ status: 'SUCCESS' }])
    expect(await order()).toEqual([['mixed', 'width', 'material', 'code']])
    expect(await persist([group('mixed', 'code')], { token })).toMatchObject([
      { status: 'ERROR', description: expect.stringContaining('no attribute definition has the tid code') },
    ])
  })
})
