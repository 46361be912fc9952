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
    await page.getByRole('dialog', { name: 'What greta may do' }).getByRole('table').waitFor()
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

  journey('a role is created with a permission that is limited to a category', async () => {
    const { pim } = console.client()
    const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
    await pim.classes.persist([{ tid: 'Shop', ...named('Shop') }])
    await pim.nodes.persist([{ parentPath: '/Shop', tid: 'Boats', ...named('Boats') }])
    const page = await console.signIn('/settings?part=roles')
    await page.getByRole('button', { name: 'New role' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Role name' }).fill('boat-editor')
    await dialog.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Products' }).click()
    await dialog.getByRole('checkbox', { name: 'change' }).check()
    await dialog.getByRole('combobox', { name: 'Only in categories' }).fill('boat')
    await page.getByRole('option', { name: 'Shop › Boats' }).click()
    await dialog.getByRole('combobox', { name: 'Languages they change' }).click()
    await page.getByRole('option', { name: 'only these' }).click()
    await dialog.getByRole('combobox', { name: 'Languages they change: only these' }).fill('de_DE')
    await page.getByRole('option').first().click()
    await page.keyboard.press('Escape')
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { roles = [] } = await console.client().identity.listRoles()
    const role = roles.find(({ name }) => name === 'boat-editor')
    expect(role?.grants).toEqual([
      {
        kind: 'product',
        actions: ['read', 'update'],
        scopes: { node: ['/Shop/Boats'] },
        editableLocales: { only: ['de_DE'] },
      },
    ])
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
      'Locales',
      'Storages',
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
