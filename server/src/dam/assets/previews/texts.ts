/**
 * The text of documents by page, slide or sheet, for the search. Amounts are bounded; the timeout and the memory limit of
 * the worker end what gets past the bounds.
 */
import { pdfTexts } from './pdf.ts'
import type { Order } from './message.ts'
import { oldOfficeTexts } from './office.ts'
import { officeTexts } from './office-texts.ts'
import { oldOffice } from '../../found/analysis.sql.ts'

/** Of all pages together. */
const maxCharacters = 400_000
const maxPages = 2000

const sources: ReadonlyMap<string, (order: Order) => AsyncIterable<string>> = new Map([
  ['application/pdf', pdfTexts],
  ['application/illustrator', pdfTexts],
  ...officeTexts,
  ...oldOffice.map((mime) => [mime, oldOfficeTexts] as const),
])

/** An element for each page; '' for a page without text. */
export async function textsOf(order: Order): Promise<{ pages: string[]; isCut: boolean }> {
  const pages: string[] = []
  let left = maxCharacters
  for await (const text of sources.get(order.mime)?.(order) ?? []) {
    if (left <= 0 || pages.length >= maxPages) return { pages, isCut: true }
    const page = plain(text).slice(0, left).toWellFormed()
    pages.push(page)
    left -= page.length
  }
  return { pages, isCut: left <= 0 }
}

/** Without control characters, which PostgreSQL and XML refuse, and with single spaces. */
// oxlint-disable-next-line no-control-regex
const plain = (text: string) => text.replaceAll(/[\s\0-\x1f\x7f-\x9f\ufffe\uffff]+/g, ' ').trim()
