import { LocaleRequest } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { addressOf, type Envelope, formatNames, postIn, resourceOf } from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const base = addressOf('locales')
const { retrieve } = resourceOf(api, 'locales')
const listed = ({ locales }: Envelope) => locales!.locale!
const tidsIn = (envelope: Envelope) => listed(envelope).map(({ tid }) => tid)

test('ALL returns every locale with language, country and name, and says what it is used for', async () => {
  const all = listed(await retrieve({ mode: 'ALL' }))
  expect(all.map(({ tid }) => tid)).toEqual(expect.arrayContaining(['en_GB', 'de_DE', 'fr_FR', 'en_EN']))
  for (const { id, tid, name, language, country, config } of all) {
    expect(tid).toBe(`${language}_${country}`)
    expect(name).toBeTruthy()
    expect(id).toBeGreaterThanOrEqual(6000)
    expect(config).toBeUndefined()
  }
  expect(all.find(({ tid }) => tid === 'de_DE')).toMatchObject({
    name: 'Deutsch (Deutschland)',
    meta: {
      itm: [
        { key: 'content', value: 'true' },
        { key: 'frontend', value: 'true' },
      ],
    },
  })
})

test('CONTENT and FRONTEND return those in that use', async () => {
  const content = tidsIn(await retrieve({ mode: 'CONTENT' }))
  const frontend = tidsIn(await retrieve({ mode: 'FRONTEND' }))
  expect(frontend).toEqual(['en_GB', 'de_DE'])
  expect(content).toEqual(expect.arrayContaining(frontend))
  expect(content.length).toBeGreaterThan(frontend.length)
  await api.db.run(sql`update locale set content = false where tid = 'pl_PL'`)
  expect(tidsIn(await retrieve({ mode: 'CONTENT' }))).toEqual(content.filter((tid) => tid !== 'pl_PL'))
})

test('ID and TID return those named; unknown ones are left out', async () => {
  const [{ id }] = listed(await retrieve({ mode: 'TID', tids: ['fr_FR', 'xx_XX'] })) as [{ id: number }]
  expect(tidsIn(await retrieve({ mode: 'ID', ids: [id, 1] }))).toEqual(['fr_FR'])
})

test.each([
  { mode: 'ID', ids: [1, 99999999] },
  { mode: 'TID', tids: ['xx_XX', 'fr_fr', '%', "' or true --"] },
])('where none exists it is 404: %j', async (request) => {
  expect((await api.post(`${base}/retrieve`, request)).status).toBe(404)
})

test('an id beyond 2^53 does not exist', async () => {
  expect((await api.post(`${base}/retrieve`, '{"mode":"ID","ids":[9223372036854775807]}')).status).toBe(404)
})

test.each([
  [undefined, '/localeRequest/mode'],
  [{}, '/localeRequest/mode'],
  [{ exportConfig: true }, '/localeRequest/mode'],
  [{ mode: 'SOME' }, '/localeRequest/mode'],
  [{ mode: 'toString' }, '/localeRequest/mode'],
  [{ mode: 'ID' }, '/localeRequest/ids: required with mode ID'],
  [{ mode: 'ID', ids: [] }, '/localeRequest/ids: required with mode ID'],
  [{ mode: 'ID', tids: ['en_GB'] }, '/localeRequest/ids: required with mode ID'],
  [{ mode: 'ID', ids: [6000], tids: ['en_GB'] }, '/localeRequest/tids: only taken with mode TID'],
  [{ mode: 'ID', ids: ['x'] }, '/localeRequest/ids'],
  [{ mode: 'TID' }, '/localeRequest/tids: required with mode TID'],
  [{ mode: 'TID', ids: [6000] }, '/localeRequest/ids: only taken with mode ID'],
  [{ mode: 'ALL', ids: [6000] }, '/localeRequest/ids: only taken with mode ID'],
  [{ mode: 'CONTENT', tids: ['en_GB'] }, '/localeRequest/tids: only taken with mode TID'],
  [{ mode: 'FRONTEND', tids: ['en_GB'] }, '/localeRequest/tids: only taken with mode TID'],
  [{ mode: 'ALL', exportConfig: 'perhaps' }, '/localeRequest/exportConfig'],
])('%j is 400', async (request, fault) => {
  const reply = await api.post(`${base}/retrieve`, request)
  expect(reply.status).toBe(400)
  expect(reply.text).toContain(fault)
})

describe('exportConfig', () => {
  const formatsOf = async (tid: string) => {
    const [{ config }] = listed(await retrieve({ mode: 'TID', tids: [tid], exportConfig: true })) as [
      { config: { itms: { type: string; itm: { key: string; value: string }[] }[] } },
    ]
    expect(config.itms.map(({ type }) => type)).toEqual(['formats'])
    return Object.fromEntries(config.itms[0]!.itm.map(({ key, value }) => [key, value]))
  }

  test.each([
    ['en_GB', { decimalSeparator: '.', groupSeparator: ',', datePattern: 'dd/MM/yyyy' }],
    ['de_DE', { decimalSeparator: ',', groupSeparator: '.', datePattern: 'dd.MM.yyyy' }],
    ['en_US', { decimalSeparator: '.', groupSeparator: ',', datePattern: 'MM/dd/yyyy' }],
    ['en_EN', { decimalSeparator: '.', groupSeparator: ',', datePattern: 'MM/dd/yyyy' }],
  ])('says how %s writes numbers and dates', async (tid, expected) => {
    expect(await formatsOf(tid)).toEqual(expected)
  })

  test('is known for every locale there is', async () => {
    for (const { config } of listed(await retrieve({ mode: 'ALL', exportConfig: true }))) {
      expect(config!.itms![0]!.itm!.map(({ key }) => key)).toEqual([
        'decimalSeparator',
        'groupSeparator',
        'datePattern',
      ])
    }
  })
})

test.each(formatNames)('is answered the same in %s', async (format) => {
  const request = { mode: 'TID', tids: ['en_GB', 'de_DE'], exportConfig: true }
  expect(listed(await resourceOf(api, 'locales', format).retrieve(request))).toEqual(listed(await retrieve(request)))
  const refused = await postIn(api, format, `${base}/retrieve`, LocaleRequest, { mode: 'TID' })
  expect(refused.status).toBe(400)
})
