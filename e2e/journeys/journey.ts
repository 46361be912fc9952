/**
 * Journeys through the console in a real browser, with a real server and a separate database per file.
 *
 *   const console = withConsole()
 *   journey('a product is created', async () => {
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
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtConsole } from '../../server/src/console/console.ts'
import { createDatabase } from '../../server/test/database.ts'
import { findBrowser } from '../../tools/browser.ts'
import { dataFolder, type Kontor, removeFolder, spawnKontor, whenReady } from '../kontor.ts'

export interface TestConsole {
  /** The URL of a path of the console. */
  url(path: string): string
  /** A page in a new browser context, signed in as the administrator, or as another user. */
  signIn(path?: string, user?: { name: string; password: string }): Promise<Page>
  /** A new user, who has chosen their own password. */
  addUser(name: string, roles: string[]): Promise<{ name: string; password: string }>
  /** An API client of the administrator, to prepare data. */
  client(): Client
}

export const admin = { name: 'admin', password: 'a quiet heron by the weir' }
/** Generous, because test machines are shared. */
const timeoutMs = 90_000
const executablePath = findBrowser()

export const journey = test.skipIf(!executablePath || !existsSync(builtConsole))

export function withConsole(options: BrowserContextOptions = {}): TestConsole {
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
  const client = () =>
    createClient({
      baseUrl: kontor.url,
      tokens: passwordTokens({ baseUrl: kontor.url }, admin.name, admin.password),
    })
  const signIn = async (path = '/', { name, password } = admin) => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 }, ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(timeoutMs)
    await page.goto(kontor.url + path)
    await fillSignIn(page, { name, password })
    return page
  }
  return {
    url: (path) => kontor.url + path,
    signIn,
    async addUser(name, roles) {
      const first = 'a first one by the office'
      const password = 'seven herons over the lock'
      await client().identity.createUser({ body: { name, password: first, roles } })
      const page = await signIn('/', { name, password: first })
      await page.fill('input[name=new-password]', password)
      await page.fill('input[name=repeat-password]', password)
      await page.click('button[type=submit]')
      await page.getByRole('navigation').first().waitFor()
      await page.context().close()
      return { name, password }
    },
    client,
  }
}

/** Fills in the sign-in page on which the browser is. */
export async function fillSignIn(page: Page, { name, password }: { name: string; password: string }): Promise<void> {
  await page.fill('input[name=username]', name)
  await page.fill('input[name=password]', password)
  await page.click('button[type=submit]')
  await page.waitForSelector('h1')
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary?: string }[]
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Checks the current page by axe: no serious violation of WCAG 2.2 A and AA. In the other colour scheme only contrast can
 * differ, so only that is checked there.
 */
export async function checkAccess(page: Page): Promise<void> {
  // evaluated through the debugger, because the content security policy blocks injected scripts
  await page.evaluate(axe)
  await expectAccess(page, standards)
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await expectAccess(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
}

/** Polled, because elements that fade in or out have too little contrast for a moment. */
const expectAccess = (page: Page, rules: readonly string[]) =>
  expect.poll(() => seriousViolations(page, rules), { interval: 500 }).toEqual([])

async function seriousViolations(page: Page, rules: readonly string[]): Promise<string[]> {
  const violations = await page.evaluate<Violation[]>(`axe.run(document, {
    runOnly: ${JSON.stringify(rules)},
    resultTypes: ['violations'],
  }).then(({ violations }) => violations)`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join('\n')}`,
    )
}
