/** Attributes whose tids are also headings with another meaning. */
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const { run, exported } = transferCalls(api)
beforeAll(async () => {
  await createModel(api)
  await api.startWorker()
  const attrDef = ['status', 'deleted', 'name'].map((tid) => ({
    tid,
    type: 'text',
    name: { itm: [{ value: `The ${tid}`, loc: 'en_GB' }] },
    ...(tid === 'name' && { localized: 'true' }),
  }))
  const reply = await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  expect(reply.text).not.toContain('ERROR')
})
const made = (tid: string) =>
  jacket(tid, vals(simple('status', 'active'), simple('deleted', 'no'), { attr: 'name', itm: [{ value: 'Long name', loc: 'de_DE' }] })) // prettier-ignore

test.each([
  ['all columns', {}],
  ['the columns that were named', { columns: ['tid', 'name', 'name@de_DE', 'status', 'deleted'] }],
])('an export of %s imports to the same values', async (_what, body) => {
  await persist(made('R1'))
  const before = (await retrieve('R1'))[0].vals
  const file = (await exported({ format: 'csv', tids: ['R1'], ...body })).toString()
  expect(file.split('\r\n')[0]!.split(',')).toEqual(expect.arrayContaining(['name@de_DE', 'product:status', 'product:deleted'])) // prettier-ignore
  await persist({ tid: 'R1', ...vals({ attr: 'status' }, { attr: 'deleted' }, { attr: 'name' }) })
  expect(await run(file)).toMatchObject({ state: 'finished', updated: 1, refused: 0 })
  expect((await retrieve('R1'))[0].vals).toEqual(before)
})

test('a column status is refused if it could be an attribute, and passed over in a result file', async () => {
  await persist(made('R2'))
  expect((await run('tid,status\nR2,old\n')).problem).toBe(
    'column status: this heading is that of an outcome and the tid of an attribute; name the column product:status to import it, or ignore to leave it out',
  )
  expect(await run('tid,status,message\nR2,refused,why\n')).toMatchObject({ state: 'finished', unchanged: 1 })
  const columns = [{ column: 'status', attr: 'status' }]
  await api.post('/api/v1/transfers/profiles/with-status', { columns }, { method: 'PUT' })
  expect(await run('tid,status\nR2,sold\n', 'name=x.csv&profile=with-status')).toMatchObject({ updated: 1 })
})

test('a column with the name in a language is not the name of the product', async () => {
  await persist(made('R3'))
  expect(await run('tid,name@en_GB\nR3,Other\n')).toMatchObject({ updated: 1, refused: 0 })
  expect((await retrieve('R3'))[0].name).toBe('Jacket R3')
})
