import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('signing in', () => {
  const console = withConsole()

  journey('leads through the login page to the place that was asked for, and survives a reload', async () => {
    const page = await console.signIn('/?loc=de_DE')
    expect(page.url()).toBe(console.url('/?loc=de_DE'))
    expect(await page.title()).toContain('Kontor')
    await checkAccess(page)
    await page.reload()
    await page.waitForSelector('h1')
    expect(page.url()).toBe(console.url('/?loc=de_DE'))
  })

  journey('ends at both ends: after signing out, the login page is there again', async () => {
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

  journey('an address that leads nowhere says so, in the language of the reader', async () => {
    const page = await console.signIn('/nowhere/at/all')
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
    await page.getByRole('button', { name: 'Account: admin' }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Diese Seite gibt es nicht' }).waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await checkAccess(page)
  })

  journey('the command palette goes to a place by its name', async () => {
    const page = await console.signIn('/nowhere')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Go to or search …').fill('Home')
    await page.keyboard.press('Enter')
    await page.waitForURL(console.url('/'))
  })
})
