import { beforeAll, describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })

describe('searching', () => {
  const console = withConsole()
  beforeAll(async () => {
    const client = console.client()
    await client.pim['attribute-definitions'].persist([{ tid: 'material', type: 'text', ...named('Material') }])
    await client.pim.classes.persist([{ tid: 'Outdoor', ...named('Outdoor') }])
    await client.pim.nodes.persist([
      { parentPath: '/Outdoor', tid: 'Boots', ...named('Boots') },
      { parentPath: '/Outdoor', tid: 'Jackets', ...named('Jackets') },
    ])
    const material = (value: string) => ({ vals: { val: [{ attr: 'material', itm: [{ value }] }] } })
    const records = await client.pim.products.persist([
      { tid: 'B1', name: 'Harbour boot', node: '/Outdoor/Boots', ...material('leather') },
      { tid: 'B2', name: 'Deck boot', node: '/Outdoor/Boots', ...material('rubber') },
      { tid: 'J1', name: 'Harbour jacket', node: '/Outdoor/Jackets', ...material('canvas') },
    ])
    await client.search.waitForDocuments({
      body: { index: 'PRODUCT', documents: records.map(({ id }) => id!), maxWait: 30_000 },
    })
  })

  journey('a search is narrowed by a facet, saved and opened again', async () => {
    const page = await console.signIn('/search')
    await page.getByRole('heading', { name: 'Search products, assets and channels at once' }).waitFor()
    await checkAccess(page)
    await page.getByRole('combobox', { name: 'What are you looking for?' }).fill('harbour')
    await page.keyboard.press('Enter')
    await page.getByText('2 results').waitFor()
    await page.getByRole('tab', { name: 'Products', exact: true }).click()
    await page.getByRole('grid', { name: 'Search' }).getByText('Harbour jacket').waitFor()
    await page.getByRole('checkbox', { name: 'Boots' }).check()
    await page.getByText('1 result').waitFor()
    await checkAccess(page)

    await page.getByRole('button', { name: 'Save this search' }).click()
    await page.getByLabel('Search name').fill('Harbour boots')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Harbour boots” saved').waitFor()
    await page.goto(console.url('/search'))
    await page.getByRole('button', { name: 'Saved searches' }).click()
    await page.getByRole('button', { name: 'Notifications for Harbour boots: Never' }).click()
    await page.getByRole('menuitem', { name: 'Once a day' }).click()
    await page.getByRole('button', { name: 'Notifications for Harbour boots: Once a day' }).waitFor()
    await page.getByRole('button', { name: 'Harbour boots', exact: true }).click()
    await page.getByText('1 result').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Boots' }).isChecked()).toBe(true)
  })

  journey('the palette finds a product in spite of a typing error, remembers it, and creates another', async () => {
    const page = await console.signIn('/')
    const palette = page.getByPlaceholder('Go to or search …')
    const offered = (name: string) => page.getByRole('dialog').getByRole('button', { name })
    await page.keyboard.press('Control+k')
    await palette.fill('harbuor jaket')
    await offered('Harbour jacket').click()
    await page.getByRole('heading', { level: 1, name: 'Harbour jacket' }).waitFor()

    await page.goto(console.url('/settings'))
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.keyboard.press('Control+k')
    await offered('Harbour jacket').waitFor() // among those opened recently
    await checkAccess(page)
    await offered('Harbour jacket').click()
    await page.getByRole('heading', { level: 1, name: 'Harbour jacket' }).waitFor()

    await page.getByRole('textbox').first().focus() // the palette opens from within a field, too
    await page.keyboard.press('Control+k')
    await palette.fill('new prod')
    await offered('New product').click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  })

  journey('a typing error is forgiven on the tab of everything', async () => {
    const page = await console.signIn('/search?q=harbuor')
    await page.getByText('2 results').waitFor()
    await page.getByRole('grid', { name: 'Search' }).getByText('Harbour boot').click()
    await page.getByRole('heading', { level: 1, name: 'Harbour boot' }).waitFor()
  })

  journey('the query builder finds by exact conditions', async () => {
    const page = await console.signIn('/search?index=PRODUCT&builder=1')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Field' }).fill('material')
    await page
      .getByRole('option', { name: /material/i })
      .first()
      .click()
    await page.getByRole('textbox', { name: 'Value' }).fill('rubber')
    await page.getByText('1 result').waitFor()
    await page.getByRole('grid').getByText('Deck boot').waitFor()
    await checkAccess(page)
  })
})
