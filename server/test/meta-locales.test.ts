/** Texts of `meta` in locales that a user may not edit, in every kind of object that has them. */
import { type Area, cm, common, dam, peo } from '@kontor/contract'
import { beforeAll, expect, test } from 'vitest'
import { createModel, jacket, productCalls } from './catalogue.ts'
import { callsOf } from './channels.ts'
import { keyword, meta } from './common.ts'
import { damCalls } from './dam.ts'
import { withServer } from './server.ts'

const api = withServer()
const remark = (value: string, loc: string) => ({ meta: { itm: [{ key: 'remark', value, loc }] } })
/** Creates an object and returns its identity. */
const create = (area: Area, name: string, object: object) => async (): Promise<object> => {
  const [{ id }] = await callsOf(api, area, name).persist(object)
  return 'tid' in object ? object : { id }
}
// prettier-ignore
const kinds: readonly [what: string, area: Area, name: string, create: () => Promise<object>][] = [
  ['a keyword', common, 'keywords', create(common, 'keywords', keyword('red'))],
  ['a glossary', common, 'glossaries', create(common, 'glossaries', { tid: 'words', name: 'Words' })],
  ['a glossary entry', common, 'glossaryEntries', create(common, 'glossaryEntries', { parentTid: 'words', type: 'term', loc: 'de_DE', ...meta({ value: 'Wort' }) })],
  ['a channel', cm, 'channels', create(cm, 'channels', { tid: 'shop', type: 'Webshop', name: 'shop' })],
  ['a directory', dam, 'dirs', create(dam, 'dirs', { tid: 'pictures', rnc: 'MAM', name: 'pictures' })],
  ['an asset', dam, 'assets', async () => ({ tid: (await damCalls(api).addAssets('/MAM/pictures', 'a.jpg'))[0]!.tid })],
  ['an extension object', peo, 'peos', create(peo, 'peos', { tid: 'extra', productTid: 'Dry', templateTid: 'Default', name: 'Extra' })],
]

let translator = ''
beforeAll(async () => {
  await createModel(api)
  await productCalls(api).persist(jacket('Dry'))
  const grants = [{ kind: '*', actions: ['read', 'create', 'update', 'link'], editableLocales: { only: ['de_DE'] } }]
  const options = { method: 'PUT', token: api.adminToken } as const
  const role = await api.post('/api/v1/identity/roles/translator', { grants }, options)
  expect(role.status, role.text).toBeLessThan(300)
  translator = await api.tokenFor({ name: 'translator', roles: ['translator'] })
})

test.each(kinds)(
  '%s keeps its texts in other locales, and can be sent back as it was read',
  async (_, area, name, createOne) => {
    const object = await createOne()
    const mine = { ...object, ...remark('mine', 'en_GB') }
    expect(await callsOf(api, area, name).persist(mine)).toMatchObject([{ status: 'SUCCESS' }])

    const { persist } = callsOf(api, area, name, 'json', { token: translator })
    const description = expect.stringContaining('your roles do not allow to change texts in en_GB')
    for (const change of [remark('theirs', 'en_GB'), { meta: { itm: [{ key: 'remark', loc: 'en_GB' }] } }])
      expect(await persist({ ...object, ...change })).toMatchObject([{ status: 'ERROR', description }])
    for (const allowed of [mine, { ...object, ...remark('deutsch', 'de_DE') }])
      expect(await persist(allowed)).toMatchObject([{ status: 'SUCCESS' }])
  },
)
