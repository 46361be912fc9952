import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('dialogs', () => {
  const console = withConsole()

  journey('a dialog asks before what was entered is discarded', async () => {
    const page = await console.signIn('/sharing')
    await page.getByRole('button', { name: 'New collection' }).click()
    const dialog = page.getByRole('dialog')
    const name = dialog.getByRole('textbox', { name: 'Name' })
    await name.fill('Press')
    await page.mouse.click(5, 5)
    await page.getByRole('heading', { name: 'Discard what you entered?' }).waitFor()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Continue editing' }).click()
    expect(await name.inputValue()).toBe('Press')

    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Discard what you entered?' }).waitFor()
    await page.keyboard.press('Escape') // back to the form
    await name.waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: 'New collection' }).click()
    expect(await name.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  journey('a form whose button is clicked twice is stored once', async () => {
    const page = await console.signIn('/sharing')
    await page.route('**/collections', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue()
    })
    await page.getByRole('button', { name: 'New collection' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Once')
    await dialog.getByRole('button', { name: 'Save' }).dblclick()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: 'Once', level: 2 }).waitFor()
    const { collections = [] } = await console.client().collections.listCollections()
    expect(collections.map(({ name }) => name)).toEqual(['Once'])
  })
})
