import { describe, expect } from 'vitest'
import { admin, checkAccess, journey, withConsole } from './journey.ts'

describe('signing in', () => {
  const console = withConsole()

  journey('leads through the login page to the requested URL, and survives a reload', async () => {
    const page = await console.signIn('/?loc=de_DE')
    expect(page.url()).toBe(console.url('/?loc=de_DE'))
    expect(await page.title()).toContain('Kontor')
    await checkAccess(page)
    await page.reload()
    await page.waitForSelector('h1')
    expect(page.url()).toBe(console.url('/?loc=de_DE'))
  })

  journey('signing out ends the session at the provider too', async () => {
    const page = await console.signIn()
    await page.getByRole('button', { name: 'Account: admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const confirm = page.getByRole('button', { name: /sign out|yes/i })
    await Promise.race([confirm.waitFor(), page.waitForSelector('input[name=username]')])
    if (await confirm.isVisible()) await confirm.click()
    await page.waitForSelector('input[name=username]')
    await page.goto(console.url('/'))
    await page.waitForSelector('input[name=username]')
  })

  journey('an unknown URL shows the not-found page, in both languages', async () => {
    const page = await console.signIn('/nowhere/at/all')
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('button', { name: 'Account: admin' }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Diese Seite gibt es nicht' }).waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await checkAccess(page)
  })

  journey('the command palette goes to a page by its name', async () => {
    const page = await console.signIn('/nowhere')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to or search …').fill('Home')
    await page.keyboard.press('Enter')
    await page.waitForURL(console.url('/'))
  })

  journey('newcomers get a tour, once, by keyboard too, and help on every screen starts it again', async () => {
    const page = await console.signIn()
    await page.evaluate(`localStorage.setItem('kontor.tour', 'on')`)
    await page.reload()
    const tour = page.getByRole('dialog', { name: 'A tour of Kontor' })
    await tour.getByText('1 of 6').waitFor()
    await checkAccess(page)
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight')
    await tour.getByText('6 of 6').waitFor()
    await page.keyboard.press('Enter')
    await tour.waitFor({ state: 'detached' })

    await page.goto(console.url('/transfers'))
    await page.getByRole('button', { name: 'Help' }).click()
    await page.getByText('Import a spreadsheet, XML or ZIP').last().waitFor()
    const more = await page.getByRole('link', { name: 'More in the documentation' }).getAttribute('href')
    expect(await (await fetch(console.url(more!))).text()).toContain('# Map a file of another system')
    await checkAccess(page)
    expect(await tour.count()).toBe(0)
    await page.getByRole('button', { name: 'Start the tour' }).click()
    await tour.getByText('1 of 6').waitFor()
    await page.keyboard.press('Escape')
    await tour.waitFor({ state: 'detached' })
  })
})

describe('on a phone, in German', () => {
  const console = withConsole({ viewport: { width: 360, height: 740 }, locale: 'de-DE' })

  journey(
    'the login page is in German, explains a wrong password, and the account menu fits on the screen',
    async () => {
      const page = await console.signIn('/', { name: 'admin', password: 'not that one' })
      expect(await page.textContent('h1')).toBe('Anmelden')
      await page.getByText('Benutzername oder Passwort ist falsch.').waitFor()
      await checkAccess(page)
      await page.getByLabel('Passwort').fill(admin.password)
      await page.getByRole('button', { name: 'Anmelden' }).click()
      await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor()
      const account = await page.getByRole('button', { name: 'Konto: admin' }).boundingBox()
      expect(account!.x + account!.width).toBeLessThanOrEqual(360)
      await checkAccess(page)
    },
  )

  journey('facets have German names', async () => {
    const { pim } = console.client()
    await pim.classes.persist([{ tid: 'Boote', name: { itm: [{ value: 'Boote', loc: 'de_DE' }] } }])
    await pim.products.persist([{ tid: 'J1', name: 'Jolle', node: '/Boote' }])
    const page = await console.signIn('/search?q=Jolle')
    const kinds = page.getByRole('region', { name: 'Art', exact: true })
    await kinds.getByText('Produkt').waitFor()
    await page.getByRole('region', { name: 'Geändert von' }).waitFor()
  })
})
