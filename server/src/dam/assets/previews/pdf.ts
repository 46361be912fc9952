/** Renders pages of a PDF and reads their text. Nothing in the document is executed: the library has no scripting and no network access. */
import { readFile } from 'node:fs/promises'
import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import sharp, { type Sharp } from 'sharp'
import type { Box, Order } from './message.ts'
import { fullsizeAt, larger, type Picture, scaleFor } from './picture.ts'

/** PDF pages are measured in points. */
const pointsPerInch = 72

/** Renders the first page and provides the following pages lazily. */
export async function fromPdf(file: string, order: Order): Promise<Picture> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(await readFile(file))
    const page = document.getPage(0)
    const { originalWidth: width, originalHeight: height } = page.getOriginalSize()
    const bounded = fullsizeAt(order, { width, height }, pointsPerInch)
    const image = await draw(page, order, larger(bounded.fullsize ?? order.boxes.fullsize, order.boxes.preview))
    const count = Math.min(document.getPageCount(), order.pages)
    document.destroy()
    const pages = { ...(count > 1 && { pages: otherPages(file, order, count) }) }
    return { image, width: Math.round(width), height: Math.round(height), isVector: true, ...bounded, ...pages }
  } finally {
    library.destroy()
  }
}

/** Sequential, so that only one page is in memory at a time. */
async function* otherPages(file: string, order: Order, count: number): AsyncGenerator<Sharp> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(await readFile(file))
    for (let number = 1; number < count; number++)
      yield await draw(document.getPage(number), order, order.boxes.fullsize)
    document.destroy()
  } finally {
    library.destroy()
  }
}

/** The library frees the pages that it read only with the document, so that is opened again now and then. */
const pagesAtOnce = 100

/** The text of each page. */
export async function* pdfTexts({ file }: Order): AsyncGenerator<string> {
  const bytes = await readFile(file)
  for (let [first, count] = [0, 1]; first < count; first += pagesAtOnce) {
    const library = await PDFiumLibrary.init()
    try {
      const document = await library.loadDocument(bytes)
      count = document.getPageCount()
      const end = Math.min(count, first + pagesAtOnce)
      for (let number = first; number < end; number++) yield document.getPage(number).getText()
      document.destroy()
    } finally {
      library.destroy()
    }
  }
}

async function draw(page: PDFiumPage, order: Order, box: Box): Promise<Sharp> {
  const { originalWidth: width, originalHeight: height } = page.getOriginalSize()
  const scale = scaleFor(order, { width, height }, box)
  if (!(scale > 0) || !Number.isFinite(scale)) throw new Error('a page has no size')
  const made = await page.render({ scale, render: 'bitmap' })
  const raw = { width: made.width, height: made.height, channels: 4 } as const
  return sharp(Buffer.from(made.data), { raw }).flatten({ background: '#fff' })
}
