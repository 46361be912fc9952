import { beforeAll, describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })

describe('groups of attributes', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { pim } = console.client()
    const names = ['Hull', 'Sail', 'Draught', 'Story']
    await pim['attribute-definitions'].persist(
      names.map((name) => ({ tid: name.toLowerCase(), type: 'text', ...named(name) })),
    )
    await pim.classes.persist([{ tid: 'Dock', ...named('Dock') }])
    await pim.attributes.persist(names.map((name) => ({ nodePath: '/Dock', key: name.toLowerCase() })))
    await pim.products.persist([{ tid: 'sloop', name: 'Sloop', node: '/Dock' }])
  })

  journey('a group is made, filled and ordered, and heads the attributes of a product and of an export', async () => {
    const { pim } = console.client()
    const page = await console.signIn('/model?tab=groups')
    const dialog = page.getByRole('dialog')
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'New group' }).first().click()
      await dialog.getByRole('textbox', { name: /English \(United Kingdom\)/ }).fill(name)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('region', { name, exact: true }).waitFor()
    }
    await create('Rig')
    await create('Measures')
    const put = async (attribute: string, group: string) => {
      await page.getByRole('button', { name: `Move ${attribute} to another group` }).click()
      await page.getByRole('menuitem', { name: group, exact: true }).click()
      await page.getByRole('region', { name: group, exact: true }).getByText(attribute, { exact: true }).waitFor()
    }
    await put('Sail', 'Rig')
    await put('Hull', 'Measures')
    await put('Draught', 'Measures')
    await checkAccess(page)

    const order = async () =>
      (await pim['attribute-groups'].retrieve({})).map(({ name, references }) => [
        name?.itm?.[0]?.value,
        ...(references?.itm ?? []).map(({ value }) => value),
      ])
    await page.getByRole('button', { name: 'Move Draught', exact: true }).press('ArrowUp')
    await expect.poll(order).toEqual([['Rig', 'sail'], ['Measures', 'draught', 'hull']]) // prettier-ignore
    await page.getByRole('button', { name: 'Move the group Measures' }).press('ArrowUp')
    await expect.poll(order).toEqual([['Measures', 'draught', 'hull'], ['Rig', 'sail']]) // prettier-ignore
    await page
      .getByRole('button', { name: 'Move Hull', exact: true })
      .dragTo(page.getByRole('heading', { name: 'Rig', exact: true }))
    await expect.poll(order).toEqual([['Measures', 'draught'], ['Rig', 'sail', 'hull']]) // prettier-ignore

    await page.goto(console.url('/products/sloop'))
    await page.getByRole('heading', { name: 'Measures', exact: true }).waitFor()
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
    expect(headings.filter((one) => ['Measures', 'Rig'].includes(one))).toEqual(['Measures', 'Rig'])
    await page.getByRole('region', { name: 'Rig', exact: true }).getByRole('textbox', { name: /Sail/ }).waitFor()

    await page.goto(console.url('/transfers'))
    await page.getByRole('button', { name: 'Export' }).first().click()
    await dialog.getByRole('combobox', { name: 'Columns' }).click()
    await page.getByRole('option', { name: /^Rig/ }).first().click()
    await page.keyboard.press('Escape')
    await checkAccess(page)
  })

  journey('a role is limited to a group', async () => {
    const { pim } = console.client()
    await pim['attribute-groups'].persist([{ tid: 'secrets', ...named('Secrets'), references: { itm: [{ value: 'story' }] } }]) // prettier-ignore
    const page = await console.signIn('/settings?part=roles')
    await page.getByRole('button', { name: 'New role' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Role name' }).fill('deckhand')
    await dialog.getByRole('checkbox', { name: 'Everything: read' }).uncheck()
    await dialog.getByRole('checkbox', { name: 'Products: read', exact: true }).check()
    await dialog.getByRole('combobox', { name: 'Attributes they see', exact: true }).click()
    await page.getByRole('option', { name: 'all except these' }).click()
    await dialog.getByRole('combobox', { name: /all except these, attribute groups/ }).click()
    await page.getByRole('option', { name: /Secrets/ }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await console.client().identity.listRoles()).roles?.find(({ name }) => name === 'deckhand'))
      .toMatchObject({ grants: [{ kind: 'product', visibleAttributes: { exceptGroups: ['secrets'] } }] })
  })
})
