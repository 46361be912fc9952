import { beforeAll, describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })

describe('changes of many products', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { pim, cm, search } = console.client()
    await pim['attribute-definitions'].persist([
      { tid: 'title', type: 'text', localized: 'true', ...named('Title') },
      { tid: 'weight', type: 'number', ...named('Weight') },
      { tid: 'washable', type: 'boolean', ...named('Washable') },
    ])
    await pim.classes.persist([{ tid: 'Harbour', ...named('Harbour') }])
    await pim.nodes.persist([{ parentPath: '/Harbour', tid: 'Boats', ...named('Boats') }])
    await pim.attributes.persist(['title', 'weight', 'washable'].map((key) => ({ nodePath: '/Harbour', key })))
    const [channel] = await cm.channels.persist([{ tid: 'shop', type: 'Webshop', name: 'Web shop' }])
    await search.waitForDocuments({ body: { index: 'CHANNEL', documents: [channel!.id!], maxWait: 60_000 } })
    const title = (i: number) => ({ attr: 'title', itm: [{ value: `Old raft ${i}`, loc: 'en_GB' }] })
    await pim.products.persist(
      Array.from({ length: 50 }, (_, i) => ({
        tid: `raft-${i}`,
        name: `Raft ${i}`,
        node: '/Harbour/Boats',
        vals: { val: [title(i)] },
      })),
    )
  })

  const valuesOf = async () => {
    const attributes = ['title', 'weight', 'washable']
    const { products = [] } = await console.client().pim.pageProducts({ body: { text: 'Raft', attributes } })
    return products.map(({ vals }) => vals?.val?.map(({ itm }) => itm?.[0]?.value).join('|'))
  }

  journey('50 products are changed in several attributes after a preview, and undone in a later session', async () => {
    const page = await console.signIn('/products?q=Raft')
    await page.getByText('50 products').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('50 selected').waitFor()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Change 50 products' })
    const operation = (row: number) => dialog.getByRole('group', { name: new RegExp(`^${row}\\.`) })
    const pick = async (row: number, field: string, option: string) => {
      await operation(row).getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await pick(1, 'Attribute', 'Weight')
    await operation(1).getByRole('textbox', { name: 'Value' }).fill('12')
    await dialog.getByRole('button', { name: 'Add another change' }).click()
    await pick(2, 'Attribute', 'Washable')
    await pick(2, 'Value', 'Yes')
    await dialog.getByRole('button', { name: 'Add another change' }).click()
    await pick(3, 'What to do', 'Find and replace text')
    await pick(3, 'Attribute', 'Title')
    await operation(3).getByRole('textbox', { name: 'Find' }).fill('old')
    await operation(3).getByRole('textbox', { name: 'Replace with' }).fill('New')
    await dialog.getByRole('button', { name: 'Add another change' }).click()
    await pick(4, 'What to do', 'Place in channel')
    await operation(4).getByRole('combobox', { name: 'Channel' }).fill('Web')
    await page.getByRole('option', { name: 'Web shop' }).click()
    await dialog.getByRole('textbox', { name: 'Name of this change' }).fill('Autumn')

    await dialog.getByRole('button', { name: 'Preview changes' }).click()
    await dialog.getByText('50 products will change').waitFor()
    const first = dialog.getByRole('row', { name: /^Raft 0/ })
    await first.getByText('Old raft 0').waitFor()
    await first.getByText('New raft 0').waitFor()
    await first.getByText('Web shop').waitFor()
    await checkAccess(page)
    expect(new Set(await valuesOf())).toContain('Old raft 7')

    await dialog.getByRole('button', { name: 'Change 50 products' }).click()
    await page.getByText('50 products changed').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect((await valuesOf()).toSorted()).toEqual(
      Array.from({ length: 50 }, (_, i) => `New raft ${i}|12|true`).toSorted(),
    )
    await page.context().close()

    const vals = { val: [{ attr: 'weight', itm: [{ value: '99' }] }] }
    await console.client().pim.products.persist([{ tid: 'raft-3', vals }])
    const later = await console.signIn('/products')
    await later.getByRole('link', { name: 'Past changes' }).click()
    await later.getByRole('heading', { level: 2, name: 'Autumn' }).waitFor()
    await later.getByText('New raft 0').first().waitFor()
    await checkAccess(later)
    await later.getByRole('button', { name: 'Undo change' }).click()
    await later.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await later.getByText('1 was not undone').waitFor()
    await later.getByText('Not undone (1)').click()
    await later
      .getByRole('row', { name: /Raft 3/ })
      .getByText('changed since')
      .waitFor()
    const restored = await valuesOf()
    expect(restored.filter((one) => one === 'New raft 3|99|true')).toHaveLength(1)
    expect(restored.filter((one) => one?.startsWith('Old raft'))).toHaveLength(49)
  })
})
