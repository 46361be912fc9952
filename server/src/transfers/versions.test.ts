/** Versions of mapping profiles. */
import { expect, test } from 'vitest'
import { createModel } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const at = '/api/v1/transfers/profiles'
const put = async (name: string, body: object) => {
  const { status, text } = await api.post(`${at}/${name}`, body, { method: 'PUT' })
  expect(status, text).toBe(200)
}
const versionsOf = async (name: string) =>
  (await api.get(`${at}/${name}/versions`)).json.versions.map(
    ({ version, profile }: { version: number; profile: { separator?: string } }) => [version, profile.separator],
  )

test('each change keeps the former profile, and any of them can be restored', async () => {
  for (const separator of [',', ',', ';', '+']) await put('erp', { separator })
  expect(await versionsOf('erp')).toEqual([[3, '+'], [2, ';'], [1, ',']]) // prettier-ignore
  const [current] = (await api.get(`${at}/erp/versions`)).json.versions
  expect(current).toMatchObject({ modifiedBy: expect.any(String), modifiedAt: expect.stringMatching(/^\d{4}-/) })

  const restored = await api.post(`${at}/erp/versions/1/restore`)
  expect([restored.status, restored.json]).toEqual([200, { name: 'erp', separator: ',' }])
  expect(await versionsOf('erp')).toEqual([[4, ','], [3, '+'], [2, ';'], [1, ',']]) // prettier-ignore
  expect((await api.get(at)).json.profiles).toEqual([{ name: 'erp', separator: ',' }])

  const [none, unknown] = [await api.post(`${at}/erp/versions/9/restore`), await api.get(`${at}/none/versions`)]
  expect([none.status, none.text]).toEqual([404, expect.stringContaining('has no version 9')])
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('no profile has the name none')])
})

test('the last fifty versions are kept, and none of a deleted profile', async () => {
  for (let count = 1; count <= 53; count++) await put('many', { separator: `${count};` })
  const versions = await versionsOf('many')
  expect([versions.length, versions[0], versions.at(-1)]).toEqual([50, [53, '53;'], [4, '4;']])
  expect((await api.post(`${at}/many`, undefined, { method: 'DELETE' })).status).toBe(200)
  await put('many', { separator: 'a' })
  expect(await versionsOf('many')).toEqual([[1, 'a']])
})

test('a caller sees and uses the parts of a profile that their rights allow, and cannot change one with other parts', async () => {
  await createModel(api)
  const columns = [
    { column: 'Farbe', attr: 'color' },
    { column: 'Preis', attr: 'weight' },
    { column: 'Kategorie', field: 'node', values: { A: '/Standard/Jackets', B: '/Standard/Boots' } },
  ]
  await put('shared', { columns, constants: { weight: '1', color: 'red' }, mediaPath: '/MAM/Secret' })
  const grants = [{ kind: '*', actions: ['read', 'create', 'update'], scopes: { node: ['/Standard/Jackets'], dir: [] }, visibleAttributes: { except: ['weight'] } }] // prettier-ignore
  const role = await api.post('/api/v1/identity/roles/part', { grants }, { method: 'PUT', token: api.adminToken })
  expect(role.status, role.text).toBe(200)
  const token = await api.tokenFor({ name: 'parta', roles: ['part'] })
  const visible = {
    name: 'shared',
    constants: { color: 'red' },
    columns: [columns[0], { column: 'Kategorie', field: 'node', values: { A: '/Standard/Jackets' } }],
  }
  expect((await api.get(at, { token })).json.profiles).toContainEqual(visible)
  expect((await api.get(`${at}/shared/versions`, { token })).json.versions[0].profile).toEqual(visible)
  const sent = { token, type: 'application/octet-stream' }
  const received = await api.post(
    '/api/v1/transfers/imports?name=x.csv&profile=shared',
    'tid,Farbe,Preis\nA,red,1\n',
    sent,
  )
  const { json } = await api.get(`/api/v1/transfers/${received.json.id}`, { token })
  expect(json.profile).toEqual(visible)

  const refused = [
    await api.post(`${at}/shared`, visible, { method: 'PUT', token }),
    await api.post(`${at}/shared`, undefined, { method: 'DELETE', token }),
    await api.post(`${at}/shared/versions/1/restore`, undefined, { token }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
  expect(refused[0]!.text).toContain('parts that you may not see')
  expect((await api.post(`${at}/mine`, visible, { method: 'PUT', token })).status).toBe(200)
})
