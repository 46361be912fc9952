import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('groups', () => {
  const console = withConsole()

  journey('a group gives its roles to its members, who are chosen', async () => {
    const { identity } = console.client()
    await identity.createUser({ body: { name: 'mads', roles: [] } })
    const page = await console.signIn('/settings?part=groups')
    await page.getByRole('button', { name: 'New group' }).click()
    const dialog = page.getByRole('dialog')
    const choose = async (field: string, text: string, option: RegExp) => {
      await dialog.getByRole('combobox', { name: field }).fill(text)
      await page.getByRole('option', { name: option }).click()
    }
    await choose('Roles', 'edit', /^editor/)
    await choose('Members', 'mad', /^mads/)
    await dialog.getByRole('textbox', { name: 'Group name' }).fill('Photographers')
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'Photographers' })
    await row.getByText('editor').waitFor()
    await checkAccess(page)
    const memberships = async () => (await identity.listUsers({ query: { search: 'mads' } })).users![0]!.groups ?? []
    expect(await memberships()).toEqual(['Photographers'])

    await page.getByRole('button', { name: 'New group' }).click()
    await dialog.getByRole('textbox', { name: 'Group name' }).fill('Photographers')
    await dialog.getByText('This name is taken. Choose another one.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
    await dialog
      .getByRole('button', { name: 'Cancel' })
      .or(dialog.getByRole('button', { name: 'Close' }))
      .first()
      .click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })

    await row.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('combobox', { name: 'Members' }).press('Backspace')
    await dialog.getByRole('textbox', { name: 'Description' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await memberships()).toEqual([])
    await page.getByRole('button', { name: 'Delete: Photographers' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
  })
})
