import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('quality', () => {
  const console = withConsole()

  journey(
    'checks of a channel are chosen, a score leads to the field, a glossary refuses a word, and search counts',
    async () => {
      const client = console.client()
      const name = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })
      await client.pim['attribute-definitions'].persist([{ tid: 'CLAIM', type: 'text', localized: 'true', name: name('Claim') }]) // prettier-ignore
      await client.pim.classes.persist([{ tid: 'Boats', name: name('Boats') }])
      await client.pim.attributes.persist([{ nodePath: '/Boats', key: 'CLAIM' }])
      const claim = (value: string) => ({ vals: { val: [{ attr: 'CLAIM', itm: [{ value, loc: 'en_GB' }] }] } })
      await client.pim.products.persist([
        { tid: 'skiff', name: 'Skiff', node: '/Boats', ...claim('A dirt-cheap boat') },
        { tid: 'dory', name: 'Dory', node: '/Boats', ...claim('A boat for two') },
      ])
      await client.cm.channels.persist([{ tid: 'shop', name: 'Shop', type: 'Webshop' }])
      const itm = [{ key: 'productTid', value: 'skiff' }, { key: 'productTid', value: 'dory' }, { key: 'projectTid', value: 'shop' }] // prettier-ignore
      await client.common.links.persist([{ type: 'productToProject', itms: [{ type: '', itm }] }])

      const page = await console.signIn('/glossaries')
      await page.getByRole('button', { name: 'New glossary' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Glossary name' }).fill('Style')
      await dialog.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'New entry' }).click()
      await dialog.getByRole('textbox', { name: 'Text in English (United Kingdom)' }).fill('dirt-cheap')
      await dialog.getByRole('checkbox', { name: 'Forbidden in English (United Kingdom)' }).check()
      await dialog.getByRole('textbox', { name: 'Write instead in English (United Kingdom)' }).fill('affordable')
      await checkAccess(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('combobox', { name: 'Forbidden words and missing terms in texts of products' }).click()
      await page.getByRole('option', { name: 'are refused' }).click()
      await checkAccess(page)

      await page.goto(console.url('/channels?channel=shop&tab=readiness'))
      await page.getByText('6 quality checks count').waitFor()
      await page.getByRole('button', { name: 'Quality checks' }).click()
      await dialog.getByRole('switch', { name: 'Use the checks of the channel above' }).uncheck()
      await dialog.getByRole('checkbox', { name: 'Similar names' }).uncheck()
      await dialog.getByRole('combobox', { name: 'Attribute' }).click()
      await page.keyboard.type('Claim')
      await page.getByRole('option', { name: /Claim/ }).click()
      await dialog.getByRole('button', { name: 'Add a length' }).click()
      await dialog.getByRole('group', { name: 'Claim' }).getByRole('textbox', { name: 'At most' }).fill('15')
      await checkAccess(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Quality checks saved').waitFor()

      await page.goto(console.url('/products/skiff'))
      await page.getByRole('button', { name: /^Quality \d+ of 100 in Shop, English \(United Kingdom\)/ }).click()
      await page.getByText('Claim: 17 characters instead of 1–15').waitFor()
      await page.getByText('Add a picture').waitFor()
      await checkAccess(page)
      await page.getByRole('button', { name: 'Claim: write “affordable” instead of “dirt-cheap”' }).click()
      const field = page.getByRole('textbox', { name: /^Claim/ }).first()
      await field.fill('An affordable boat')
      await page.getByRole('button', { name: 'Save' }).first().click()
      await page.getByText('Claim: 18 characters instead of 1–15').waitFor()
      expect(await page.getByText('write “affordable”').count()).toBe(0)

      await field.fill('Not dirt cheap')
      await page.getByRole('button', { name: 'Save' }).first().click()
      await page
        .getByText(/contains the forbidden word “dirt-cheap”/)
        .first()
        .waitFor()

      await page.goto(console.url('/search?index=CHANNEL_2_PRODUCT'))
      const faults = page.getByRole('region', { name: 'Faults of quality' })
      await faults.getByText('No main picture').click()
      await page.getByText('Dory').first().waitFor()
      await checkAccess(page)
      await page.goto(console.url('/'))
      await page.getByRole('region', { name: 'Quality of channels' }).getByText('No main picture').waitFor()
      await checkAccess(page)
    },
  )
})
