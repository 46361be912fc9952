import { expect, test } from 'vitest'
import { resourceOf } from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const put = (tid: string, body: object, token = api.adminToken) =>
  api.post(`/api/core/v1/common/locales/${tid}`, body, { method: 'PUT', token })
const tidsFor = async (mode: string) =>
  (await resourceOf(api, 'locales').retrieve({ mode })).locales!.locale!.map(({ tid }) => tid)

test('a new locale has the name of its language in that language, and is used for content', async () => {
  const { status, json } = await put('de_CH', {})
  expect(status).toBe(200)
  expect(json).toMatchObject({ tid: 'de_CH', name: 'Deutsch (Schweiz)', language: 'de', country: 'CH' })
  expect(await tidsFor('CONTENT')).toContain('de_CH')
  expect(await tidsFor('FRONTEND')).not.toContain('de_CH')
})

test('a locale is switched off and on again, and keeps its name', async () => {
  const before = await tidsFor('CONTENT')
  expect((await put('fr_FR', { content: false })).json.name).toBe('français (France)')
  expect(await tidsFor('CONTENT')).toEqual(before.filter((tid) => tid !== 'fr_FR'))
  expect((await put('fr_FR', { content: true, name: 'Französisch' })).json.name).toBe('Französisch')
  expect(await tidsFor('CONTENT')).toEqual(before)
})

test('the last locale of content is not switched off', async () => {
  await api.db.run(sql`update locale set content = tid = 'en_GB'`)
  const { status, text } = await put('en_GB', { content: false })
  expect(status).toBe(409)
  expect(text).toContain('at least one locale')
  expect(await tidsFor('CONTENT')).toEqual(['en_GB'])
})

test.each(['german', 'de-DE', 'DE_de'])('%s is not a locale', async (tid) => {
  expect((await put(tid, {})).status).toBe(400)
})

test('users do not change locales', async () => {
  expect((await put('it_IT', {}, api.token)).status).toBe(403)
})
