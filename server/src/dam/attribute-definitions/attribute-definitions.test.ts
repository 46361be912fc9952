import { expect, test } from 'vitest'
import { damCalls } from '../../../test/dam.ts'
import { withServer } from '../../../test/server.ts'

const api = withServer()
const { call, persistDirs, meta } = damCalls(api)
const base = '/api/core/v1/dam'
const retrieve = (request: object) => api.post(`${base}/attribute-definitions/retrieve`, request)
const persist = (...attrDef: object[]) =>
  call('admin/attribute-definitions/persist', { attrDefs: { attrDef } }, { token: api.adminToken })
const name = { itm: [{ loc: 'en_GB', value: 'Name' }] }

test('a new installation has definitions, each with names and the types of files it is for', async () => {
  const { attrDef } = (await retrieve({ all: true, tids: ['NONE'] })).json.attrDefs
  expect(attrDef.length).toBeGreaterThan(20)
  const camera = attrDef.find(({ tid }: { tid: string }) => tid === 'CAMERA')
  expect(camera).toMatchObject({
    type: 'text',
    localized: 'false',
    name: { itm: [{ loc: 'en_GB', value: 'Camera' }, { loc: 'de_DE' }] },
  })
  expect(camera.meta.itm).toContainEqual({ key: 'assetTypes', value: 'IMG,VID' })
})

test('tids win over ids; unknown definitions are 404, an empty request is 400', async () => {
  const { attrDef } = (await retrieve({ tids: ['TITLE'], ids: [1] })).json.attrDefs
  expect(attrDef).toMatchObject([{ tid: 'TITLE', localized: 'true' }])
  expect((await retrieve({ ids: [attrDef[0].id] })).json.attrDefs.attrDef).toHaveLength(1)
  expect((await retrieve({ tids: ['NONE'] })).status).toBe(404)
  expect((await retrieve({})).status).toBe(400)
})

test('administrators add and change definitions; a user may not', async () => {
  const definition = { tid: 'GRADE', type: 'number', name, ...meta({ assetTypes: 'DIR' }) }
  const refused = await api.post(`${base}/admin/attribute-definitions/persist`, {
    schemaVersion: '5.6.0',
    attrDefs: { attrDef: [definition] },
  })
  expect(refused.status).toBe(401)
  const records = await persist(
    definition,
    { tid: 'BAD', type: 'colour', name },
    { tid: 'BAD', type: 'text', name, ...meta({ assetTypes: 'JPEG' }) },
  )
  expect(records).toMatchObject([
    { status: 'SUCCESS', action: 'create', dataType: 'attrDefinition', tid: 'GRADE' },
    { status: 'ERROR', description: expect.stringMatching(/unknown attribute type colour/) },
    { status: 'ERROR', description: expect.stringMatching(/unknown asset type JPEG/) },
  ])
  const vals = (value: string) => ({ val: [{ attr: 'GRADE', itm: [{ value }] }] })
  const [bad, good] = await persistDirs(
    { rnc: 'MAM', name: 'a', vals: vals('one') },
    { tid: 'G', rnc: 'MAM', name: 'b', vals: vals('1.50') },
  )
  expect([bad.status, good.status]).toEqual(['ERROR', 'SUCCESS'])
})

test('a definition with values is neither narrowed nor deleted', async () => {
  await persist({ tid: 'MOOD', type: 'text', name })
  await persistDirs({
    tid: 'M',
    rnc: 'MAM',
    name: 'moody',
    vals: { val: [{ attr: 'MOOD', itm: [{ value: 'blue' }] }] },
  })
  const [narrowed, widened] = await persist(
    { tid: 'MOOD', type: 'number', name },
    { tid: 'MOOD', type: 'text', name: { itm: [{ loc: 'de_DE', value: 'Laune' }] } },
  )
  expect(narrowed.description).toMatch(/the type text would become number, but 1 assets or directories have values/)
  expect(widened.status).toBe('SUCCESS')
  const remove = () =>
    call(
      'admin/attribute-definitions/perform',
      { actions: { action: [{ dataType: 'attrDefinition', type: 'delete', tid: 'MOOD' }] } },
      { token: api.adminToken },
    )
  expect((await remove())[0]).toMatchObject({
    status: 'ERROR',
    description: expect.stringMatching(/have values of MOOD/),
  })
  await persistDirs({ tid: 'M', vals: { val: [{ attr: 'MOOD' }] } })
  expect((await remove())[0].status).toBe('SUCCESS')
  expect((await retrieve({ tids: ['MOOD'] })).status).toBe(404)
})

test('definitions of assets follow the rules of all areas: tids without a slash, and tables keep columns with values', async () => {
  const columns = (...tids: string[]) => ({ references: { itm: tids.map((value) => ({ value })) } })
  const records = await persist(
    { tid: 'a/b', type: 'text', name },
    { tid: 'WIDTH', type: 'number', name },
    { tid: 'HEIGHT', type: 'number', name },
    { tid: 'SIZES', type: 'table', name, ...columns('WIDTH', 'HEIGHT') },
  )
  expect(records.map(({ status }: { status: string }) => status)).toEqual(['ERROR', 'SUCCESS', 'SUCCESS', 'SUCCESS'])
  const width = { attr: 'WIDTH', parent: 'SIZES', itm: [{ value: '3', pos: 0 }] }
  await persistDirs({ tid: 'T', rnc: 'MAM', name: 'table', vals: { val: [width] } })
  const [narrowed] = await persist({ tid: 'SIZES', type: 'table', name, ...columns('HEIGHT') })
  expect(narrowed.description).toMatch(/the table would lose WIDTH, but 1 assets or directories have values/)
})
