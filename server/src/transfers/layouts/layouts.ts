/** The layouts by name. `plain` is Kontor's own table, which every other file is unless it is detected. */
import { transferLayouts } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import type { LayoutName, TransferFormat } from '../options.ts'
import type { Layout } from './layout.ts'

const layouts: Readonly<Record<LayoutName, Layout>> = {
  plain: {},
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
    const { document } = layouts[name]
    return document?.format === format && document.detects(head)
  }) ?? 'plain'
