/** Nothing that a person has typed is lost: two people, a session that ends, a lost connection, a page that is left. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect } from 'vitest'
import { admin, checkAccess, fillSignIn, journey, withConsole } from './journey.ts'

type User = typeof admin

describe('unsaved changes of a product', () => {
  const console = withConsole()
  let greta: User, otto: User, willi: User

  beforeAll(async () => {
    const { pim, identity } = console.client()
    const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })
    await pim['attribute-definitions'].persist([
      { tid: 'title', type: 'text', localized: 'true', ...named('Title') },
      { tid: 'weight', type: 'number', ...named('Weight') },
      { tid: 'note', type: 'text', ...named('Note') },
    ])
    await pim.classes.persist([{ tid: 'Harbour', ...named('Harbour') }])
    await pim.attributes.persist(['title', 'weight', 'note'].map((key) => ({ nodePath: '/Harbour', key })))
    const tids = ['shared', 'kept', 'offline', 'left', 'read']
    await pim.products.persist(tids.map((tid) => ({ tid, name: `Boat ${tid}`, node: '/Harbour' })))
    const grants = [
      {
        kind: 'product',
        actions: ['read', 'update'],
        editableAttributes: { only: ['weight', 'title'] },
        editableLocales: { only: ['de_DE'] },
      },
    ]
    const reading = ['attrDefinition', 'attribute', 'classification', 'node', 'locale'].map((kind) => ({
      kind,
      actions: ['read'],
    }))
    await identity.putRole({ params: { name: 'weigher' }, body: { grants: [...grants, ...reading] } })
    greta = await console.addUser('greta', ['user'])
    otto = await console.addUser('otto', ['reader'])
    willi = await console.addUser('willi', ['weigher'])
  })

  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click()
  const valueOf = async (tid: string, key: string) => {
    const [product] = await console.client().pim.products.retrieve({ tids: [tid] })
    return product!.vals?.val?.find(({ attr }) => attr === key)?.itm?.[0]?.value
  }

  journey(
    'are merged with those of somebody else, and people decide only where the same value was changed',
    async () => {
      const mine = await console.signIn('/products/shared')
      const theirs = await console.signIn('/products/shared', greta)
      await field(mine, 'Title, English (United Kingdom)').fill('My title')
      await field(mine, 'Note').fill('My note')
      await field(theirs, 'Title, English (United Kingdom)').fill('Their title')
      await field(theirs, 'Weight').fill('12')
      await mine.getByRole('img', { name: 'greta is editing this' }).waitFor()
      await save(theirs)
      await theirs.getByText('Boat shared saved').waitFor()

      await save(mine)
      const dialog = mine.getByRole('dialog')
      await dialog.getByText('Somebody else has changed this value too').waitFor()
      expect(await dialog.getByRole('row').allInnerTexts()).toHaveLength(2)
      await dialog.getByRole('radio', { name: 'Title, English (United Kingdom): Theirs' }).waitFor()
      expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
      await checkAccess(mine)
      await dialog.getByRole('radio', { name: 'Title, English (United Kingdom): Mine' }).check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await mine.getByText('Boat shared saved').waitFor()
      expect([
        await valueOf('shared', 'title'),
        await valueOf('shared', 'note'),
        await valueOf('shared', 'weight'),
      ]).toEqual(['My title', 'My note', '12'])
    },
  )

  journey('are there again after the session has ended, and after a reload', async () => {
    const page = await console.signIn('/products/kept', greta)
    await field(page, 'Note').fill('typed before the end')
    await page.reload()
    await page.getByText('These are your unsaved changes').waitFor()
    expect(await field(page, 'Note').inputValue()).toBe('typed before the end')

    await field(page, 'Note').fill('typed just before the end')
    const { identity } = console.client()
    const { users = [] } = await identity.listUsers({ query: { search: 'greta' } })
    await identity.logoutUser({ params: { id: users[0]!.id! } })
    await page.context().clearCookies()
    await save(page)
    await fillSignIn(page, greta)
    await page.getByRole('heading', { level: 1, name: 'Boat kept' }).waitFor()
    expect(await field(page, 'Note').inputValue()).toBe('typed just before the end')
    await checkAccess(page)
    await save(page)
    await page.getByText('Boat kept saved').waitFor()
    expect(await valueOf('kept', 'note')).toBe('typed just before the end')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Boat kept' }).waitFor()
    expect(await page.getByText('These are your unsaved changes').count()).toBe(0)
  })

  journey('of one user are not shown to another user of the same browser', async () => {
    const page = await console.signIn('/products/kept', greta)
    await field(page, 'Note').fill('for the eyes of Greta')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await fillSignIn(page, admin)
    await page.goto(console.url('/products/kept'))
    await page.getByRole('heading', { level: 1, name: 'Boat kept' }).waitFor()
    expect(await field(page, 'Note').inputValue()).not.toBe('for the eyes of Greta')
  })

  journey('stay when the connection is lost, and the page says so', async () => {
    const page = await console.signIn('/products/offline')
    await field(page, 'Note').fill('typed on a train')
    await page.context().setOffline(true)
    await page.getByText('You are offline. What you type is kept').waitFor()
    await save(page)
    await page.getByText('Nothing was saved.').waitFor()
    await checkAccess(page)
    await page.context().setOffline(false)
    await page.getByText('You are offline. What you type is kept').waitFor({ state: 'detached' })
    await save(page)
    await page.getByText('Boat offline saved').waitFor()
    expect(await valueOf('offline', 'note')).toBe('typed on a train')
  })

  journey('stay as a draft when the page is left, unless they are discarded', async () => {
    const page = await console.signIn('/products/left')
    const leave = () => page.getByRole('link', { name: 'All products' }).click()
    // The address changes before the list is drawn; the editor is gone only then.
    const goBack = async () => {
      await page.waitForURL('**/products')
      await page.getByRole('grid').getByText('Boat left').waitFor()
      await page.goBack()
    }
    await field(page, 'Note').fill('half a sent')
    await leave()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('stay in this browser as a draft').waitFor()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect(await field(page, 'Note').inputValue()).toBe('half a sent')
    await leave()
    await dialog.getByRole('button', { name: 'Leave, keep draft' }).click()
    await goBack()
    await page.getByText('These are your unsaved changes').waitFor()
    expect(await field(page, 'Note').inputValue()).toBe('half a sent')
    await leave()
    await dialog.getByRole('button', { name: 'Discard changes' }).click()
    await goBack()
    await page.getByRole('heading', { level: 1, name: 'Boat left' }).waitFor()
    expect(await field(page, 'Note').inputValue()).toBe('')
  })

  journey('cannot be made by who may not make them, and the page says why', async () => {
    const reader = await console.signIn('/products/read', otto)
    await reader.getByText('You may not change this product.').waitFor()
    expect(await field(reader, 'Title, English (United Kingdom)').isDisabled()).toBe(true)
    await checkAccess(reader)

    const weigher = await console.signIn('/products/read', willi)
    expect(await field(weigher, 'Weight').isEditable()).toBe(true)
    expect(await field(weigher, 'Note').getAttribute('title')).toBe('You may not change this attribute.')
    expect(await field(weigher, 'Title, English (United Kingdom)').getAttribute('title')).toBe(
      'You may not change this language.',
    )
    await field(weigher, 'Weight').fill('7')
    await save(weigher)
    await weigher.getByText('Boat read saved').waitFor()
    expect(await valueOf('read', 'weight')).toBe('7')
  })
})
