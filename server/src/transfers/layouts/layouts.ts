/** The layouts by name. `plain` is Kontor's own table, which every other file is unless it is detected. */
import { transferLayouts } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import type { LayoutName, TransferFormat } from '../options.ts'
import { akeneoDocument, akeneoTable, mediaHome } from './akeneo.ts'
import { bmecat } from './bmecat.ts'
import { gs1 } from './gs1.ts'
import type { Layout, LayoutWriter } from './layout.ts'
import { googleWriter } from './google.ts'
import { shopifyTable } from './shopify.ts'
import { shopifyWriter } from './shopify-write.ts'
import { shopwareTable } from './shopware.ts'
import { woocommerceTable } from './woocommerce.ts'
import { xliffReader } from './xliff-read.ts'
import { xliffWriter } from './xliff-write.ts'

const layouts: Readonly<Record<LayoutName, Layout>> = {
  plain: {},
  akeneo: { table: akeneoTable, document: akeneoDocument, media: { folder: 'files/', home: mediaHome } },
  google: { writer: googleWriter },
  shopify: { table: shopifyTable, writer: shopifyWriter },
  woocommerce: { table: woocommerceTable },
  shopware: { table: shopwareTable },
  bmecat,
  gs1,
  xliff: { objects: xliffReader, writer: xliffWriter },
}

export const layoutNamed = (name: LayoutName): Layout => layouts[name]

/** The name that a call gives. */
export function demandLayout(name: string | undefined): LayoutName | undefined {
  if (name === undefined) return undefined
  const found = transferLayouts.find((one) => one === name.toLowerCase())
  if (found) return found
  throw new Problem(
    'invalid',
    `layout: unknown layout ${name.slice(0, 50)}; expected one of ${transferLayouts.join(', ')}`,
  )
}

/** The layout of a table, by its headings; the first that fits. */
export function detectTable(headings: readonly string[]): LayoutName {
  const set = new Set(headings)
  return transferLayouts.find((name) => layouts[name].table?.detects(set)) ?? 'plain'
}

/** The layout of a document, by its first characters. */
export const detectDocument = (format: TransferFormat, head: string): LayoutName =>
  transferLayouts.find((name) => {
    const { document, objects } = layouts[name]
    return [document, objects].some((reader) => reader?.format === format && reader.detects(head))
  }) ?? 'plain'

export function demandWriter(name: LayoutName, format: TransferFormat): LayoutWriter {
  const { writer } = layouts[name]
  if (writer?.formats.includes(format)) return writer
  const possible = writer?.formats.join(' or ')
  throw new Problem('invalid', `layout: ${name} cannot be written as ${format}${possible === undefined ? '; it is only read' : `; choose ${possible}`}`) // prettier-ignore
}
