import { beforeAll, describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('keywords, glossaries and messages', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { common } = console.client()
    const keyword = (value: string) => ({ name: { itm: [{ value }] } })
    await common.keywords.persist([keyword('Boats'), keyword('Harbour')])
  })

  journey('a keyword is created, translated and moved below another', async () => {
    const page = await console.signIn('/keywords')
    await page.getByRole('button', { name: 'New keyword' }).click()
    await page.getByRole('dialog').getByLabel('Technical name').fill('Sail')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 2, name: '/Sail' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Name, German (Germany)' }).fill('Segel')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await checkAccess(page)
    await page.getByRole('treeitem', { name: 'Sail' }).dragTo(page.getByRole('treeitem', { name: 'Boats' }))
    await page.getByRole('heading', { level: 2, name: '/Boats/Sail' }).waitFor()
    const [sail] = await console.client().common.keywords.retrieve({ path: '/Boats' })
    expect(sail).toMatchObject({
      path: '/Boats/Sail',
      name: { itm: [{ value: 'Sail' }, { value: 'Segel', loc: 'de_DE' }] },
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 2, name: '/Sail', exact: true }).waitFor()
  })

  journey('branches of the keyword tree are loaded when they are opened', async () => {
    const { common } = console.client()
    const below = (parentPath: string, value: string) => ({ parentPath, name: { itm: [{ value }] } })
    for (const [parent, name] of [
      ['/Harbour', 'Quay'],
      ['/Harbour/Quay', 'Crane'],
      ['/Harbour/Quay/Crane', 'Hook'],
    ] as const)
      await common.keywords.persist([below(parent, name)])
    const page = await console.signIn('/keywords')
    const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })
    await item('Harbour').click()
    for (const name of ['Quay', 'Crane', 'Hook']) {
      await page.keyboard.press('ArrowRight')
      await item(name).waitFor()
      await page.keyboard.press('ArrowRight')
    }
    await expect.poll(() => item('Hook').getAttribute('aria-expanded')).toBeNull()
    await page.goto(console.url('/keywords?keyword=/Harbour/Quay/Crane'))
    await page.getByRole('heading', { level: 2, name: '/Harbour/Quay/Crane' }).waitFor()
    await item('Crane').and(page.locator('[aria-selected=true]')).waitFor()
  })

  journey('a glossary gets a term with a forbidden translation, and loses a translation', async () => {
    const page = await console.signIn('/glossaries')
    await page.getByRole('button', { name: 'New glossary' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Glossary name').fill('Seafaring')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'No entries yet' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New entry' }).click()
    await dialog.getByRole('textbox', { name: 'Text in English (United Kingdom)' }).fill('dinghy')
    await page.reload()
    await page.getByRole('button', { name: 'New entry' }).click()
    await dialog.getByText('These are your unsaved changes').waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Text in English (United Kingdom)' }).inputValue()).toBe('dinghy')
    await dialog.getByRole('textbox', { name: 'Text in German (Germany)' }).fill('Nussschale')
    await dialog.getByRole('checkbox', { name: 'Forbidden in German (Germany)' }).click()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Nussschale').waitFor()
    await checkAccess(page)

    const entries = async () => {
      const message = await console.client().common.glossaries.retrieveMessage({ retrieveEntries: true })
      return message.glossaryEntries!.glossaryEntry!
    }
    const [entry] = await entries()
    expect(entry!.links!.itms![0]).toMatchObject({ loc: 'de_DE' })
    expect(entry!.links!.itms![0]!.itm).toContainEqual({ key: 'forbidden', value: 'true' })
    await page.getByRole('button', { name: 'dinghy' }).click()
    await dialog.getByRole('textbox', { name: 'Text in German (Germany)' }).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await entries())[0]!.links?.itms ?? []).toEqual([])
  })

  journey('a message is sent, read, and marked as unread again', async () => {
    const page = await console.signIn('/messages')
    await page.getByRole('heading', { name: 'No messages' }).waitFor()
    await page.getByRole('button', { name: 'New message' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'User name' }).fill('nobody')
    await dialog.getByRole('textbox', { name: 'Subject' }).fill('High water')
    await dialog.getByRole('textbox', { name: 'Message' }).fill('The quay is wet.')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('There is no user nobody.').waitFor()
    await dialog.getByRole('combobox', { name: 'User name' }).fill('admin')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /High water/ }).click()
    await page.getByText('The quay is wet.').waitFor()
    const unread = async () => (await console.client().common.listMessages()).unread
    await expect.poll(unread).toBe(0)
    await checkAccess(page)
    await page.getByRole('button', { name: 'Mark as unread' }).click()
    await expect.poll(unread).toBe(1)
  })

  journey('a French reader chooses French once, and reads dates, counts and refusals in it', async () => {
    const page = await console.signIn('/messages')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Français' }).click()
    await page.getByRole('button', { name: 'Nouveau message' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Nouveau message' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
    await page.getByRole('button', { name: 'Nouveau message' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Nom d’utilisateur' }).fill('personne')
    await dialog.getByRole('textbox', { name: 'Objet' }).fill('Marée haute')
    await dialog.getByRole('textbox', { name: 'Message' }).fill('Le quai est mouillé.')
    await dialog.getByRole('button', { name: 'Envoyer' }).click()
    await dialog.getByText('Il n’y a pas d’utilisateur personne.').waitFor()
    await checkAccess(page)
    await page.goto(console.url('/assets?f.from=2026-11-17'))
    await page.getByRole('heading', { name: 'Aucun fichier ne correspond au filtre' }).waitFor()
    await page.goto(console.url('/keywords'))
    await page.getByRole('button', { name: 'Nouveau mot-clé' }).click()
    await dialog.getByLabel('Nom technique').fill('Boats')
    await dialog.getByRole('button', { name: 'Créer' }).click()
    await page.getByText('Le mot-clé /Boats existe déjà.').waitFor()
  })
})
