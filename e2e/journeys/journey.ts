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
  /** A page in a new browser context, without signing in. */
  visitor(): Promise<Page>
  /** A new user, who has chosen their own password. */
  addUser(name: string, roles: string[]): Promise<{ name: string; password: string }>
  /** An API client of the administrator, to prepare data. */
  client(): Client
}

export const admin = { name: 'admin', password: 'a quiet heron by the weir' }
/** Generous, because test machines are shared. */
const timeoutMs = 90_000
const executablePath = findBrowser()

export const journey = (name: string, run: () => Promise<void>): void =>
  test.skipIf(!executablePath || !existsSync(builtConsole))(name, run)

/** Everybody is a newcomer in a new browser. A journey that takes the tour sets the key to another value. */
const withoutTour = `localStorage.getItem('kontor.tour') ?? localStorage.setItem('kontor.tour', 'off')`

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
  const visitor = async () => {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 }, ...options })
    await context.addInitScript(withoutTour)
    const page = await context.newPage()
    page.setDefaultTimeout(timeoutMs)
    return page
  }
  const signIn = async (path = '/', { name, password } = admin) => {
    const page = await visitor()
    await page.goto(kontor.url + path)
    await fillSignIn(page, { name, password })
    return page
  }
  return {
    url: (path) => kontor.url + path,
    signIn,
    visitor,
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

/**
 * Checks the current page by axe, in both colour schemes: no serious violation of WCAG 2.2 A and AA. Only colours differ
 * between the schemes, so the second pass checks contrast alone. The page returns to the scheme it had.
 */
export async function checkAccess(page: Page): Promise<void> {
  // evaluated through the debugger, because the content security policy blocks injected scripts
  await page.evaluate(axe)
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const [scheme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  // polled, because elements that fade in or out have too little contrast for a moment
  await expect.poll(() => seriousViolations(page, allRules), { interval: 500 }).toEqual([])
  await showScheme(page, other)
  try {
    await expect
      .poll(() => seriousViolations(page, contrast), { interval: 500, message: `colours in ${other}` })
      .toEqual([])
  } finally {
    await showScheme(page, scheme)
  }
}

/** The console follows the scheme of the system. The sign-in page does so by CSS, without the attribute. */
async function showScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  const shown = () => page.evaluate<string>(`document.documentElement.dataset.mantineColorScheme ?? '${scheme}'`)
  await expect.poll(shown, { interval: 50 }).toBe(scheme)
}

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const contrast = ['color-contrast']

async function seriousViolations(page: Page, runOnly: readonly string[]): Promise<string[]> {
  const violations = await page.evaluate<Violation[]>(`axe.run(document, {
    runOnly: ${JSON.stringify(runOnly)},
    resultTypes: ['violations'],
  }).then(({ violations }) => violations)`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join('\n')}`,
    )
}
