/**
 * `npm run screenshots [name …]`: takes pictures of every screen, light and dark, and writes them to docs/screens.
 *
 * The script starts its own server with the demo data in a temporary folder. Screens are rows of the table below. A
 * screen that fails is reported, and the others are still taken. README.md in the same folder shows all pictures.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureBrowser, noBrowser } from './browser.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'docs', 'screens')
const password = 'a quiet heron by the weir'
/** `open` prepares the page at `path` before the picture is taken. */
interface Screen {
  readonly name: string
  readonly path: string
  readonly open?: (page: Page) => Promise<void>
}

const openFirst = async (page: Page) => {
  await page.getByRole('grid').getByRole('link').first().click()
  await page.getByRole('tab').first().waitFor()
}

/** Waits for the demo's previews, which the server makes in the background. */
const awaitPreviews = async (page: Page) => {
  await page.locator('[role=option] img').nth(11).waitFor({ timeout: 180_000 })
}
const openAsset = async (page: Page) => {
  await awaitPreviews(page)
  await page.getByRole('option').first().click()
  await page.getByRole('link', { name: 'Open details' }).click()
  await page.getByRole('tab').first().waitFor()
}
const openTask = async (page: Page) => {
  await page.getByRole('gridcell', { name: 'Review files' }).first().dblclick()
  await page.waitForURL(/\/tasks\/\d+/)
}

const openChannel = async (page: Page) => {
  await page.getByRole('treeitem', { name: 'Deutschland' }).click()
  await page.locator('main img').nth(7).waitFor()
}
const openFirstNode = (page: Page) => page.getByRole('treeitem').nth(1).click()

// prettier-ignore
const screens: readonly Screen[] = [
  { name: 'home', path: '/' },
  { name: 'products', path: '/products?sort=tid-asc' },
  { name: 'product', path: '/products?q=Life+jacket&sort=tid-asc', open: openFirst },
  { name: 'model', path: '/model', open: openFirstNode },
  { name: 'assets', path: '/assets?dir=/MAM/Fjordlin/Scenes&open=/MAM|/MAM/Fjordlin', open: awaitPreviews },
  { name: 'asset', path: '/assets?dir=/MAM/Fjordlin/Scenes', open: openAsset },
  { name: 'search', path: '/search?q=jacket' },
  { name: 'channels', path: '/channels', open: openChannel },
  { name: 'readiness', path: '/channels?tab=readiness', open: openFirstNode },
  { name: 'keywords', path: '/keywords', open: openFirstNode },
  { name: 'glossaries', path: '/glossaries' },
  { name: 'messages', path: '/messages' },
  { name: 'tasks', path: '/tasks?scope=all' },
  { name: 'task', path: '/tasks?scope=all', open: openTask },
  { name: 'workflow', path: '/workflow?part=definitions' },
  { name: 'transfers', path: '/transfers' },
  { name: 'settings', path: '/settings?part=users' },
  { name: 'api', path: '/api-reference' },
]

const gallery = [
  '# Screens',
  '',
  'Every screen of the console with the demo data, light and dark. Taken by `npm run screenshots`.',
  '',
  ...screens.flatMap(({ name }) => [
    `![${name}, light](${name}-light.png)`,
    '',
    `![${name}, dark](${name}-dark.png)`,
    '',
  ]),
].join('\n')

async function main(): Promise<void> {
  const executablePath = ensureBrowser()
  if (!executablePath) throw new Error(noBrowser)
  const only = process.argv.slice(2)
  const selected = screens.filter(({ name }) => only.length === 0 || only.includes(name))
  mkdirSync(target, { recursive: true })
  const data = mkdtempSync(join(tmpdir(), 'kontor-screens-'))
  chmodSync(data, 0o755) // when root runs this, the database runs as another user and must read the folder
  const kontor = spawn(process.execPath, ['server/src/main.ts', '--demo'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      KONTOR_PORT: '0',
      KONTOR_DATA: data,
      KONTOR_ADMIN_PASSWORD: password,
      KONTOR_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const url = await addressOf(kontor)
    for (const scheme of ['light', 'dark'] as const) await takeAll(browser, url, scheme, selected)
    writeFileSync(join(target, 'README.md'), gallery)
  } finally {
    await browser.close()
    kontor.kill('SIGTERM')
    await new Promise((resolve) => kontor.once('exit', resolve))
    rmSync(data, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Waits until the server is ready, with the demo data installed, and returns its address. */
const addressOf = (kontor: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let output = ''
    kontor.stdout!.on('data', (chunk: Buffer) => {
      output += String(chunk)
      const address = /Kontor is ready: (http[^\s"]+)/.exec(output)?.[1]
      if (address) resolve(address)
    })
    kontor.once('exit', () => reject(new Error(`Kontor ended:\n${output}`)))
  })

/** Source text, because the browser evaluates it: no part of the page is still a sketch, and all visible images have loaded. */
const visibleImagesLoaded = `!document.querySelector('[data-sketch]') && [...document.images].every((image) => {
  const { top, bottom } = image.getBoundingClientRect()
  return bottom < 0 || top > innerHeight || (image.complete && image.naturalWidth > 0)
})`

async function takeAll(
  browser: Browser,
  url: string,
  scheme: 'light' | 'dark',
  selected: readonly Screen[],
): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    colorScheme: scheme,
    locale: 'en-GB',
    bypassCSP: true,
  })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(`localStorage.setItem('kontor.tour', 'off')`)
  await page.goto(url)
  await page.fill('input[name=username]', 'admin')
  await page.fill('input[name=password]', password)
  await page.click('button[type=submit]')
  await page.waitForSelector('h1')
  for (const { name, path, open } of selected) {
    try {
      await page.goto(url + path)
      await page.waitForSelector('h1')
      await open?.(page)
      await page.waitForLoadState('networkidle')
      await page.waitForFunction(visibleImagesLoaded)
      await page.screenshot({ path: join(target, `${name}-${scheme}.png`) })
      console.log(`${name}, ${scheme}`)
    } catch (error) {
      console.error(`${name}, ${scheme}: ${(error as Error).message.split('\n')[0]}`)
      process.exitCode = 1
    }
  }
  await page.close()
}

await main()
