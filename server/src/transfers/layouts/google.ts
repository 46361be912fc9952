/**
 * A feed for Google Shopping: RSS 2.0 with the namespace g, or a table with tabs. Each variation is an item; products without
 * variations are one themselves. A field is the attribute of its name, a column of the profile, or a constant with the
 * placeholders {tid}, {product} and {path} (of the first linked file).
 */
import { amountsOfPrice } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import type { ProductItem } from '../mapping.ts'
import { toCsv } from '../write/tables.ts'
import type { LayoutWriter, WriterScope } from './layout.ts'
import { type Branch, branchesOf, listOf, listSign, sourceOf } from './write.ts'

const required = ['title', 'description', 'link', 'image_link', 'availability', 'price'] as const
const optional = [
  'sale_price', 'brand', 'gtin', 'mpn', 'identifier_exists', 'condition', 'google_product_category', 'product_type',
  'color', 'size', 'material', 'pattern', 'gender', 'age_group', 'adult', 'shipping_weight', 'custom_label_0',
  'custom_label_1', 'custom_label_2', 'custom_label_3', 'custom_label_4',
] as const // prettier-ignore
const fields = ['id', ...required, 'additional_image_link', 'item_group_id', ...optional] as const
const prices = new Set<string>(['price', 'sale_price'])
const most = { title: 150, description: 5000 } as const

type Item = ReadonlyMap<string, string>

export const googleWriter: LayoutWriter = {
  formats: ['xml', 'csv'],
  write(format, pages, scope) {
    const items = itemsOf(pages, scope)
    if (format === 'xml') return toFeed(items, scope)
    const rows = async function* () {
      for await (const item of items) yield fields.map((field) => item.get(field) ?? '')
    }
    return toCsv(fields, rows(), { keepsFormulas: true, delimiter: scope.profile?.delimiter ?? '\t' })
  },
}

const constantOf = ({ profile }: WriterScope, field: string) => profile?.constants?.[field]

async function* itemsOf(pages: Parameters<LayoutWriter['write']>[1], scope: WriterScope): AsyncGenerator<Item> {
  const columns = columnsOf(scope)
  for await (const page of pages)
    for (const product of page)
      for (const branch of branchesOf(product, columns, scope)) yield itemOf(product, branch, scope)
}

function columnsOf(scope: WriterScope) {
  const found = [...required, ...optional].flatMap((field) => sourceOf(scope, field, { level: 2, attr: field }) ?? []) // prettier-ignore
  const has = new Set(found.map(({ heading }) => heading))
  const lacking = required.filter((field) => !has.has(field) && constantOf(scope, field) === undefined && field !== 'title' && !(field === 'image_link' && scope.kindOf('images'))) // prettier-ignore
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
  const [path = ''] = listOf(branch.get('files'))
  const filled = (text: string) => text.replaceAll('{tid}', encodeURIComponent(tid)).replaceAll('{product}', encodeURIComponent(product.tid!)).replaceAll('{path}', path.split('/').map(encodeURIComponent).join('/').replace(/^\//, '')) // prettier-ignore
  const item = new Map<string, string>([['id', tid]])
  for (const field of [...required, ...optional]) {
    const constant = constantOf(scope, field)
    const text = branch.get(field).replaceAll(listSign, ', ') || (constant === undefined ? '' : filled(constant))
    if (text !== '')
      item.set(field, prices.has(field) ? priced(text, scope, tid) : text.slice(0, most[field as 'title'] ?? 5000))
  }
  if (!item.has('title')) item.set('title', branch.get('name').slice(0, most.title))
  const [image, ...more] = listOf(branch.get('images'))
  if (!item.has('image_link') && image !== undefined) item.set('image_link', image)
  if (more.length > 0) item.set('additional_image_link', more.slice(0, 10).join(','))
  if (tid !== product.tid) item.set('item_group_id', product.tid!)
  return item
}

/** `12.50 EUR`: the currency is part of the value, or the constant `currency`, which also chooses one of several amounts. */
function priced(sent: string, scope: WriterScope, tid: string): string {
  const currency = constantOf(scope, 'currency')
  const amounts = amountsOfPrice(sent)
  const text = amounts.length > 1 ? amounts.find((one) => currency !== undefined && one.endsWith(` ${currency}`)) : sent
  if (text === undefined)
    throw new Problem('invalid', `layout google: an item has one price, but that of ${tid.slice(0, 100)} (${sent.slice(0, 100)}) has amounts in several currencies; name one of them as currency in constants`) // prettier-ignore
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
    const parts = fields.flatMap((field) => {
      const text = item.get(field)
      if (text === undefined) return []
      const values = field === 'additional_image_link' ? text.split(',') : [text]
      return values.map((value) => `<g:${field}>${escape(value)}</g:${field}>`)
    })
    yield Buffer.from(`<item>${parts.join('')}</item>\n`)
  }
  yield Buffer.from('</channel></rss>\n')
}
