/**
 * The console with a million products, in a real browser: how soon the grid shows its first page, in every order it offers,
 * and whether rows in sight are ever empty while one scrolls.
 *
 * Times are those of a person: from the click to the frame in which the rows stand there.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { sql } from '../../server/src/adapters/postgres/sql.ts'
import { ensureBrowser, noBrowser } from '../browser.ts'
import { fillProducts } from '../generate-products.ts'
import type { Row, Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const turns = 5
/** A notch of the wheel in pixels, as browsers count it; how many are turned, and how many milliseconds apart. */
const wheel = { notch: 100, notches: 600, apart: 16 }

export async function consoleGrid(server: BenchServer, count = 1_000_000): Promise<Table[]> {
  const title = `The console with ${count.toLocaleString('en')} products, in a browser`
  const executablePath = ensureBrowser()
  if (!executablePath) return [{ title, baseline: '', rows: [{ what: noBrowser, rate: 'skipped' }] }]
  await fillProducts(server.database, count)
  await server.database.run(sql`vacuum analyze product`) // the database does it by itself, a minute later
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await signInTo(browser, server)
    const rows = [await opening(page, server.url)]
    for (const header of ['Name', 'Tid', 'Updated']) rows.push(await ordering(page, server.url, header))
    rows.push(await scrolling(page, server.url), await jumping(page))
    return [{ title, baseline: '', rows }]
  } finally {
    await browser.close()
  }
}

export async function signInTo(browser: Browser, { url, password }: BenchServer): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', bypassCSP: true })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(`localStorage.setItem('kontor.tour', 'off')`)
  await page.goto(url)
  await page.fill('input[name=username]', 'admin')
  await page.fill('input[name=password]', password)
  await page.click('button[type=submit]')
  await page.getByRole('link', { name: 'Products', exact: true }).waitFor()
  return page
}

// Counts elements of the page; a text, because it runs in the page

const rowsInSight = `[...document.querySelectorAll('[role=grid] [role=row]:has([role=gridcell])')].filter((row) => {
  const grid = row.closest('[role=grid]').getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  return bottom > grid.top && top < grid.bottom
})`
/** A row that is not loaded yet cannot be chosen. */
const emptyRow = '[role=row] input:disabled'
const isEmpty = `(row) => row.querySelector('input:disabled') !== null`
const stands = `((rows) => rows.length > 0 && !rows.some(${isEmpty}))(${rowsInSight})`
const firstRow = `document.querySelector('[role=grid] [role=row]:has([role=gridcell])')?.textContent`

const rowsStand = (page: Page) => page.waitForFunction(stands)

// Actions of users

async function opening(page: Page, url: string): Promise<Row> {
  const ms = await medianOf(async () => {
    await page.goto(`${url}/keywords`) // loads the console anew: nothing is known from before
    const link = page.getByRole('link', { name: 'Products', exact: true })
    await link.waitFor()
    await page.waitForLoadState('networkidle')
    return async () => {
      await link.click()
      await rowsStand(page)
    }
  })
  return { what: 'first page, from the click on Products (at most 500 ms)', rate: inMs(ms) }
}

async function ordering(page: Page, url: string, header: string): Promise<Row> {
  const ms = await medianOf(async () => {
    await page.goto(`${url}/products?sort=created-desc`)
    await rowsStand(page)
    await page.waitForLoadState('networkidle')
    const before = JSON.stringify(await page.evaluate(firstRow))
    return async () => {
      await page.getByRole('columnheader', { name: header }).getByRole('button').click()
      await page.waitForFunction(`${firstRow} !== ${before} && ${stands}`)
    }
  })
  return { what: `first page in the order of ${header.toLowerCase()}, from the click on its header`, rate: inMs(ms) }
}

async function scrolling(page: Page, url: string): Promise<Row> {
  await page.goto(`${url}/products`)
  await rowsStand(page)
  await page.getByRole('grid').hover()
  await page.evaluate(`{
    globalThis.seen = { frames: 0, empty: 0 }
    const look = () => {
      seen.frames++
      if (document.querySelector(${JSON.stringify(emptyRow)}) && ${rowsInSight}.some(${isEmpty})) seen.empty++
      requestAnimationFrame(look)
    }
    look()
  }`)
  const started = performance.now()
  for (let i = 0; i < wheel.notches; i++) {
    await page.mouse.wheel(0, wheel.notch)
    await pause(wheel.apart)
  }
  const seconds = (performance.now() - started) / 1000
  await rowsStand(page)
  const { frames, empty } = await page.evaluate<{ frames: number; empty: number }>('seen')
  const row = await page.evaluate<number>(`Number(${rowsInSight}[0].ariaRowIndex)`)
  const pace = `${(row / seconds).toFixed(0)} rows/s, ${(frames / seconds).toFixed(0)} frames/s`
  return {
    what: `${row} rows by the wheel: frames with an empty row in sight`,
    rate: `${empty} of ${frames} (${pace})`,
  }
}

/** To the middle by the scroll bar: what is there was never asked for. */
async function jumping(page: Page): Promise<Row> {
  let part = 0.5
  const ms = await medianOf(async () => {
    part += 0.01
    return async () => {
      await page.evaluate(
        `{ const grid = document.querySelector('[role=grid]'); grid.scrollTop = grid.scrollHeight * ${part} }`,
      )
      await page.waitForFunction(`${rowsInSight}.some((row) => row.ariaRowIndex > 1000)`)
      await rowsStand(page)
    }
  })
  return { what: 'rows half a million further, from letting go of the scroll bar', rate: inMs(ms) }
}

/** `prepare` does what does not count, and returns what does. */
async function medianOf(prepare: () => Promise<() => Promise<unknown>>): Promise<number> {
  const taken: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const act = await prepare()
    const started = performance.now()
    await act()
    taken.push(performance.now() - started)
  }
  return taken.toSorted((a, b) => a - b)[turns >> 1]!
}
const inMs = (ms: number) => `${ms.toFixed(0)} ms`
