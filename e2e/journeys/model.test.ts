import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('modelling', () => {
  const console = withConsole()

  journey(
    'an empty data model gets a category with a text, a number with a unit and a list, and a product uses them, without typing an id',
    async () => {
      const page = await console.signIn('/model')
      await page.getByRole('button', { name: 'New classification' }).click()
      await page.getByRole('textbox', { name: 'Name, English (United Kingdom)' }).fill('Harbour')
      await page.getByRole('textbox', { name: 'Name, German (Germany)' }).fill('Hafen')
      await checkAccess(page)
      await page.getByRole('button', { name: 'Save' }).click()

      const root = page.getByRole('treeitem', { name: /Harbour/ })
      await root.click()
      await root.getByRole('button', { name: 'Actions: Harbour', includeHidden: true }).click()
      await page.getByRole('menuitem', { name: 'New category' }).click()
      await page.getByRole('textbox', { name: 'Name, English (United Kingdom)' }).fill('Sailing boats')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('treeitem', { name: /Sailing boats/ }).waitFor()

      await page.getByRole('tab', { name: 'Attributes', exact: true }).click()
      const create = async (name: string, fill: (dialog: ReturnType<typeof page.getByRole>) => Promise<unknown>) => {
        await page.getByRole('button', { name: 'New attribute' }).first().click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('textbox', { name: 'Name, English (United Kingdom)' }).fill(name)
        await fill(dialog)
        await dialog.getByRole('button', { name: 'Check the change' }).click()
        await dialog.getByText('This change breaks nothing.').waitFor()
        await checkAccess(page)
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.waitFor({ state: 'detached' })
        await page.getByRole('gridcell', { name }).first().waitFor()
      }
      const chooseType = async (dialog: ReturnType<typeof page.getByRole>, type: string) => {
        await dialog.getByRole('combobox', { name: 'Type' }).click()
        await page.getByRole('option', { name: type, exact: true }).click()
      }
      await create('Title', (dialog) => dialog.getByRole('checkbox', { name: 'Per language' }).check())
      await create('Length', async (dialog) => {
        await chooseType(dialog, 'Number')
        await dialog.getByRole('combobox', { name: 'Unit or currency' }).fill('metre')
        await page
          .getByRole('option', { name: 'm', exact: true })
          .or(page.getByRole('option', { name: 'm Metre' }))
          .first()
          .click()
      })
      await create('Rig', async (dialog) => {
        for (const [index, label] of ['Sloop', 'Ketch'].entries()) {
          await dialog.getByRole('button', { name: 'Add value' }).click()
          await dialog.getByRole('textbox', { name: `Label, English (United Kingdom) ${index + 1}` }).fill(label)
        }
      })
      await page.emulateMedia({ colorScheme: 'dark' })
      await checkAccess(page)

      await page.getByRole('tab', { name: 'Classifications' }).click()
      await page.getByRole('treeitem', { name: /Sailing boats/ }).click()
      await page.getByRole('combobox', { name: 'Add attribute' }).click()
      await page.getByRole('option', { name: 'Title (title)' }).click()
      await page.getByRole('combobox', { name: 'Requirement: Title' }).waitFor()
      for (const name of ['Length', 'Rig']) {
        await page.getByRole('button', { name: `Add ${name}`, exact: true }).click()
        await page.getByRole('combobox', { name: `Requirement: ${name}` }).waitFor()
      }
      await checkAccess(page)

      await page.goto(console.url('/products'))
      await page.getByRole('button', { name: 'New product' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: /^Name/ }).fill('Folkboat')
      await dialog.getByRole('combobox').first().fill('sailing')
      await page.getByRole('option', { name: /Sailing boats/ }).click()
      await dialog.getByRole('button', { name: 'Create' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('textbox', { name: /^Length/ }).fill('7.68')
      await page.getByRole('combobox', { name: /^Rig/ }).click()
      await page.getByRole('option', { name: 'Sloop' }).click()
      await page.getByText('m', { exact: true }).first().waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: /^Save/ }).click()
      await page
        .getByText(/Folkboat was saved|saved/)
        .first()
        .waitFor()

      const { pim } = console.client()
      const attributes = await pim.attributes.retrieve({ nodePaths: ['/harbour/sailing-boats'] })
      expect(attributes.map(({ key }) => key).toSorted()).toEqual(['length', 'rig', 'title'])
      const { tids = [] } = await pim.products.query({})
      const [boat] = await pim.products.retrieve({ tids })
      expect(boat).toMatchObject({ name: 'Folkboat', node: '/harbour/sailing-boats' })
      const valueOf = (key: string) => boat?.vals?.val?.find(({ attr }) => attr === key)?.itm?.[0]?.value
      expect([valueOf('length'), valueOf('rig')]).toEqual(['7.68', 'Sloop'])
    },
  )
})
