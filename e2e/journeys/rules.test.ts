import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (name: string) => ({ name: { itm: [{ value: name, loc: 'en_GB' }] } })

describe('rules', () => {
  const console = withConsole()

  journey('a rule is built from conditions and attributes, previewed, run and undone', async () => {
    const { pim } = console.client()
    await pim['attribute-definitions'].persist([
      { tid: 'brand', type: 'text', ...named('Brand') },
      { tid: 'label', type: 'text', ...named('Label') },
    ])
    await pim.classes.persist([{ tid: 'Lamps', ...named('Lamps') }])
    const vals = { val: [{ attr: 'brand', itm: [{ value: 'Fyr' }] }] }
    await pim.products.persist([{ tid: 'L1', name: 'Deck lamp', node: '/Lamps', vals }])
    const page = await console.signIn('/rules')
    await page.getByRole('heading', { name: 'No rules yet' }).waitFor()
    await checkAccess(page)

    await page.getByRole('button', { name: 'New rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('labels')
    await dialog.getByRole('button', { name: 'Add condition' }).click()
    await dialog.getByRole('combobox', { name: 'Field' }).fill('brand')
    await page.getByRole('option', { name: /Brand/ }).first().click()
    expect(await dialog.getByRole('combobox', { name: 'Comparison' }).inputValue()).toBe('has the words')
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: 'Value', exact: true }).fill('Fyr')
    await dialog.getByRole('button', { name: 'Add condition' }).click()
    await dialog.getByRole('combobox', { name: 'Field' }).last().fill('Classification node')
    await page.getByRole('option', { name: 'Classification node' }).click()
    await dialog.getByRole('combobox', { name: 'Value', exact: true }).fill('lam')
    await page.getByRole('option', { name: 'Lamps' }).click()
    await dialog.getByRole('combobox', { name: 'What to do' }).click()
    await page.getByRole('option', { name: 'Combine attributes into a text' }).click()
    await dialog.getByRole('combobox', { name: 'Attribute', exact: true }).fill('Label')
    await page.getByRole('option', { name: 'Label' }).click()
    await dialog.getByRole('combobox', { name: 'Insert attribute' }).fill('Brand')
    await page.getByRole('option', { name: 'Brand' }).click()
    const formula = dialog.getByRole('textbox', { name: 'Text' })
    expect(await formula.inputValue()).toBe('{brand}')
    await formula.fill('{brand} {$name}')
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('heading', { name: 'labels', level: 2 }).waitFor()
    await page.getByText('Classification node is in or below Lamps').waitFor()
    await page.getByText('Combine attributes into a text: Label – {Brand} {$name}').waitFor()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('1 product will change').waitFor()
    await page.getByText('Fyr Deck lamp').first().waitFor()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('row').filter({ hasText: 'Finished' }).waitFor()
    expect(JSON.stringify(await pim.products.retrieve({ tids: ['L1'] }))).toContain('Fyr Deck lamp')

    await page.goto(`${new URL(page.url()).origin}/products/L1?tab=history`)
    await page.getByText('By the rule labels').first().waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Show objects' }).click()
    await page.getByRole('button', { name: 'Undo change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Changes undone').waitFor()
    expect(JSON.stringify(await pim.products.retrieve({ tids: ['L1'] }))).not.toContain('Fyr Deck lamp')
  })

  journey(
    'a new rule cannot replace another one of the same name, and a closed form keeps what was entered',
    async () => {
      const { rules } = console.client()
      const stored = { kind: 'product' as const, operations: [{ type: 'clear' as const, attribute: 'label' }], enabled: false } // prettier-ignore
      await rules.putRule({ params: { name: 'tidy' }, body: stored })
      const page = await console.signIn('/rules')
      await page.getByRole('button', { name: 'New rule' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('tidy')
      await dialog.getByRole('combobox', { name: 'What to do' }).click()
      await page.getByRole('option', { name: 'Clear value' }).click()
      await dialog.getByRole('combobox', { name: 'Attribute', exact: true }).fill('Brand')
      await page.getByRole('option', { name: 'Brand' }).click()
      await dialog.getByText('This name is taken. Choose another one.').waitFor()
      expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)

      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: 'New rule' }).click()
      await dialog.getByText(/These are your unsaved changes/).waitFor()
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('tidier')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'tidier', level: 2 }).waitFor()
      await page.getByText('Clear value: Brand').waitFor()
    },
  )
})
