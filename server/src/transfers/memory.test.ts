/** The translation memory: what was translated once is suggested again, to those who may read it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, vals } from '../../test/catalogue.ts'
import { searchCalls } from '../../test/search.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'
import { comparable } from './layouts/xliff-inline.ts'

const api = withServer()
const { persist } = productCalls(api)
const { exported } = transferCalls(api)
const search = searchCalls(api)
const texts = (attr: string, byLocale: Record<string, string>) => ({
  attr,
  itm: Object.entries(byLocale).map(([loc, value]) => ({ loc, value })),
})
const caption = (byLocale: Record<string, string>) => vals(texts('caption', byLocale))
const at = '/api/v1/transfers/translations/suggestions'
const ask = (body: object, token = api.token) => api.post(at, { target: 'de_DE', ...body }, { token })
interface Match {
  source: string
  target: string
  score: number
  product: string
}
const matches = async (text: string, more: object = {}, token = api.token): Promise<Match[]> => {
  const { json, text: reply } = await ask({ texts: [text], ...more }, token)
  expect(json.suggestions, reply).toHaveLength(1)
  return json.suggestions[0].matches ?? []
}
const targets = async (...asked: Parameters<typeof matches>) =>
  (await matches(...asked)).map(({ target, score }) => `${score} ${target}`)
const tokens = new Map<string, string>()
const settled = async (...tids: string[]) => {
  const found = (await api.post(`${pim}/products/retrieve`, { tids })).json.products.product
  const ids = found.map(({ meta }: { meta: { itm: { key: string; value: string }[] } }) => Number(meta.itm.find(({ key }) => key === 'id')!.value)) // prettier-ignore
  await search.wait('PRODUCT', ...ids)
}

beforeAll(async () => {
  await createModel(api)
  const attrDef = [{ tid: 'story', type: 'richtext', localized: 'true', name: { itm: [{ value: 'Story', loc: 'en_GB' }] } }] // prettier-ignore
  await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  const all = ['read', 'create', 'update', 'delete', 'link']
  const roles: Record<string, object> = {
    boots: { kind: '*', actions: all, scopes: { node: ['/Standard/Boots'] } },
    french: { kind: '*', actions: all, visibleLocales: { only: ['en_GB', 'fr_FR'] } },
    blind: { kind: '*', actions: all, visibleAttributes: { except: ['caption'] } },
  }
  for (const [role, grant] of Object.entries(roles)) {
    const options = { method: 'PUT', token: api.adminToken } as const
    expect((await api.post(`/api/v1/identity/roles/${role}`, { grants: [grant] }, options)).status).toBeLessThan(300)
    tokens.set(role, await api.tokenFor({ name: role, roles: [role] }))
  }
  await api.startWorker()
  await persist(
    jacket('A', caption({ en_GB: 'A warm coat of wool', de_DE: 'Ein warmer Mantel aus Wolle' })),
    jacket('B', caption({ en_GB: 'Something else entirely', de_DE: 'Etwas ganz anderes' })),
    jacket('C', vals(texts('story', { en_GB: '<p>A <em>sailor</em> built it</p>', de_DE: '<p>Ein <em>Seemann</em> baute es</p>' }))), // prettier-ignore
  )
  await settled('A', 'B', 'C')
})

describe('a suggestion', () => {
  test('is the translation of the same text, or of a similar one', async () => {
    expect(await targets('A warm coat of wool')).toEqual(['100 Ein warmer Mantel aus Wolle'])
    const [near] = (await matches('A warm coat of cotton wool')) as [Match]
    expect(near).toMatchObject({ source: 'A warm coat of wool', product: 'A', name: 'Jacket A', attribute: 'caption' })
    expect(near.score).toBeGreaterThan(60)
    expect(near.score).toBeLessThan(100)
    expect(await targets('A cold wind of change')).toEqual([])
    expect(await targets('¿…?')).toEqual([])
  })

  test('is formatted if the text is, and only then', async () => {
    expect(await targets('<p>A <em>sailor</em> built it</p>', { richtext: true })).toEqual(['100 <p>Ein <em>Seemann</em> baute es</p>']) // prettier-ignore
    expect(await targets('A sailor built it')).toEqual([])
  })

  test('of a text of millions of characters costs less than making it comparable twice', async () => {
    const tids = Array.from({ length: 25 }, (_, i) => `long-${i}`)
    await persist(
      ...tids.map((tid) => jacket(tid, caption({ en_GB: `halyard ${'x '.repeat(1000)}${tid}`, de_DE: tid }))),
    )
    await settled(...tids)
    const long = `halyard ${' x'.repeat(1_500_000)}`
    const costOf = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage().user
      await work()
      return process.cpuUsage().user - before
    }
    const equal = await costOf(async () => expect(comparable(long, false)).toBe(comparable(long, false)))
    const suggested = await costOf(async () => expect(await matches(long)).toHaveLength(3))
    expect(suggested / equal).toBeLessThan(1)
  })

  test('is not made of a translation whose source has changed since', async () => {
    await persist(jacket('D', caption({ en_GB: 'Knitted by hand', de_DE: 'Von Hand gewebt' })))
    await persist({ tid: 'D', ...caption({ en_GB: 'Knitted by hand in Wales' }) })
    await settled('D')
    expect(await targets('Knitted by hand in Wales')).toEqual([])
  })

  test('is given for the missing and stale texts of a product', async () => {
    await persist(jacket('E', { ...caption({ en_GB: 'A warm coat of wool' }), articles: { article: [{ tid: 'E-1', name: 'e', ...caption({ en_GB: 'Nothing like it anywhere', de_DE: 'Einmalig' }) }] } })) // prettier-ignore
    const { json } = await ask({ tid: 'E' })
    expect(json).toMatchObject({
      source: 'en_GB',
      suggestions: [{ level: 'product', tid: 'E', attribute: 'caption', matches: [{ target: 'Ein warmer Mantel aus Wolle', score: 100 }] }], // prettier-ignore
    })
    expect(json.suggestions).toHaveLength(1)
  })

  test('fills the targets of an export for translators, if it is the same text', async () => {
    const body = { format: 'xml', layout: 'xliff', tids: ['E'], translation: { target: 'de_DE', memory: true } }
    const filled = (await exported(body)).toString()
    expect(filled).toContain('state="initial"><source>A warm coat of wool</source><target>Ein warmer Mantel aus Wolle</target>') // prettier-ignore
    const plain = (await exported({ ...body, translation: { target: 'de_DE' } })).toString()
    expect(plain).not.toContain('<target>')
  })

  test.each([
    [{ texts: ['a'], target: 'xx_XX' }, '/suggestionRequest/target: unknown locale'],
    [{ texts: ['a'], source: 'de_DE' }, 'is the locale to translate from'],
    [{}, 'give either texts or the tid'],
    [{ texts: ['a'], tid: 'A' }, 'give either texts or the tid'],
    [{ texts: [] }, ''],
    [{ texts: Array.from({ length: 51 }, () => 'a') }, 'expected 1 to 50'],
  ])('is refused for %j', async (body, reason) => {
    const { status, text } = await ask(body)
    expect([status, text]).toEqual([400, expect.stringContaining(reason)])
  })

  test('is not given for a product that does not exist', async () => {
    expect((await ask({ tid: 'nope' })).status).toBe(404)
  })
})

describe('rights', () => {
  test.each(['boots', 'french', 'blind'])('%s gets no text that this role may not read', async (role) => {
    expect(await matches('A warm coat of wool', {}, tokens.get(role))).toEqual([])
  })

  test('a product that one may not read does not exist', async () => {
    expect((await ask({ tid: 'A' }, tokens.get('boots'))).status).toBe(404)
  })
})
