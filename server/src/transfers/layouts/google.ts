/**
 * A feed for Google Shopping: RSS 2.0 with the namespace g, or a table with tabs. Each variation is an item; products without
 * variations are one themselves. A field is the attribute of its name, a column of the profile, or a constant with the
 * placeholders {tid}, {product} and {path} (of the first linked file, or its address).
 */
import { Problem } from '../../errors.ts'
import { isAddress, type ProductItem } from '../mapping.ts'
import { toCsv } from '../write/tables.ts'
import type { LayoutWriter, WriterScope } from './layout.ts'
import { type Branch, branchesOf, listOf, listSign, singleAmount, sourceOf } from './write.ts'

const required = ['title', 'description', 'link', 'image_link', 'availability', 'price'] as const
const optional = [
  'sale_price', 'brand', 'gtin', 'mpn', 'identifier_exists', 'condition', 'google_product_category', 'product_type',
  'color', 'size', 'material', 'pattern', 'gender', 'age_group', 'adult', 'shipping_weight', 'custom_label_0',
  'custom_label_1', 'custom_label_2', 'custom_label_3', 'custom_label_4',
] as const // prettier-ignore
const more = 'additional_image_link'
const fields = ['id', ...required, more, 'item_group_id', ...optional] as const
const prices = new Set<string>(['price', 'sale_price'])
const most = { title: 150, description: 5000 } as const

/** Texts by field; additional pictures are several. */
type Item = ReadonlyMap<string, readonly string[]>

export const googleWriter: LayoutWriter = {
  formats: ['xml', 'csv'],
  write(format, pages, scope) {
    const items = itemsOf(pages, scope)
    if (format === 'xml') return toFeed(items, scope)
    const rows = async function* () {
      for await (const item of items) yield fields.map((field) => cellOf(field, item.get(field)))
    }
    return toCsv(fields, rows(), { keepsFormulas: true, delimiter: scope.profile?.delimiter ?? '\t' })
  },
}

/** Google separates additional addresses by commas. */
const cellOf = (field: string, texts: readonly string[] = []) =>
  field === more ? texts.map((text) => text.replaceAll(',', '%2C')).join(',') : (texts[0] ?? '')

const constantOf = ({ profile }: WriterScope, field: string) => profile?.constants?.[field]

async function* itemsOf(pages: Parameters<LayoutWriter['write']>[1], scope: WriterScope): AsyncGenerator<Item> {
  const columns = columnsOf(scope)
  for await (const page of pages)
    for (const product of page)
      for (const branch of branchesOf(product, columns, scope)) yield itemOf(product, branch, scope)
}

function columnsOf(scope: WriterScope) {
  const found = [...required, ...optional, more].flatMap((field) => sourceOf(scope, field, { level: 2, attr: field }) ?? []) // prettier-ignore
  const has = new Set(found.map(({ heading }) => heading))
  const lacking = required.filter((field) => !has.has(field) && constantOf(scope, field) === undefined && field !== 'title' && !(field === 'image_link' && (scope.kindOf('images') || scope.request.pictures !== undefined))) // prettier-ignore
  if (lacking.length > 0)
    throw new Problem(
      'invalid',
      `layout google: no attribute for ${lacking.join(', ')}; name one per field in columns of a profile, or give it in constants`,
    )
  return [
    ...found,
    { heading: 'tid', level: 2 as const, field: 'tid' as const },
    { heading: 'name', level: 0 as const, field: 'name' as const },
    { heading: 'files', level: 2 as const, field: 'asset' as const },
    ...(scope.kindOf('images') ? [{ heading: 'images', level: 2 as const, attr: 'images' }] : []),
  ]
}

function itemOf(product: ProductItem, branch: Branch, scope: WriterScope): Item {
  const tid = branch.get('tid') || product.tid!
  const [path = ''] = picturesIn(branch, 'files')
  const place = isAddress(path) ? path : path.split('/').map(encodeURIComponent).join('/').replace(/^\//, '')
  const filled = (text: string) => text.replaceAll('{tid}', encodeURIComponent(tid)).replaceAll('{product}', encodeURIComponent(product.tid!)).replaceAll('{path}', place) // prettier-ignore
  const item = new Map([['id', [tid]]])
  const put = (field: string, text: string) => text !== '' && item.set(field, [prices.has(field) ? priced(text, scope, tid) : text.slice(0, most[field as 'title'] ?? 5000)]) // prettier-ignore
  const given = (field: string) => filled(constantOf(scope, field) ?? '')
  for (const field of [...required, ...optional])
    put(field, branch.get(field).replaceAll(listSign, ', ') || given(field))
  if (!item.has('title')) put('title', branch.get('name'))
  const [image, ...others] = imagesOf(branch, given, scope)
  if (image !== undefined) item.set('image_link', [image])
  if (others.length > 0) item.set(more, others.slice(0, 10))
  if (tid !== product.tid) item.set('item_group_id', [product.tid!])
  return item
}

/** The addresses of pictures, if any are; other files of a product have none. */
function picturesIn(branch: Branch, heading: string): string[] {
  const found = listOf(branch.get(heading))
  const addresses = found.filter(isAddress)
  return addresses.length > 0 ? addresses : found
}

/** The picture of an item, and additional ones: from the profile, the attribute images, or the linked files. */
function imagesOf(branch: Branch, given: (field: string) => string, { request }: WriterScope): string[] {
  const linked = request.pictures === undefined ? [] : listOf(branch.get('files')).filter(isAddress)
  const [own = linked] = [picturesIn(branch, 'images')].filter(({ length }) => length > 0)
  const chosen = picturesIn(branch, 'image_link')
  const constant = given('image_link')
  const first = chosen.length > 0 || constant === '' ? [...chosen, ...own] : [constant, ...own.slice(1)]
  const asked = [...picturesIn(branch, more), given(more)].filter((text) => text !== '')
  return [...new Set(asked.length > 0 ? [...first.slice(0, 1), ...asked] : first)]
}

/** `12.50 EUR`: the currency is part of the value, or the constant `currency`. */
function priced(sent: string, scope: WriterScope, tid: string): string {
  const currency = constantOf(scope, 'currency')
  const text = singleAmount(sent, currency, `layout google: an item has one price, but that of ${tid.slice(0, 100)} (${sent.slice(0, 100)}) has amounts in several currencies; name one of them as currency in constants`) // prettier-ignore
  return currency === undefined || /[A-Z]{3}$/.test(text) ? text : `${Number.isNaN(Number(text)) ? text : Number(text).toFixed(2)} ${currency}` // prettier-ignore
}

const signs = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;']]) // prettier-ignore
// oxlint-disable-next-line no-control-regex -- XML cannot carry them
const illegal = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
const escape = (text: string) => text.replaceAll(illegal, '').replaceAll(/[&<>]/g, (sign) => signs.get(sign)!)

async function* toFeed(items: AsyncIterable<Item>, scope: WriterScope): AsyncGenerator<Buffer> {
  const title = constantOf(scope, 'feed_title') ?? 'Products'
  const link = constantOf(scope, 'feed_link') ?? ''
  yield Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>' +
      `<title>${escape(title)}</title><link>${escape(link)}</link><description>${escape(title)}</description>\n`,
  )
  for await (const item of items) {
    const parts = fields.flatMap((field) =>
      (item.get(field) ?? []).map((value) => `<g:${field}>${escape(value)}</g:${field}>`),
    )
    yield Buffer.from(`<item>${parts.join('')}</item>\n`)
  }
  yield Buffer.from('</channel></rss>\n')
}
