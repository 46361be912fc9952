/** Terms of glossaries in translations that are written: enforced as warnings or refusals. */
import { common } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, vals } from '../../../test/catalogue.ts'
import { text } from '../../../test/channels.ts'
import { meta, resourceOf } from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const products = productCalls(api)
const both = (english: string, german: string) =>
  vals({ attr: 'caption', itm: [{ value: english, loc: 'en_GB' }, { value: german, loc: 'de_DE' }] }) // prettier-ignore
const translate = async (tid: string, english: string, german: string) =>
  (await products.persist({ tid, ...both(english, german) }))[0]!
const write = async (tid: string, value: string, loc = 'en_GB') =>
  (await products.persist({ tid, ...vals(text('caption', value, loc)) }))[0]!
const detailsOf = ({ details }: { details: { itm: { key: string; value: string }[] } }) =>
  Object.fromEntries(details.itm.map(({ key, value }) => [key, value]))
const enforce = async (enforcement: string) => {
  const [record] = await resourceOf(api, 'glossaries').persist({
    tid: 'style',
    name: 'Style',
    ...meta({ enforcement }),
  })
  expect(record.status, record.description).toBe('SUCCESS')
}
const define = async (tid: string, value: string, translations: Record<string, string>) => {
  const itms = Object.entries(translations).map(([loc, one]) => ({ loc, itm: [{ key: 'value', value: one }] }))
  const itm = [{ key: 'value', value, loc: 'en_GB' }]
  const [record] = await resourceOf(api, 'glossaryEntries').persist({ tid, parentTid: 'style', loc: 'en_GB', type: 'term', meta: { itm }, links: { itms } }) // prettier-ignore
  expect(record.status, record.description).toBe('SUCCESS')
}
const tokenWith = async (role: string, grants: object[]) => {
  const reply = await api.post(`/api/v1/identity/roles/${role}`, { grants }, { method: 'PUT', token: api.adminToken })
  expect(reply.status, reply.text).toBe(200)
  return api.tokenFor({ name: role, roles: [role] })
}

beforeAll(async () => {
  await createModel(api)
  await enforce('off')
  await products.persist(jacket('T1'), jacket('T2'))
  await define('sailboat', 'sailing boat', { de_DE: 'Segelboot', fr_FR: 'voilier' })
  await define('sailboat2', 'Sailing Boat', { de_DE: 'Segelyacht' })
  await define('buoy', 'red buoy', { de_DE: 'rote Boje' })
})

test('do nothing while their glossary does not enforce them', async () => {
  expect(Object.keys(detailsOf(await translate('T1', 'A sailing boat', 'Ein Kahn'))).join()).not.toContain('warning')
})

test('must be in translations that are written: one of the translations, with endings', async () => {
  await enforce('refuse')
  const refused = await translate('T2', 'Our sailing-boat and a red buoy', 'Unser Kahn und eine Boje')
  expect([refused.status, refused.description]).toEqual(['ERROR', expect.stringContaining('does not contain Segelboot / Segelyacht in de_DE, which the glossary has for sailing boat; use it')]) // prettier-ignore
  expect(refused.description).toContain('does not contain rote Boje in de_DE')
  expect(detailsOf(refused)).toMatchObject({ 'reason.caption': 'missingTerm' })
  for (const german of ['Segelboote mit roten Bojen', 'rote Boje an der Segelyacht'])
    expect((await translate('T2', 'Our sailing-boat and a red buoy', german)).status).toBe('SUCCESS')
  expect((await write('T2', 'Ein Kahn, eine rote Boje', 'de_DE')).status).toBe('ERROR')
  expect((await write('T2', 'Un bateau', 'fr_FR')).status).toBe('ERROR')
  expect((await write('T2', 'Un voilier', 'fr_FR')).status).toBe('SUCCESS')
})

test('are not demanded of texts that are kept, that lacked them before, or whose source does not have them', async () => {
  expect((await write('T1', 'Ein alter Kahn', 'de_DE')).status, 'lacked it before').toBe('SUCCESS')
  expect((await translate('T2', 'A boat that is sailing', 'Ein Kahn')).status).toBe('SUCCESS')
  expect((await write('T2', 'A sailing boat')).status, 'the German is kept').toBe('SUCCESS')
  expect((await write('T2', '', 'de_DE')).status).toBe('SUCCESS')
  expect((await write('T2', 'Ein Kahn', 'de_DE')).status).toBe('ERROR')
})

test('that are missing are warnings if the glossary warns, each of them', async () => {
  await enforce('warn')
  const { status, details } = await translate('T2', 'A sailing boat, a red buoy', 'Ein Kahn')
  expect(status).toBe('SUCCESS')
  expect(detailsOf({ details })['warning.caption']).toMatch(/Segelboot \/ Segelyacht in de_DE.*; .*rote Boje in de_DE/)
})

test('are those of the language of the source, at once when it changes', async () => {
  await enforce('refuse')
  const put = (source: boolean) => api.post('/api/core/v1/common/locales/fr_FR', { source }, { method: 'PUT', token: api.adminToken }) // prettier-ignore
  await translate('T2', 'A coat', 'Ein Mantel')
  expect((await put(true)).status).toBe(200)
  expect((await translate('T2', 'The sailing boat', 'Der Kahn')).status).toBe('SUCCESS')
  await translate('T2', 'A coat', 'Ein Mantel')
  expect((await put(false)).status).toBe(200)
  expect((await translate('T2', 'A new sailing boat', 'Ein neuer Kahn')).status).toBe('ERROR')
})

test('are not named to those who may not see the source text or the glossary', async () => {
  const all = ['read', 'create', 'update', 'delete', 'link']
  const blind = await tokenWith('german-only', [{ kind: 'product', actions: all, visibleLocales: { only: ['de_DE'] } }, { kind: 'glossaryEntry', actions: ['read'] }]) // prettier-ignore
  const without = await tokenWith('no-entries', [{ kind: 'product', actions: all }])
  await products.persist(jacket('T3', vals(text('caption', 'A sailing boat', 'en_GB'))))
  for (const token of [blind, without]) {
    const body = {
      schemaVersion,
      products: { product: [{ tid: 'T3', ...vals(text('caption', 'Ein Kahn', 'de_DE')) }] },
    }
    const { text: reply } = await api.post(`${pim}/products/persist`, body, { token })
    expect(reply).toContain('does not use the term in de_DE')
    expect(reply).not.toMatch(/sailing|Segel/)
  }
})

test('that are translated while their glossary is enforced are known, and forgotten when it is deleted', async () => {
  const glossary = (await resourceOf(api, 'glossaries').persist({ tid: 'rigs', name: 'Rigs' }))[0]
  expect(glossary.status, glossary.description).toBe('SUCCESS')
  await api.db.run(sql`
    insert into glossary_entry (glossary_id, type, loc, value, edited_by)
    select id, 'term', 'en_GB', 'mast', 'kim' from glossary where tid = 'rigs'`)
  const client = await api.db.pool.connect()
  await client.query('begin')
  await client.query(
    `update glossary_entry set translations = '{"de_DE": {"value": "Mast"}}' where value = 'mast' and loc = 'en_GB'`,
  )
  let isOver = false
  const enforcing = resourceOf(api, 'glossaries')
    .persist({ tid: 'rigs', name: 'Rigs', ...meta({ enforcement: 'refuse' }) })
    .finally(() => (isOver = true))
  const isWaiting = async () => (await api.db.rows(sql`select from pg_locks where not granted`)).length > 0
  await expect.poll(async () => isOver || (await isWaiting()), { timeout: 20_000 }).toBe(true)
  if (isOver) await write('T1', 'Reads what is committed so far')
  await client.query('commit')
  client.release()
  expect((await enforcing)[0].status).toBe('SUCCESS')
  expect((await translate('T2', 'A mast', 'Ein Pfahl')).status).toBe('ERROR')
  const action = [{ dataType: 'glossary', type: 'delete', tid: 'rigs' }]
  const gone = await api.post(`${common.base}/glossaries/perform`, { schemaVersion, actions: { action } })
  expect(gone.text).toContain('SUCCESS')
  expect((await translate('T2', 'A mast', 'Ein Pfahl')).status).toBe('SUCCESS')
  await enforce('off')
})
