import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('modelling', () => {
  const console = withConsole()

  journey(
    'an empty data model gets a classification, a category and an attribute, and the category gets the attribute',
    async () => {
      const page = await console.signIn('/model')
      await page.getByRole('button', { name: 'New classification' }).click()
      await page.getByRole('textbox', { name: 'ID' }).fill('Harbour')
      await page.getByRole('textbox', { name: 'Name (en_GB)' }).fill('Harbour')
      await page.getByRole('textbox', { name: 'Name (de_DE)' }).fill('Hafen')
      await page.getByRole('button', { name: 'Save' }).click()

      const root = page.getByRole('treeitem', { name: /Harbour/ })
      await root.click()
      await root.getByRole('button', { name: 'Actions: Harbour', includeHidden: true }).click()
      await page.getByRole('menuitem', { name: 'New category' }).click()
      await page.getByRole('textbox', { name: 'ID' }).fill('Boats')
      await page.getByRole('textbox', { name: 'Name (en_GB)' }).fill('Boats')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('treeitem', { name: /Boats/ }).waitFor()

      await page.getByRole('tab', { name: 'Attributes' }).click()
      await page.getByRole('button', { name: 'New attribute' }).click()
      await page.getByRole('textbox', { name: 'ID' }).fill('title')
      await page.getByRole('textbox', { name: 'Name (en_GB)' }).fill('Title')
      await page.getByRole('checkbox', { name: 'Per language' }).check()
      await page.getByRole('button', { name: 'Check the change' }).click()
      await page.getByText('This change breaks nothing.').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('gridcell', { name: 'title' }).first().waitFor()
      await checkAccess(page)

      await page.getByRole('tab', { name: 'Classifications' }).click()
      await page.getByRole('treeitem', { name: /Boats/ }).click()
      await page.getByRole('combobox', { name: 'Add attribute' }).click()
      await page.getByRole('option', { name: 'Title (title)' }).click()
      await page.getByRole('combobox', { name: 'Requirement: Title' }).waitFor()
      await checkAccess(page)

      const { pim } = console.client()
      const [attribute] = await pim.attributes.retrieve({ nodePaths: ['/Harbour/Boats'] })
      expect(attribute).toMatchObject({ key: 'title', localized: 'true', nodePath: '/Harbour/Boats' })
    },
  )
})
