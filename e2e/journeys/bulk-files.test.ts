import { beforeAll, describe, expect } from 'vitest'
import sharp from 'sharp'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
const picture = async (name: string, hue: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 64, height: 48, channels: 3, background: { r: hue, g: 90, b: 20 } } })
    .png()
    .toBuffer(),
})

describe('changes of many files', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { pim } = console.client()
    await pim.classes.persist([{ tid: 'Harbour', ...named('Harbour') }])
    await pim.nodes.persist([{ parentPath: '/Harbour', tid: 'Boats', ...named('Boats') }])
    await pim.products.persist([{ tid: 'FJ-000123', name: 'Storm dinghy', node: '/Harbour/Boats' }])
  })

  const linked = async () =>
    JSON.stringify((await console.client().pim.products.retrieve({ tids: ['FJ-000123'] }))[0]?.links ?? {})

  journey('uploaded files are linked to products by name, renamed, get rights, and all of it is undone', async () => {
    const page = await console.signIn('/assets?dir=/MAM')
    const names = ['FJ-000123_front_1.png', 'FJ-000123_back_2.png', 'FJ-000124_front.png']
    await page
      .locator('input[type=file]')
      .setInputFiles(await Promise.all(names.map((name, i) => picture(name, i * 60))))
    await page.getByText('3 of 3 uploaded').waitFor()
    await page.getByRole('button', { name: 'Link to products by name' }).click()
    const linking = page.getByRole('dialog', { name: 'Link files to products by name' })
    await linking.getByText('Found (2)').waitFor()
    await linking
      .getByRole('cell', { name: /Storm dinghy/ })
      .first()
      .waitFor()
    expect(await linking.getByRole('combobox', { name: 'Type of link', exact: true }).first().inputValue()).toBe('Back')
    await linking.getByText('Not possible (1)').click()
    await linking.getByText('Similar or equal: Storm dinghy (FJ-000123)').waitFor()
    await checkAccess(page)
    await linking.getByRole('button', { name: 'Link 2 files' }).click()
    await page.getByText('2 files changed').waitFor()
    await page.getByRole('button', { name: 'Clear finished' }).click()
    expect(await linked()).toContain('Front')

    await page.getByRole('button', { name: 'Change all' }).click()
    await page.getByRole('menuitem', { name: 'Rename files' }).click()
    const renaming = page.getByRole('dialog', { name: 'Rename files' })
    await renaming.getByRole('textbox', { name: 'New name' }).fill('')
    await renaming.getByRole('combobox', { name: 'Insert' }).click()
    await page.getByRole('option', { name: 'ID of the linked product' }).click()
    await renaming.getByRole('textbox', { name: 'New name' }).press('End')
    await renaming.getByRole('textbox', { name: 'New name' }).pressSequentially('-')
    await renaming.getByRole('combobox', { name: 'Insert' }).click()
    await page.getByRole('option', { name: 'Number among equal names' }).click()
    await renaming.getByText('FJ-000123-2.png').waitFor()
    await renaming.getByText('Not possible (1)').waitFor()
    await checkAccess(page)
    await renaming.getByRole('button', { name: 'Rename 2 files' }).click()
    await page.getByRole('option', { name: 'FJ-000123-1.png' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('option', { name: 'FJ-000123_front_1.png' }).waitFor()

    await page.getByRole('button', { name: 'Change all' }).click()
    await page.getByRole('menuitem', { name: 'Change values, keywords and rights' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change 3 files' })
    const pick = async (field: string, option: string) => {
      await dialog.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await pick('What to do', 'Set usage right')
    await pick('Usage right', 'Licence')
    await dialog.getByRole('textbox', { name: 'Value' }).fill('CC BY 4.0')
    await dialog.getByRole('button', { name: 'Preview changes' }).click()
    await dialog.getByText('3 files will change').waitFor()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Change 3 files' }).click()
    await page.getByText('3 files changed').waitFor()

    await page.goto(console.url('/changes'))
    await page.getByText('Link files to products by name').first().click()
    await page.getByRole('button', { name: 'Undo change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Changes undone').waitFor()
    expect(await linked()).not.toContain('Front')
    await checkAccess(page)
  })
})
