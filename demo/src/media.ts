/** The demo's files: pictures of products, scenes, data sheets, a film and a sound, linked to their products. */
import { readFile } from 'node:fs/promises'
import { createRandom } from './random.ts'
import type { ApiClient } from './api.ts'
import { type Page, pageHeight, pageWidth, toPdf } from './pdf.ts'
import { type Painter, startPainter } from './painter.ts'
import type { View } from './pictures.ts'
import { toWav } from './sound.ts'
import { paintsOf, productOf, tidOf } from './products.ts'
import { motifOf, scenes, settingsOf } from './drawings/settings.ts'
import { families } from './words.ts'

export const home = '/MAM/Fjordlin'
const dam = '/api/core/v1/dam'
/** The number of products with a picture, and of those that also have other views and colours. */
const pictured = 189
const thorough = families.length
const sheets = 12
/** The number of files created at the same time. */
const parallel = 3

interface Medium {
  readonly tid: string
  readonly path: string
  readonly keywords: readonly string[]
  readonly usageRights?: object
  /** The product it shows. */
  readonly product?: string
  make(painter: Painter): Promise<Buffer> | Buffer
}

const plainName = (text: string) => text.replaceAll(/[^\p{L}\d ]/gu, '').replaceAll(' ', '-')

/** The first products have pictures, and those at the very beginning also other views, colours and data sheets. */
function mediaOf(products: number): Medium[] {
  const first = (count: number) => Array.from({ length: Math.min(products, count) }, (_, i) => i)
  const pictures = first(pictured).flatMap((i) => picturesOf(i))
  return [...pictures, ...scenes.map(scene), ...first(sheets).map((i) => sheet(i)), ...played]
}

/** A film and a sound. */
const played: readonly Medium[] = [
  {
    tid: 'FJ-FILM-1',
    path: `${home}/Films/Boat-on-the-fjord.mp4`,
    keywords: ['/Usage rights/Unlimited'],
    make: () => readFile(new URL('./boat.mp4', import.meta.url)),
  },
  {
    tid: 'FJ-SOUND-1',
    path: `${home}/Films/Waves.wav`,
    keywords: ['/Usage rights/Unlimited'],
    make: () => toWav(),
  },
]

/** Within the same day a second installation stores the same. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const contract = { licence: 'Contract 2026-17', holder: 'Studio Nordlys', creditLine: 'Photo: Studio Nordlys' }

/** The rights of one product's pictures end soon, and those of another are under embargo. */
function rightsOf(i: number): object | undefined {
  if (i === 6) return { ...contract, validUntil: inDays(20) }
  if (i === 9) return { ...contract, validUntil: '2028-12-31', embargoUntil: inDays(14) }
  return i % 3 === 0 ? { ...contract, validUntil: '2028-12-31' } : undefined
}

const motifs: Readonly<Record<View, string>> = { front: 'Cut-out', back: 'Cut-out', detail: 'Detail' }

function picturesOf(i: number): Medium[] {
  const { name, node } = productOf(i)
  const [group, kind] = node.split('/').slice(-2) as [string, string]
  const usageRights = rightsOf(i)
  const rights = i % 3 === 0 ? '/Usage rights/Until 2028' : '/Usage rights/Unlimited'
  const picture = (paint: string, view: View, suffix: string): Medium => ({
    tid: `FJ-PIC-${i + 1}${suffix}`,
    path: `${home}/Products/${group}/${plainName(name)}-${i + 1}${suffix.toLowerCase()}.jpg`,
    keywords: [`/Motif/${motifs[view]}`, rights],
    ...(usageRights && { usageRights }),
    product: tidOf(i),
    make: (painter) => painter.toJpeg({ seed: i + 1, kind, view, paint }),
  })
  const [paint, ...others] = paintsOf(i) as [string, ...string[]]
  const front = picture(paint, 'front', '')
  if (i >= thorough) return [front]
  const colours = others.map((other, a) => picture(other, 'front', `-COLOUR-${a + 2}`))
  return [front, picture(paint, 'back', '-BACK'), picture(paint, 'detail', '-DETAIL'), ...colours]
}

type Scene = (typeof scenes)[number]
const sceneName = ({ setting, season }: Scene) => plainName(`${setting} ${season}`)

function scene(one: Scene, i: number): Medium {
  const { setting, season } = one
  return {
    tid: `FJ-SCENE-${sceneName(one)}`,
    path: `${home}/Scenes/${sceneName(one)}.jpg`,
    keywords: [`/Motif/${motifOf(setting)}`, `/Season/${season}`, '/Usage rights/Web only'],
    usageRights: { ...contract, media: ['web', 'social', 'press'] },
    make: (painter) => painter.toJpeg({ seed: 7000 + i, ...one }),
  }
}

export const sceneTids = scenes.map((one) => `FJ-SCENE-${sceneName(one)}`)

/** The scenes that fit a group of products. */
const scenesFor = (group: string) =>
  scenes.filter(({ setting }) => settingsOf[group]?.includes(setting)).map((one) => `FJ-SCENE-${sceneName(one)}`)

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
  const media = mediaOf(products)
  const dirs = new Set(media.map(({ path }) => path.slice(0, path.lastIndexOf('/'))))
  const createPath = [...dirs].map((path) => ({ dataType: 'dir', type: 'createPath', path }))
  await api.perform(`${dam}/dirs`, createPath)
  const waiting = media.values()
  const painter = startPainter()
  const work = async () => {
    for (const { path, tid, make } of waiting) await api.upload(path, tid, await make(painter))
  }
  await Promise.all(Array.from({ length: parallel }, work)).finally(painter.stop)
  const tagged = media.map(({ tid, keywords: paths, usageRights }) => ({
    tid,
    ...(usageRights && { usageRights }),
    links: { itms: [{ type: 'kwds', itm: paths.map((value) => ({ value })) }] },
  }))
  await api.persist(`${dam}/assets`, 'assets', 'asset', tagged)
}

/** Links the files to their products; one in four products also gets a scene of its group. */
export async function linkMedia(api: ApiClient, products: number): Promise<void> {
  const random = createRandom(42)
  const pairs = mediaOf(products).flatMap(({ tid, product, path }) => {
    if (!product) return []
    const fitting = /^FJ-PIC-\d+$/.test(tid) ? scenesFor(path.split('/').at(-2)!) : []
    const scenic = fitting.length > 0 && random.likely(0.25) ? [random.pick(fitting)] : []
    return [tid, ...scenic].map((asset) => ({ asset, product }))
  })
  const item = (key: string, value: string) => ({ key, value })
  const itms = pairs.map(({ asset, product }) => ({
    type: 'assetToProduct',
    itms: [{ itm: [item('assetTid', asset), item('productTid', product)] }],
  }))
  await api.persist('/api/core/v1/common/links', 'links', 'itms', itms)
}
