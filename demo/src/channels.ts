/** The demo's channels: a web shop in three countries, a printed catalogue with briefings, and a marketplace. */
import type { ApiClient } from './api.ts'
import { productOf, tidOf } from './products.ts'
import { families, groups, locales } from './words.ts'

const cm = '/api/core/v1/cm'
const peo = '/api/core/v1/peo'
export const roots = ['FJ-SHOP', 'FJ-BOOK', 'FJ-MARKET']
const chapterOf = (group: string) => `FJ-BOOK-${group}`

const channel = (tid: string, type: string, name: string, parentTid?: string) => ({
  tid,
  type,
  name,
  ...(parentTid !== undefined && { parentTid }),
})
// prettier-ignore
const channels = [
  channel('FJ-SHOP', 'Webshop', 'Fjordlin online shop'),
  channel('FJ-SHOP-DE', 'Webshop', 'Deutschland', 'FJ-SHOP'),
  channel('FJ-SHOP-FR', 'Webshop', 'France', 'FJ-SHOP'),
  channel('FJ-SHOP-GB', 'Webshop', 'United Kingdom', 'FJ-SHOP'),
  channel('FJ-SHOP-SALE', 'Webshop', 'Season sale', 'FJ-SHOP'),
  channel('FJ-BOOK', 'Catalogue', 'Catalogue 2027'),
  ...groups.map(({ tid, names }) => channel(chapterOf(tid), 'Catalogue', `Chapter: ${names[0]}`, 'FJ-BOOK')),
  channel('FJ-MARKET', 'Marketplace', 'Marketplace Nordhafen'),
]

/** Each country shop counts only its own language. */
const requiredLocales: Readonly<Record<string, readonly string[]>> = {
  'FJ-SHOP': locales,
  'FJ-SHOP-DE': ['de_DE'],
  'FJ-SHOP-FR': ['fr_FR'],
  'FJ-SHOP-GB': ['en_GB'],
  'FJ-BOOK': ['en_GB', 'de_DE'],
  'FJ-MARKET': ['en_GB', 'de_DE'],
}

/** The attributes that the marketplace requires; other channels require those that the data model marks. */
const marketAttributes = ['TITLE', 'DESCRIPTION', 'PRICE', 'WEIGHT', 'ORIGIN']

/** The marketplace takes short texts only, and everything else counts as in the shop. */
const common = [
  { check: 'forbiddenWords', weight: 2 },
  { check: 'identicalTexts' },
  { check: 'staleTranslation', weight: 2 },
  { check: 'mainPicture', weight: 2 },
  { check: 'duplicateIdentifier', weight: 3 },
  { check: 'similarName' },
]
const qualityChecks: Readonly<Record<string, readonly object[]>> = {
  'FJ-SHOP': [...common, { check: 'length', attr: 'DESCRIPTION', min: 60 }],
  'FJ-MARKET': [
    ...common,
    { check: 'length', attr: 'TITLE', min: 8, max: 24 },
    { check: 'length', attr: 'DESCRIPTION', min: 40, max: 120 },
  ],
}
/** The first products are on the marketplace, without texts of their own. */
const marketed = 120
const saleBriefing = {
  tid: 'FJ-SHOP-SALE',
  layout: [
    {
      name: 'End of the season',
      seitenbriefing:
        'We clear last year’s colours before the new collection arrives.\n\nTone: friendly, short, no shouting. Every product needs a picture on white and a price in each currency. Two pictures of people outdoors are enough.',
    },
  ],
}

const meta = (values: Record<string, string>) => ({
  itm: Object.entries(values).map(([key, value]) => ({ key, value })),
})
// prettier-ignore
const templates = [
  { tid: 'FJ-SHOP-TEXT', name: 'Shop text', meta: meta({ 'attribute.TITLE': 'overridden,required', 'attribute.CLAIM': 'overridden', 'attribute.DESCRIPTION': 'inherited,required',
    'attribute.BULLETS': 'inherited', 'attribute.PRICE': 'inherited,required', 'attribute.COLOUR': 'inherited', 'attribute.DEALER_PRICE': 'hidden' }) },
  { tid: 'FJ-PRINT-TEXT', name: 'Catalogue text', meta: meta({ 'attribute.TITLE': 'overridden,required', 'attribute.DESCRIPTION': 'overridden,required', 'attribute.PRICE': 'overridden,required' }) },
]

/** The first 180 products are in the shop; every third is also in the printed catalogue, with a shorter text. */
function extensions(products: number) {
  const listed = Array.from({ length: Math.min(products, 180) }, (_, i) => i).filter((i) => 'articles' in productOf(i))
  return listed.flatMap((i) => {
    const product = productOf(i)
    const shop = extension(i, 'SHOP', 'FJ-SHOP-TEXT', [
      'FJ-SHOP',
      ...(i % 2 === 0 ? ['FJ-SHOP-DE'] : ['FJ-SHOP-FR', 'FJ-SHOP-GB']),
      ...(i % 7 === 0 ? ['FJ-SHOP-SALE'] : []),
    ])
    if (i % 3 !== 0) return [shop]
    const itm = locales.slice(0, i % 2 === 0 ? 3 : 2).map((loc) => ({ value: `${product.name}.`, loc }))
    const vals = { val: [{ attr: 'TITLE', type: 'localized', itm }] }
    return [shop, { ...extension(i, 'PRINT', 'FJ-PRINT-TEXT', [chapterOf(familyGroup(i))]), vals }]
  })
}
const familyGroup = (i: number) => families[i % families.length]!.group

const extension = (i: number, kind: string, templateTid: string, channelTids: readonly string[]) => ({
  tid: `FJ-PEO-${kind}-${i + 1}`,
  name: `${kind === 'SHOP' ? 'Shop' : 'Catalogue'}: ${productOf(i).name}`,
  productTid: tidOf(i),
  templateTid,
  nodes: { node: channelTids.map((tid) => ({ tid })) },
})

const attribute = (identifier: string, value: number) => ({ identifier, value: value.toFixed(1) })
const box = (id: number, name: string, type: string, x: number, y: number, width: number, height: number) => ({
  id: String(id),
  layer: 'Default',
  name,
  type,
  attribute: [
    attribute('xpos', x),
    attribute('ypos', y),
    attribute('width', width),
    attribute('height', height),
    attribute('zpos', id),
  ],
})

/** A page of a chapter: a headline, a picture, two products and a table of articles. */
const page = (number: number) => ({
  id: String(number),
  name: `Page ${number}`,
  attribute: [attribute('width', 210), attribute('height', 297)],
  boxes: {
    box: [
      box(1, 'Headline', 'Text', 15, 15, 180, 18),
      box(2, 'Mood picture', 'Assets', 15, 40, 180, 95),
      box(3, 'Left product', 'Product', 15, 142, 87, 70),
      box(4, 'Right product', 'Product', 108, 142, 87, 70),
      box(5, 'Articles', 'Table', 15, 218, 180, 64),
    ],
  },
})

export async function addChannels(api: ApiClient, products: number): Promise<void> {
  await api.persist(`${cm}/channels`, 'projects', 'project', channels)
  for (const [tid, required] of Object.entries(requiredLocales))
    await api.call(`${cm}/channels/requirements/persist`, {
      tid,
      locales: required,
      ...(tid === 'FJ-SHOP' && { pictures: [{ count: 1 }] }),
      ...(tid === 'FJ-MARKET' && { attributes: marketAttributes, pictures: [{ count: 2 }] }),
    })
  for (const [tid, checks] of Object.entries(qualityChecks))
    await api.call(`${cm}/channels/quality/persist`, { tid, checks })
  const placed = Array.from({ length: Math.min(products, marketed) }, (_, i) => ({
    key: 'productTid',
    value: tidOf(i),
  }))
  const itms = [{ type: '', itm: [...placed, { key: 'projectTid', value: 'FJ-MARKET' }] }]
  await api.persist('/api/core/v1/common/links', 'links', 'itms', [{ type: 'productToProject', itms }])
  await api.persist(`${peo}/admin/templates`, 'templates', 'template', templates)
  await api.persist(`${peo}/peos`, 'peos', 'peo', extensions(products))
  await api.call(`${cm}/channels/briefings/persist`, saleBriefing)
  for (const { tid } of groups) {
    const briefingInfo = { briefingModuleCfgTid: 'F.BriefingModule.Catalogue' }
    const briefing = { tid: chapterOf(tid), briefingInfo, layout: [page(1), page(2)] }
    await api.call(`${cm}/channels/briefings/persist`, briefing)
  }
}

export async function removeChannels(api: ApiClient): Promise<void> {
  for (const tidProject of roots) {
    const found = await api
      .call<{ tids?: string[] }>(`${peo}/peos/query`, { tidProject, withChildren: true })
      .catch(() => ({ tids: [] })) // no such channel, or nothing in it
    const actions = (found.tids ?? []).map((tid) => ({ dataType: 'peo', type: 'delete', tid }))
    await api.perform(`${peo}/peos`, actions)
  }
  const force = meta({ force: 'true' })
  const gone = roots.map((tid) => ({ dataType: 'project', type: 'delete', tid, meta: force }))
  await api.perform(`${cm}/channels/actions`, gone)
}
