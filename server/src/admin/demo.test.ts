import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { withServer } from '../../test/server.ts'
import { sql } from '../adapters/postgres/sql.ts'
import { demoHost } from '../process/demo.ts'
import { installDemo, isInstalled, removeDemo } from '../../../demo/src/demo.ts'
import { attrDefs } from '../../../demo/src/model.ts'
import { toPdf } from '../../../demo/src/pdf.ts'
import { drawingOf, views } from '../../../demo/src/pictures.ts'
import { kinds } from '../../../demo/src/drawings/kinds.ts'
import { settings } from '../../../demo/src/drawings/settings.ts'
import { startPainter } from '../../../demo/src/painter.ts'
import { productOf } from '../../../demo/src/products.ts'

const api = withServer()
const quiet = { scale: 40, report: () => {} }
const count = async (table: ReturnType<typeof sql>) =>
  Number((await api.db.row<{ count: number }>(sql`select count(*) from ${table}`))!.count)
const usage = sql`asset_usage u join dam_entry e on e.id = u.asset_id and e.deleted_at is null`
const counts = async () => ({
  definitions: await count(sql`attr_def`),
  groups: await count(sql`attr_group`),
  classifications: await count(sql`classification`),
  products: await count(sql`product where level = 0`),
  assets: await count(sql`dam_entry where kind = 'asset' and deleted_at is null`),
  channels: await count(sql`project`),
  peos: await count(sql`peo`),
  entries: await count(sql`glossary_entry`),
  keywords: await count(sql`keyword`),
  searches: await count(sql`stored_search`),
  rules: await count(sql`rule`),
  collections: await count(sql`collection`),
  restricted: await count(sql`${usage}`),
  endingSoon: await count(sql`${usage} where valid_until < now() + interval '30 days'`),
  embargoed: await count(sql`${usage} where embargo_until > now()`),
})

test('the model has sixty definitions that cover every type and every kind of value', () => {
  expect(attrDefs).toHaveLength(60)
  const kinds = attrDefs.map((definition) => {
    const { type, localized, multiValued, domainVals } = definition as Record<string, unknown>
    return [type, localized && 'localized', multiValued && 'multiple', domainVals && 'list'].filter(Boolean).join(' ')
  })
  // prettier-ignore
  const expected = ['text', 'text localized', 'text multiple', 'text localized multiple', 'text list', 'text localized list',
    'text multiple list', 'text localized multiple list', 'number', 'date', 'boolean', 'ref', 'ref multiple', 'table',
    'identifier', 'measure', 'price', 'richtext localized']
  expect([...new Set(kinds)].toSorted()).toEqual(expected.toSorted())
})

test('a product is always the same, and names are unique within a node', () => {
  expect(productOf(17)).toEqual(productOf(17))
  const places = Array.from({ length: 5000 }, (_, i) => productOf(i)).map(({ node, name }) => `${node}/${name}`)
  expect(new Set(places).size).toBe(5000)
})

test('every category with products has a drawing of its own', () => {
  const categories = new Set(Array.from({ length: 400 }, (_, i) => productOf(i).node.split('/').at(-1)!))
  expect(Object.keys(kinds).toSorted()).toEqual([...categories].toSorted())
  const unknown = { seed: 1, kind: 'Hats', view: 'front', paint: '#1d7a80' } as const
  expect(() => drawingOf(unknown)).toThrow('no drawing of Hats')
  expect(() => drawingOf({ seed: 1, setting: 'Moon', season: 'Summer' })).toThrow('no drawing of Moon')
})

test('no two kinds look alike, nor do two views of a product or two settings', async () => {
  const seen = (drawings: Parameters<typeof drawingOf>[0][]) =>
    Promise.all(drawings.map((one) => sharp(Buffer.from(drawingOf(one))).resize(40, 30).greyscale().raw().toBuffer())) // prettier-ignore
  const same = { seed: 5, paint: '#1d7a80' }
  const difference = (a: Buffer, b: Buffer) =>
    a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length
  const closest = (pictures: Buffer[]) =>
    Math.min(...pictures.flatMap((one, i) => pictures.slice(i + 1).map((other) => difference(one, other))))
  const names = Object.keys(kinds)
  expect(closest(await seen(names.map((kind) => ({ ...same, kind, view: 'front' }))))).toBeGreaterThan(5)
  for (const kind of names) {
    const shots = views.map((view) => drawingOf({ ...same, kind, view }).replace(/^.*<rect/s, ''))
    expect(new Set(shots).size, kind).toBe(views.length)
  }
  const scenes = Object.keys(settings).map((setting) => ({ seed: 5, setting, season: 'Summer' as const }))
  expect(closest(await seen(scenes))).toBeGreaterThan(15)
})

test('pictures are reproducible JPEGs; data sheets are valid PDFs', async () => {
  const drawing = { seed: 3, kind: 'Dinghies', view: 'front', paint: '#1d7a80' } as const
  const painter = startPainter()
  const picture = await painter.toJpeg(drawing)
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 960, height: 720 })
  expect((await painter.toJpeg(drawing)).equals(picture)).toBe(true)
  const lost = painter.toJpeg(drawing)
  painter.stop()
  await expect(lost).rejects.toThrow('drawing ended')
  const pdf = toPdf('Größe (M) – 10 €', [(page) => page.text(50, 700, 12, 'Größe (M) – 10 €')])
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  expect([document.getPageCount(), document.getPage(0).getText()]).toEqual([1, 'Größe (M) – 10 €'])
  document.destroy()
  library.destroy()
})

describe('on an empty system', () => {
  let first: Awaited<ReturnType<typeof counts>>

  test('the demo fills every area', { timeout: 180_000 }, async () => {
    const password = await installDemo(demoHost(api.app), quiet)
    expect(await isInstalled(demoHost(api.app))).toBe(true)
    first = await counts()
    expect(first).toMatchObject({
      definitions: 60,
      groups: 4,
      classifications: 3,
      products: 40,
      channels: 13,
      entries: 23,
      searches: 5,
      rules: 5,
      collections: 1,
    })
    expect(first.assets).toBeGreaterThan(100)
    expect([first.restricted > 20, first.endingSoon > 0, first.embargoed > 0]).toEqual([true, true, true])
    expect(first.peos).toBeGreaterThan(40)
    const user = await api.app.identity.users.find({ name: 'greta' })
    expect(user).toMatchObject({ displayName: 'Greta Holm', roles: ['editor'], enabled: true })
    expect(password.length).toBeGreaterThanOrEqual(12)
  })

  test('products have texts in three languages, and pictures', async () => {
    const { json } = await api.post('/api/core/v1/pim/products/retrieve', { tids: ['FJ-000001'] })
    const [product] = json.products.product
    expect(product).toMatchObject({ name: 'Sailing jacket Skagen', node: '/Fjordlin/Clothing/Jackets' })
    const title = product.vals.val.find(({ attr }: { attr: string }) => attr === 'TITLE')
    expect(title.itm).toContainEqual({ value: 'Segeljacke Skagen', loc: 'de_DE' })
    for (const tid of ['FJ-PIC-1', 'FJ-PIC-1-BACK', 'FJ-PIC-1-DETAIL']) {
      expect(JSON.stringify(product.links)).toContain(`"${tid}"`)
    }
    const coloured = await api.db.rows<{ tid: string }>(sql`select tid from dam_entry where tid ~ '-COLOUR-' and deleted_at is null`) // prettier-ignore
    expect(coloured.length).toBeGreaterThan(10)
  })

  test('some texts wait for their translators, and others have a translation in another product', async () => {
    const { count } = (await api.db.row<{ count: number }>(sql`select count(*)::int as count from stale_text where attr = 'CLAIM' and locale = 'de_DE'`))! // prettier-ignore
    expect(count).toBe(5)
    const { known } = (await api.db.row<{ known: number }>(sql`
      select count(*)::int as known from product p join product o on o.vals -> 'CLAIM' ->> 'en_GB' = p.vals -> 'CLAIM' ->> 'en_GB'
      where not p.vals -> 'CLAIM' ? 'fr_FR' and o.vals -> 'CLAIM' ? 'fr_FR'`))!
    expect(known).toBeGreaterThan(0)
  })

  test('some products on the marketplace fail checks of quality, others pass all', async () => {
    const productTids = Array.from({ length: 40 }, (_, i) => `FJ-${String(i + 1).padStart(6, '0')}`)
    const request = { productTids, channelTids: ['FJ-MARKET'], locales: ['en_GB'] }
    const { json } = await api.post('/api/core/v1/cm/quality/retrieve', request)
    type Place = { locales: { score: number; checks: { check: string; passed: boolean }[] }[] }
    const judged = (json.products as { places: Place[] }[]).flatMap(({ places }) =>
      places.flatMap((one) => one.locales),
    )
    expect(judged).toHaveLength(40)
    const failed = new Set(judged.flatMap(({ checks }) => checks.flatMap(({ check, passed }) => (passed ? [] : check))))
    for (const check of ['length', 'forbiddenWords', 'similarName']) expect(failed).toContain(check)
    expect(judged.some(({ score }) => score === 100)).toBe(true)
  })

  test('products have relations of each kind, and rules of each kind run by hand, on change and at night', async () => {
    const types = await api.db.rows<{ type: string }>(
      sql`select distinct type from link where kind = 'productToProduct'`,
    )
    expect(types.map(({ type }) => type).toSorted()).toEqual([
      'Accessory',
      'Bundle',
      'Spare_Part',
      'Successor',
      'Up_Sell',
    ])
    const { rules } = (await api.get('/api/v1/rules', { token: api.adminToken })).json
    type Rule = { operations: { type: string; dataType?: string }[]; onChange?: boolean; schedule?: object }
    const done = (rules as Rule[]).flatMap(({ operations }) => operations.map(({ type, dataType = '' }) => type + dataType)) // prettier-ignore
    expect(done.toSorted()).toEqual(['calculate', 'concatenate', 'linkkeyword', 'linkproject', 'move'])
    expect((rules as Rule[]).filter(({ onChange, schedule }) => onChange || schedule)).toHaveLength(2)
  })

  test('installing again changes nothing', { timeout: 180_000 }, async () => {
    const files = () => api.db.rows(sql`select tid, sha256 from dam_entry where kind = 'asset' order by tid`)
    const before = await files()
    await installDemo(demoHost(api.app), quiet)
    expect(await counts()).toEqual(first)
    expect(await files()).toEqual(before)
  })

  test('the demo can be removed', { timeout: 180_000 }, async () => {
    await removeDemo(demoHost(api.app), () => {})
    expect(await isInstalled(demoHost(api.app))).toBe(false)
    expect(await counts()).toEqual({
      definitions: 0, groups: 0, classifications: 0, products: 0, assets: 0, channels: 0, peos: 0, entries: 0, keywords: 0, searches: 0, rules: 0, collections: 0, restricted: 0, endingSoon: 0, embargoed: 0,
    }) // prettier-ignore
    expect(await api.app.identity.users.find({ name: 'greta' })).toMatchObject({ enabled: false })
  })
})
