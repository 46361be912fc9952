import { beforeAll, describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (en: string, de: string) => ({
  name: {
    itm: [
      { value: en, loc: 'en_GB' },
      { value: de, loc: 'de_DE' },
    ],
  },
})

describe('products', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { pim } = console.client()
    await pim['attribute-definitions'].persist([
      { tid: 'title', type: 'text', localized: 'true', ...named('Title', 'Titel') },
      { tid: 'weight', type: 'number', ...named('Weight', 'Gewicht') },
    ])
    await pim.classes.persist([{ tid: 'Harbour', ...named('Harbour', 'Hafen') }])
    await pim.nodes.persist([{ parentPath: '/Harbour', tid: 'Boats', ...named('Boats', 'Boote') }])
    await pim.attributes.persist([
      { nodePath: '/Harbour', key: 'title', restriction: 'optional' },
      { nodePath: '/Harbour', key: 'weight' },
    ])
  })

  journey('a product with variations is created in two languages, and its history lists the changes', async () => {
    const page = await console.signIn('/products?node=/Harbour/Boats')
    await page.getByRole('button', { name: 'New product' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Dinghy')
    await page.getByRole('textbox', { name: /^ID/ }).fill('dinghy')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Dinghy' }).waitFor()

    await page.goto(console.url('/products/dinghy?with=de_DE'))
    await page.getByRole('textbox', { name: 'Title, English (United Kingdom)' }).fill('A small boat')
    await page.getByRole('textbox', { name: 'Title, German (Germany)' }).fill('Ein kleines Boot')
    await page.getByRole('button', { name: 'Save 2 changes' }).click()
    await page.getByText('Dinghy saved').waitFor()

    const add = async (button: string, name: string) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('treeitem', { name, exact: true }).click()
    }
    await add('Add article', 'Red')
    await add('Add variation', 'Small')
    await page.getByText('Inherited from the product').first().waitFor()
    await page.getByRole('textbox', { name: 'Weight' }).fill('80.5')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    await checkAccess(page)

    const [product] = await console.client().pim.products.retrieve({ tids: ['dinghy'] })
    const title = product!.vals!.val!.find(({ attr }) => attr === 'title')
    expect(title!.itm).toEqual([
      { value: 'Ein kleines Boot', loc: 'de_DE' },
      { value: 'A small boat', loc: 'en_GB' },
    ])
    const variant = product!.articles!.article![0]!.variants!.variant![0]!
    expect(variant.name).toBe('Small')
    expect(variant.vals!.val!.find(({ attr }) => attr === 'weight')!.itm).toEqual([{ value: '80.5' }])

    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Ein kleines Boot').waitFor()
    await checkAccess(page)
  })

  describe('where values are required', () => {
    beforeAll(async () => {
      const { pim } = console.client()
      const width = { references: { itm: [{ value: 'width' }] } }
      const list = { domainVals: { domainVal: [{ tid: 'oak', itm: [{ value: 'Oak' }] }, { tid: 'larch' }] } }
      await pim['attribute-definitions'].persist([
        { tid: 'woods', type: 'text', multiValued: { value: 'true' }, ...list, ...named('Woods', 'Hölzer') },
        { tid: 'state', type: 'text', required: 'required', ...named('State', 'Zustand') },
        { tid: 'ean', type: 'text', validation: { type: '[0-9]{13}' }, ...named('EAN', 'EAN') },
        { tid: 'width', type: 'number', ...named('Width', 'Breite') },
        { tid: 'depth', type: 'number', ...named('Depth', 'Tiefe') },
        { tid: 'planks', type: 'table', ...width, ...named('Planks', 'Planken') },
      ])
      await pim.classes.persist([{ tid: 'Quay', ...named('Quay', 'Kai') }])
      await pim.nodes.persist([{ parentPath: '/Quay', tid: 'Jetties', ...named('Jetties', 'Stege') }])
      const restriction = 'required'
      await pim.attributes.persist([
        { nodePath: '/Quay', key: 'title', level: 'p', restriction },
        {
          nodePath: '/Quay',
          key: 'state',
          level: 'pa',
          inheritance: 'not_visible',
          defaultVal: { itm: [{ value: 'planned' }] },
        },
        { nodePath: '/Quay', key: 'weight', level: 'av', restriction },
        { nodePath: '/Quay', key: 'ean', level: 'a', restriction },
        { nodePath: '/Quay', key: 'planks', level: 'v', restriction },
        { nodePath: '/Quay/Jetties', key: 'woods', level: 'p', restriction },
      ])
    })

    journey(
      'the form for a new product asks for the values its category requires, and shows errors at the fields',
      async () => {
        const page = await console.signIn('/products')
        await page.getByRole('button', { name: 'New product' }).click()
        const dialog = page.getByRole('dialog')
        const title = dialog.getByRole('textbox', { name: 'Title, English (United Kingdom)' })
        await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Ferry jetty')
        await dialog.getByRole('textbox', { name: /^ID/ }).fill('jetty')
        expect(await title.count()).toBe(0)
        await dialog.getByRole('combobox', { name: 'Category' }).fill('Jetties')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        const asked = dialog.getByRole('group', { name: 'Required values' })
        await asked.getByRole('group', { name: 'Woods' }).waitFor()
        expect(await asked.getByRole('group').count()).toBe(2)
        await checkAccess(page)

        await page.keyboard.press('Enter')
        for (const name of ['Woods', 'Title'])
          await asked.getByRole('group', { name }).getByText('Required', { exact: true }).waitFor()
        await title.and(page.locator(':focus')).waitFor()
        await checkAccess(page)

        await page.keyboard.type('A jetty for ferries')
        await page.keyboard.press('Tab')
        await page.keyboard.type('Oak')
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Enter')
        await dialog.getByRole('button', { name: 'Create' }).click()
        await page.getByRole('heading', { level: 1, name: 'Ferry jetty' }).waitFor()
        const [product] = await console.client().pim.products.retrieve({ tids: ['jetty'] })
        const own = product!.vals!.val!.filter(({ inheritance }) => inheritance === undefined)
        expect(own.map(({ attr, itm }) => [attr, itm])).toEqual([
          ['title', [{ value: 'A jetty for ferries', loc: 'en_GB' }]],
          ['woods', [{ value: 'Oak', key: 'oak', pos: 0 }]],
        ])
      },
    )

    journey('the forms for articles and variations ask for required values that are not inherited', async () => {
      const title = { attr: 'title', itm: [{ value: 'Ein Kai', loc: 'de_DE' }] }
      await console
        .client()
        .pim.products.persist([{ tid: 'quay', name: 'Quay', node: '/Quay', vals: { val: [title] } }])
      const page = await console.signIn('/products/quay')
      const dialog = page.getByRole('dialog')
      const asked = dialog.getByRole('group', { name: 'Required values' })
      await page.getByRole('button', { name: 'Add article', exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Eastern')
      await asked.getByRole('textbox', { name: 'Weight' }).fill('12')
      await asked.getByRole('textbox', { name: 'State' }).fill('built')
      await asked.getByRole('textbox', { name: 'EAN' }).fill('123')
      expect(await asked.getByRole('group').count()).toBe(3)
      await dialog.getByRole('button', { name: 'Add' }).click()
      await asked.getByText('"123" does not have the expected form: [0-9]{13}').waitFor()
      await checkAccess(page)
      await asked.getByRole('textbox', { name: 'EAN' }).fill('4001234567890')
      await dialog.getByRole('button', { name: 'Add' }).click()
      await dialog.waitFor({ state: 'detached' })

      await page.getByRole('treeitem', { name: 'Eastern', exact: true }).click()
      await page.getByRole('button', { name: 'Add variation', exact: true }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Long')
      await asked.getByRole('button', { name: 'Add row' }).click()
      await asked.getByRole('textbox', { name: 'Width 1' }).fill('20')
      expect(await asked.getByRole('group').count()).toBe(1)
      await checkAccess(page)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('treeitem', { name: 'Long', exact: true }).waitFor()
    })

    journey(
      'the form asks for the content language, in German, and for values that became required meanwhile',
      async () => {
        const page = await console.signIn('/products?node=/Quay&loc=de_DE')
        await page.getByRole('button', { name: 'Account: admin' }).click()
        await page.getByRole('menuitem', { name: 'Deutsch' }).click()
        await page.getByRole('button', { name: 'Neues Produkt' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Mole')
        const asked = dialog.getByRole('group', { name: 'Pflichtwerte' })
        await asked.getByRole('textbox', { name: 'Titel, Deutsch (Deutschland)' }).fill('Eine Mole')
        const depth = { nodePath: '/Quay', key: 'depth', level: 'p', restriction: 'required' } as const
        await console.client().pim.attributes.persist([depth])
        await dialog.getByRole('button', { name: 'Anlegen' }).click()
        await asked.getByRole('textbox', { name: 'Tiefe' }).fill('3,5')
        await dialog.getByRole('button', { name: 'Anlegen' }).click()
        await page.getByRole('heading', { level: 1, name: 'Mole' }).waitFor()
      },
    )
  })

  journey('a saved view is available in another browser', async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ tid: `raft-${i}`, name: `Raft ${i}`, node: '/Harbour/Boats' }))
    await console.client().pim.products.persist(many)
    const page = await console.signIn('/products?q=Raft&columns=weight&sort=tid-asc')
    await page.getByText('30 products').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('textbox', { name: 'View name' }).fill('All rafts')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'All rafts', exact: true }).waitFor()
    await checkAccess(page)

    const other = await console.signIn('/products')
    await other.getByRole('button', { name: 'Views' }).click()
    await other.getByRole('button', { name: 'All rafts', exact: true }).click()
    await other.getByText('30 products').waitFor()
    await other.getByRole('columnheader', { name: 'Weight' }).waitFor()
    await checkAccess(other)
  })

  journey('the grid is navigated by keyboard, and Enter opens a product', async () => {
    const page = await console.signIn('/products?q=Raft&sort=tid-asc')
    await page.getByText('30 products').waitFor()
    const grid = page.getByRole('grid', { name: 'Products' })
    await grid.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press(' ')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Raft 1', exact: true }).waitFor()
  })

  journey('a text that is in no name leads to the search, which finds it in the values', async () => {
    const title = { attr: 'title', itm: [{ value: 'Eimerkettenbagger', loc: 'de_DE' }] }
    await console
      .client()
      .pim.products.persist([{ tid: 'D1', name: 'Dredger', node: '/Harbour', vals: { val: [title] } }])
    const page = await console.signIn('/products?q=Eimerkettenbagger&loc=de_DE')
    await page.getByRole('heading', { name: 'No products match “Eimerkettenbagger”' }).waitFor()
    await page.getByText('This list searches only names and IDs').waitFor()
    await checkAccess(page)
    await page.getByRole('link', { name: 'Search all values' }).click()
    await page.getByText('1 result').waitFor()
    await page.getByText('Dredger').first().waitFor()
  })
})
