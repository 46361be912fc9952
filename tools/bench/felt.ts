/**
 * The console as people feel it, on the demo catalogue in a real browser: for each main click, how soon something visible
 * answers (a sketch or the content), how soon the page is complete, and how much its layout shifts while it loads.
 *
 * Times are taken in the page: from the click to the frame after which the change is on the screen.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { builtConsole } from '../../server/src/console/console.ts'
import { ensureBrowser, noBrowser } from '../browser.ts'
import { signInTo } from './console.ts'
import type { Row, Table } from './measure.ts'
import type { BenchServer } from './server.ts'

const turns = 5
const aims = 'answer at most 100 ms, complete at most 300 ms, layout shift 0'

interface Click {
  readonly what: string
  /** Where the click is made. */
  readonly from: string
  /** A CSS selector of what is clicked. */
  readonly target: string
  /** The URL after the click begins so. */
  readonly path: string
  /** A CSS selector of the content without which the page is not complete. */
  readonly content: string
}

const link = (path: string) => `nav a[href^="${path}"]`
const row = '[role=grid] [role=row]:has([role=gridcell]):not(:has(input:disabled))'
const clicks: readonly Click[] = [
  { what: 'Products', from: '/keywords', target: link('/products'), path: '/products', content: row },
  {
    what: 'a product in the grid',
    from: '/products',
    target: `${row} [role=gridcell]:nth-child(3)`,
    path: '/products/',
    content: 'textarea, input',
  },
  { what: 'Assets', from: '/keywords', target: link('/assets'), path: '/assets', content: '#content img' },
  { what: 'Channels', from: '/keywords', target: link('/channels'), path: '/channels', content: '[role=treeitem]' },
  { what: 'Search', from: '/keywords', target: link('/search'), path: '/search', content: '#content input' },
  {
    what: 'Tasks',
    from: '/keywords',
    target: link('/tasks'),
    path: '/tasks',
    content: '#content h2, #content [role=row]',
  },
  { what: 'Model', from: '/keywords', target: link('/model'), path: '/model', content: '[role=treeitem]' },
  { what: 'Glossaries', from: '/keywords', target: link('/glossaries'), path: '/glossaries', content: row },
  { what: 'Import & export', from: '/keywords', target: link('/transfers'), path: '/transfers', content: 'h1' },
  { what: 'Settings', from: '/keywords', target: link('/settings'), path: '/settings', content: '#content input' },
]

export async function consoleFelt(server: BenchServer): Promise<Table[]> {
  const title = 'The console as felt, on the demo catalogue'
  const executablePath = ensureBrowser()
  if (!executablePath) return [{ title, baseline: '', rows: [{ what: noBrowser, rate: 'skipped' }] }]
  execFileSync(process.execPath, ['cli/bin/kontor.mjs', 'demo', 'install'], {
    env: { ...process.env, KONTOR_DATA: server.data },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await signInTo(browser, server)
    const rows: Row[] = [{ what: 'first load, compressed JavaScript (at most 250 KB)', rate: `${firstLoadKb()} KB` }]
    for (const click of clicks) rows.push(await measureClick(page, server.url, click))
    return [{ title: `${title}: ${aims}`, baseline: '', rows }]
  } finally {
    await browser.close()
  }
}

/** The script of the page and everything it imports, as the server sends it to browsers without Brotli. */
function firstLoadKb(): number {
  interface Chunk {
    readonly file: string
    readonly isEntry?: boolean
    readonly imports?: readonly string[]
  }
  const manifest = JSON.parse(readFileSync(join(builtConsole, 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const needed = new Set<string>()
  const need = (key: string) => {
    if (needed.has(key)) return
    needed.add(key)
    manifest[key]!.imports?.forEach(need)
  }
  for (const key of Object.keys(manifest)) if (manifest[key]!.isEntry) need(key)
  const bytes = [...needed].map((key) => statSync(join(builtConsole, `${manifest[key]!.file}.gz`)).size)
  return Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1000)
}

interface Felt {
  readonly answer: number
  readonly complete: number
  readonly shift: number
}

async function measureClick(page: Page, url: string, click: Click): Promise<Row> {
  const taken: Felt[] = []
  for (let turn = 0; turn < turns; turn++) {
    await page.goto(url + click.from) // loads the console anew: nothing is known from before
    await page.locator(click.target).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.locator(click.target).first().hover()
    await page.evaluate(watch(click))
    await page.locator(click.target).first().click()
    await page.waitForFunction('felt.complete !== undefined', undefined, { timeout: 20_000 }).catch(() => {})
    taken.push(await page.evaluate<Felt>(`({ answer: Infinity, complete: Infinity, ...felt })`))
  }
  const middle = (name: keyof Felt) => taken.map((felt) => felt[name]).toSorted((a, b) => a - b)[turns >> 1]!
  const shift = middle('shift').toFixed(3)
  return {
    what: click.what,
    rate: `answer ${middle('answer').toFixed(0)} ms, complete ${middle('complete').toFixed(0)} ms, layout shift ${shift}`,
  }
}

/** A text, because it runs in the page: watches every frame after the click. */
const watch = ({ path, content }: Click) => `{
  globalThis.felt = { shift: 0 }
  // shifts within half a second of a click count too: the click asked for another page, not for its parts to move
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) felt.shift += value }).observe({ type: 'layout-shift' })
  addEventListener('click', ({ timeStamp }) => {
    let changed = false
    const observer = new MutationObserver(() => (changed = true))
    observer.observe(document.querySelector('#content'), { childList: true, subtree: true })
    const look = (frame) => {
      const since = frame - timeStamp
      if (changed && felt.answer === undefined) felt.answer = since
      const isThere = location.pathname.startsWith(${JSON.stringify(path)}) && document.querySelector(${JSON.stringify(content)})
      if (felt.answer !== undefined && isThere && !document.querySelector('#content [data-sketch]')) felt.complete = since
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, { capture: true, once: true })
}`
