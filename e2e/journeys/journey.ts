/**
 * People at the console: a real browser, a real server, a database of its own.
 *
 *   const console = withConsole()
 *   journey('a product is made', async () => {
 *     const page = await console.signIn()
 *     await page.goto(console.url('/products'))
 *     await checkAccess(page)
 *   })
 *
 * Without a Chromium on the machine, or without a built console, journeys are skipped.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { createClient, type Client, passwordTokens } from '@kontor/sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtConsole } from '../../server/src/console/console.ts'
import { createDatabase } from '../../server/test/database.ts'
import { findBrowser } from '../../tools/browser.ts'
import { dataFolder, type Kontor, removeFolder, spawnKontor, whenReady } from '../kontor.ts'

export interface TestConsole {
  /** The address of a place. */
  url(place: string): string
  /** A page in a browser of its own, signed in as the administrator, or as somebody else. */
  signIn(place?: string, who?: { name: string; password: string }): Promise<Page>
  /** The interface, for preparing what a journey starts from. */
  client(): Client
}

export const admin = { name: 'admin', password: 'a quiet heron by the weir' }
/** Machines differ; a page that does not come within this is broken. */
const patience = 30_000
const executablePath = findBrowser()

export const journey = test.skipIf(!executablePath || !existsSync(builtConsole))

export function withConsole(options: BrowserContextOptions = {}): TestConsole {
  vi.setConfig({ testTimeout: 8 * patience, hookTimeout: 4 * patience }) // a journey has many steps
  let kontor: Kontor
  let browser: Browser
  const cleanUp: (() => Promise<unknown> | void)[] = []
  beforeAll(async () => {
    if (!executablePath) return
    const { poolConfig, drop } = await createDatabase()
    cleanUp.push(drop)
    const data = dataFolder()
    cleanUp.push(() => removeFolder(data))
    kontor = spawnKontor({
      DATABASE_URL: poolConfig.connectionString,
      KONTOR_DATA: data,
      KONTOR_ADMIN_PASSWORD: admin.password,
    })
    cleanUp.push(() => kontor.end('SIGTERM'))
    const ready = whenReady(kontor)
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    cleanUp.push(() => browser.close())
    await ready
  })
  afterAll(async () => {
    for (const clean of cleanUp.toReversed()) await clean()
  })
  return {
    url: (place) => kontor.url + place,
    async signIn(place = '/', { name, password } = admin) {
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 }, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(patience)
      await page.goto(kontor.url + place)
      await page.fill('input[name=username]', name)
      await page.fill('input[name=password]', password)
      await page.click('button[type=submit]')
      await page.waitForSelector('h1')
      return page
    },
    client: () =>
      createClient({
        baseUrl: kontor.url,
        tokens: passwordTokens({ baseUrl: kontor.url }, admin.name, admin.password),
      }),
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary?: string }[]
}

/** WCAG 2.2 A and AA, as far as a program can see it: no serious fault on the page as it is now. */
export async function checkAccess(page: Page): Promise<void> {
  // by the debugger, because the page's policy lets no other script in
  await page.evaluate(axe)
  // what fades in or out is paler than it is to be: only a fault that stays is one
  await expect.poll(() => graveFaults(page), { timeout: patience, interval: 500 }).toEqual([])
}

async function graveFaults(page: Page): Promise<string[]> {
  const violations = await page.evaluate<Violation[]>(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
  }).then(({ violations }) => violations)`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join('\n')}`,
    )
}
