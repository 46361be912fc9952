/** The demo's files: pictures of products and of the sea, and data sheets, linked to their products. */
import { createRandom } from './random.ts'
import type { ApiClient } from './api.ts'
import { type Page, pageHeight, pageWidth, toPdf } from './pdf.ts'
import { type Painter, startPainter } from './painter.ts'
import { familyOf, productOf, tidOf } from './products.ts'
import { colours, groups, keywords } from './words.ts'

export const home = '/MAM/Fjordlin'
const dam = '/api/core/v1/dam'
const pictures = 220
const scenes = 40
const sheets = 40
/** The number of files created at the same time. */
const parallel = 3

interface Medium {
  readonly tid: string
  readonly path: string
  readonly keywords: readonly string[]
  /** The product it shows. */
  readonly product?: string
  make(painter: Painter): Promise<Buffer> | Buffer
}

const plainName = (text: string) => text.replaceAll(/[^\p{L}\d ]/gu, '').replaceAll(' ', '-')

/** The first few hundred products of the main range have pictures. */
function mediaOf(products: number): Medium[] {
  const illustrated = Array.from({ length: Math.min(products, 600) }, (_, i) => i).filter(
    (i) => 'articles' in productOf(i),
  )
  return [
    ...illustrated.slice(0, pictures).map((i) => picture(i)),
    ...Array.from({ length: scenes }, (_, i) => scene(i)),
    ...illustrated.slice(0, sheets).map((i) => sheet(i)),
  ]
}

function picture(i: number): Medium {
  const product = productOf(i)
  const family = familyOf(i)
  const paint = colours[i % colours.length]!.paint
  return {
    tid: `FJ-PIC-${i + 1}`,
    path: `${home}/Products/${family.group}/${plainName(product.name)}-${i + 1}.jpg`,
    keywords: ['/Motif/Cut-out', i % 3 === 0 ? '/Usage rights/Until 2028' : '/Usage rights/Unlimited'],
    product: tidOf(i),
    make: (painter) => painter.toJpeg({ seed: i + 1, shape: family.picture, paint, label: product.name }),
  }
}

function scene(i: number): Medium {
  const season = keywords[1]!.below[i % 4]![0]
  return {
    tid: `FJ-SCENE-${i + 1}`,
    path: `${home}/Scenes/${season}-${i + 1}.jpg`,
    keywords: ['/Motif/Landscape', `/Season/${season}`, '/Usage rights/Web only'],
    make: (painter) =>
      painter.toJpeg({ seed: 7000 + i, shape: 'scene', paint: '#1f3a5f', label: `Fjordlin · ${season}` }),
  }
}

function sheet(i: number): Medium {
  const product = productOf(i)
  return {
    tid: `FJ-SHEET-${i + 1}`,
    path: `${home}/Data sheets/${plainName(product.name)}-${i + 1}.pdf`,
    keywords: ['/Usage rights/Unlimited'],
    product: tidOf(i),
    make: () => toPdf(product.name, [(page) => drawSheet(page, product)]),
  }
}

type ProductValue = ReturnType<typeof productOf>
interface ProductAttribute {
  readonly attr: string
  readonly parent?: string
  readonly itm?: readonly { readonly value?: string; readonly loc?: string }[]
}

/** A data sheet: a header with the name, then a line for each value of the product. */
function drawSheet(page: Page, product: ProductValue): void {
  page.box(0, pageHeight - 110, pageWidth, 110, [0.12, 0.23, 0.37])
  page.box(0, pageHeight - 116, pageWidth, 6, [0.94, 0.54, 0.14])
  page.text(48, pageHeight - 60, 10, 'FJORDLIN', true)
  page.text(48, pageHeight - 150, 20, product.name, true)
  page.text(48, pageHeight - 172, 11, product.tid)
  const values = (product.vals.val as ProductAttribute[]).filter(
    ({ parent, itm }) => parent === undefined && itm !== undefined,
  )
  values.slice(0, 26).forEach(({ attr, itm = [] }, row) => {
    const y = pageHeight - 210 - row * 22
    if (row % 2 === 0) page.box(40, y - 7, pageWidth - 80, 22, [0.95, 0.96, 0.97])
    const texts = itm.filter(({ loc = 'en_GB' }) => loc === 'en_GB').map(({ value }) => value)
    page.text(48, y, 10, attr.toLowerCase().replaceAll('_', ' '), true)
    page.text(200, y, 10, texts.join(', ').slice(0, 70))
  })
  page.text(48, 40, 8, 'A sheet of the Kontor demo. Fjordlin is an invented company.')
}

export async function addMedia(api: ApiClient, products: number): Promise<void> {
  const dirs = [...groups.map(({ tid }) => `Products/${tid}`), 'Scenes', 'Data sheets'].map((dir) => `${home}/${dir}`)
  const createPath = dirs.map((path) => ({ dataType: 'dir', type: 'createPath', path }))
  await api.perform(`${dam}/dirs`, createPath)
  const media = mediaOf(products)
  const waiting = media.values()
  const painter = startPainter()
  const work = async () => {
    for (const { path, tid, make } of waiting) await api.upload(path, tid, await make(painter))
  }
  await Promise.all(Array.from({ length: parallel }, work)).finally(painter.stop)
  const tagged = media.map(({ tid, keywords: paths }) => ({
    tid,
    links: { itms: [{ type: 'kwds', itm: paths.map((value) => ({ value })) }] },
  }))
  await api.persist(`${dam}/assets`, 'assets', 'asset', tagged)
}

/** Links the files to their products; one in four products also gets a picture of the sea. */
export async function linkMedia(api: ApiClient, products: number): Promise<void> {
  const random = createRandom(42)
  const pairs = mediaOf(products).flatMap(({ tid, product }) => {
    if (!product) return []
    const scenic = tid.startsWith('FJ-PIC') && random.likely(0.25) ? `FJ-SCENE-${random.integer(1, scenes)}` : undefined
    return [tid, ...(scenic ? [scenic] : [])].map((asset) => ({ asset, product }))
  })
  const item = (key: string, value: string) => ({ key, value })
  const itms = pairs.map(({ asset, product }) => ({
    type: 'assetToProduct',
    itms: [{ itm: [item('assetTid', asset), item('productTid', product)] }],
  }))
  await api.persist('/api/core/v1/common/links', 'links', 'itms', itms)
}
