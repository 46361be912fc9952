import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('settings', () => {
  const console = withConsole()

  journey(
    'a personal token is created, displayed once, used to call the API, found in the request log, and revoked',
    async () => {
      const page = await console.signIn('/settings?part=tokens')
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByLabel('What is it for?').fill('The shop')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText('Copy it now. It won’t be shown again.').waitFor()
      const token = (await page.locator('pre').first().textContent())!.trim()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await checkAccess(page)
      const call = () => fetch(console.url('/api/v1/identity/me'), { headers: { authorization: `Bearer ${token}` } })
      const reply = await call()
      expect(reply.status).toBe(200)
      expect(await reply.json()).toMatchObject({ name: 'admin' })

      await page.goto(console.url('/api-reference?part=requests'))
      const logged = page.getByRole('row').filter({ hasText: '/api/v1/identity/me' }).filter({ hasText: 'The shop' })
      await logged.getByText('200').waitFor()
      await checkAccess(page)
      await page.getByRole('tab', { name: 'Reference' }).click()
      await page.getByRole('textbox', { name: 'Filter' }).fill('products/page')
      await page.getByRole('link', { name: '/api/core/v1/pim/products/page' }).waitFor()
      await checkAccess(page)

      await page.goto(console.url('/settings?part=tokens'))
      await page.getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('heading', { name: 'No tokens yet' }).waitFor()
      await expect.poll(async () => (await call()).status).toBe(401)
    },
  )

  journey('an administrator creates a user and looks up their permissions', async () => {
    const page = await console.signIn('/settings?part=users')
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByLabel('User name').fill('greta')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/Password of greta/).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkAccess(page)
    await page.getByRole('button', { name: 'Actions: greta' }).click()
    await page.getByRole('menuitem', { name: 'What may they do?' }).click()
    const access = page.getByRole('dialog', { name: 'What greta may do' })
    await access.getByText('Roles: user').waitFor()
    await access.getByText(/^May /).first().waitFor()
    await checkAccess(page)
  })

  journey('users beyond the first page are loaded by scrolling and found by the filter', async () => {
    const { identity } = console.client()
    // one after the other: the server limits how many passwords are hashed at a time
    for (let i = 0; i < 104; i++) await identity.createUser({ body: { name: `sailor-${String(i).padStart(3, '0')}` } })
    const page = await console.signIn('/settings?part=users')
    const grid = page.getByRole('grid', { name: 'Users' })
    const cellOf = (name: string) => grid.getByRole('gridcell', { name, exact: true })
    await cellOf('sailor-000').waitFor()
    await grid.focus()
    const isLoaded = async () => {
      await page.keyboard.press('Control+End')
      return cellOf('sailor-103').isVisible()
    }
    await expect.poll(isLoaded).toBe(true)
    await page.getByRole('textbox', { name: 'Filter' }).fill('sailor-042')
    await cellOf('sailor-042').waitFor()
    await cellOf('sailor-103').waitFor({ state: 'detached' })
  })

  journey('a role with narrow rights is made, tried before it is saved, and holds for who gets it', async () => {
    const { pim, identity } = console.client()
    const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
    await pim.classes.persist([{ tid: 'Shop', ...named('Shop') }])
    await pim.nodes.persist(['Boats', 'Cars'].map((tid) => ({ parentPath: '/Shop', tid, ...named(tid) })))
    await pim['attribute-definitions'].persist(
      ['title', 'price'].map((tid) => ({ tid, type: 'text', ...named(tid === 'title' ? 'Title' : 'Price') })),
    )
    await pim.attributes.persist(['title', 'price'].map((key) => ({ nodePath: '/Shop', key })))
    const vals = { val: ['title', 'price'].map((attr) => ({ attr, itm: [{ value: `a ${attr}` }] })) }
    await pim.products.persist([
      { tid: 'dinghy', name: 'Dinghy', node: '/Shop/Boats', vals },
      { tid: 'coupe', name: 'Coupe', node: '/Shop/Cars', vals },
    ])

    const page = await console.signIn('/settings?part=roles')
    await page.getByRole('button', { name: 'New role' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Role name' }).fill('boat-editor')
    await dialog.getByRole('checkbox', { name: 'Everything: read' }).uncheck()
    await dialog.getByRole('checkbox', { name: 'Products: change' }).check()
    await dialog.getByRole('checkbox', { name: 'Categories: read', exact: true }).check()
    await dialog.getByRole('checkbox', { name: 'Attributes of categories: read' }).check()
    await dialog.getByRole('checkbox', { name: 'Attributes: read', exact: true }).check()
    await dialog.getByRole('combobox', { name: 'Only in categories' }).fill('boat')
    await page.getByRole('option', { name: 'Shop › Boats' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('combobox', { name: 'Attributes they change', exact: true }).click()
    await page.getByRole('option', { name: 'only these' }).click()
    await dialog.getByRole('combobox', { name: 'Attributes they change: only these', exact: true }).fill('tit')
    await page.getByRole('option', { name: 'Title title', exact: true }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Try it' }).click()
    const counts = dialog.getByRole('table', { name: 'What is visible' })
    await counts.getByRole('row', { name: /^Products 1 1 2 Dinghy/ }).waitFor()
    await dialog.getByText('May read, change: Products; only in Shop › Boats; changes only Title').waitFor()
    await checkAccess(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await checkAccess(page)
    await page.emulateMedia({ colorScheme: 'light' })

    // the trial in a tab of its own, where nothing is stored
    const opening = page.context().waitForEvent('page')
    await counts.getByRole('link', { name: 'Dinghy' }).click()
    const tab = await opening
    await tab.getByText('You see Kontor as boat-editor would').waitFor()
    await tab.close()
    expect((await identity.listRoles()).roles?.map(({ name }) => name)).not.toContain('boat-editor')

    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { roles = [] } = await identity.listRoles()
    const limits = { scopes: { node: ['/Shop/Boats'] }, editableAttributes: { only: ['title'] } }
    expect(roles.find(({ name }) => name === 'boat-editor')?.grants).toEqual([
      { kind: 'product', actions: ['read', 'update'], ...limits },
      { kind: 'node', actions: ['read'], ...limits },
      { kind: 'attribute', actions: ['read'], ...limits },
      { kind: 'attrDefinition', actions: ['read'], ...limits },
    ])

    // who has it sees and changes what it allows
    const bo = await console.signIn('/products', await console.addUser('bo', ['boat-editor']))
    await bo.getByRole('link', { name: 'Dinghy' }).click()
    await bo.getByRole('heading', { level: 1, name: 'Dinghy' }).waitFor()
    expect(await bo.getByText('Coupe').count()).toBe(0)
    const field = (name: string) => bo.getByRole('textbox', { name, exact: true })
    expect(await field('Price').getAttribute('title')).toBe('You may not change this attribute.')
    await field('Title').fill('a sturdy dinghy')
    await bo.getByRole('button', { name: 'Save 1 change' }).click()
    await bo.getByText('Dinghy saved').waitFor()
    await bo.goto(console.url('/products/coupe'))
    await bo.getByRole('heading', { level: 1, name: 'This product does not exist' }).waitFor()
  })

  journey('languages, currencies and clients are maintained, and the audit log tells who did it', async () => {
    const page = await console.signIn('/settings?part=locales')
    await page.getByRole('button', { name: 'Add a language' }).click()
    await page.getByRole('combobox', { name: 'Language', exact: true }).fill('German')
    await page.getByRole('option', { name: 'German (de)' }).click()
    await page.getByRole('combobox', { name: 'Country' }).fill('Liech')
    await page.getByRole('option', { name: 'Liechtenstein (LI)' }).click()
    await checkAccess(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByRole('textbox', { name: 'Filter' }).fill('de_LI')
    const uses = page.getByRole('switch', { name: 'Used for content: Deutsch (Liechtenstein)' })
    expect(await uses.isChecked()).toBe(true)
    await uses.click({ force: true })
    await expect.poll(() => uses.isChecked()).toBe(false)

    await page.getByRole('button', { name: 'Currencies', exact: true }).click()
    await page.getByRole('button', { name: 'New currency' }).click()
    await page.getByRole('textbox', { name: 'Code' }).fill('ISK')
    await page.getByRole('textbox', { name: 'Name, English (United Kingdom)' }).fill('Icelandic króna')
    await checkAccess(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('gridcell', { name: 'Icelandic króna' }).waitFor()

    await page.getByRole('button', { name: 'Clients', exact: true }).click()
    await page.getByRole('button', { name: 'New client' }).click()
    await page.getByRole('textbox', { name: 'Client ID' }).fill('shop')
    await page.getByRole('combobox', { name: 'Roles of the client itself' }).fill('read')
    await page.getByRole('option', { name: 'reader' }).click()
    await page.keyboard.press('Escape')
    await checkAccess(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByText('The secret of shop. Copy it now').waitFor()
    await page.getByRole('button', { name: 'Actions: shop' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('gridcell', { name: 'shop', exact: true }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Audit log', exact: true }).click()
    await page.getByRole('combobox', { name: 'Kind of event' }).click()
    await page.getByRole('option', { name: 'Clients' }).click()
    await page.getByRole('gridcell', { name: 'Client deleted' }).waitFor()
    await expect.poll(() => page.getByRole('gridcell', { name: 'Signed in' }).count()).toBe(0)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    expect((await download).suggestedFilename()).toBe('audit.csv')
    await page.getByRole('gridcell', { name: 'Client deleted' }).click()
    await page.getByRole('dialog', { name: 'Client deleted' }).getByText('client shop').waitFor()
    await checkAccess(page)
  })

  journey('a new storage appears among the folders of the assets page', async () => {
    const page = await console.signIn('/settings?part=storages')
    await page.getByRole('button', { name: 'New storage' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'ID' }).fill('Archive')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('The archive')
    await dialog.getByRole('checkbox', { name: 'Previews of all pages' }).check()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'The archive' }).waitFor()
    await page.goto(console.url('/assets'))
    await page.getByRole('treeitem', { name: 'The archive' }).waitFor()
  })

  journey('every part of the settings opens and passes the accessibility check', async () => {
    const page = await console.signIn('/settings')
    for (const part of [
      'Roles',
      'Clients',
      'Languages',
      'Units',
      'Storages',
      'Import and export profiles',
      'Search indexes',
      'Jobs',
      'Webhooks',
      'Audit log',
      'System',
      'Profile',
    ]) {
      await page.getByRole('button', { name: part, exact: true }).click()
      await page.getByRole('button', { name: part, exact: true }).and(page.locator('[aria-current=page]')).waitFor()
      await page.getByRole('status', { name: 'Loading …' }).waitFor({ state: 'detached' })
      await checkAccess(page)
    }
  })
})
