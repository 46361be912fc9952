import type { Locator } from 'playwright-core'
import sharp from 'sharp'
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

describe('the page of a product', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { pim, cm, search } = console.client()
    await pim['attribute-definitions'].persist([
      { tid: 'title', type: 'text', localized: 'true', ...named('Title', 'Titel') },
      { tid: 'weight', type: 'number', ...named('Weight', 'Gewicht') },
    ])
    await pim.classes.persist([{ tid: 'Harbour', ...named('Harbour', 'Hafen') }])
    await pim.nodes.persist([{ parentPath: '/Harbour', tid: 'Boats', ...named('Boats', 'Boote') }])
    await pim.attributes.persist([
      { nodePath: '/Harbour', key: 'title', level: 'p', restriction: 'required' },
      { nodePath: '/Harbour/Boats', key: 'weight', level: 'av' },
    ])
    const title = { attr: 'title', itm: [{ value: 'A paddle', loc: 'en_GB' }] }
    const [paddle] = await pim.products.persist([
      { tid: 'p-1', name: 'Paddle', node: '/Harbour', vals: { val: [title] } },
    ])
    const [channel] = await cm.channels.persist([{ tid: 'shop', type: 'Webshop', name: 'Web shop' }])
    await search.waitForDocuments({ body: { index: 'PRODUCT', documents: [paddle!.id!], maxWait: 60_000 } })
    await search.waitForDocuments({ body: { index: 'CHANNEL', documents: [channel!.id!], maxWait: 60_000 } })
  })

  journey('a product gets a picture, a related product and a channel, and its readiness rises', async () => {
    const page = await console.signIn('/products?node=/Harbour/Boats')
    await page.getByRole('button', { name: 'New product' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Dinghy')
    await dialog.getByRole('textbox', { name: 'Title, English (United Kingdom)' }).fill('A small boat')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Dinghy' }).waitFor()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('tab', { name: 'Pictures and links' }).click()
    const gallery = page.getByRole('region', { name: 'Pictures and files' })
    const upload = async (name: string, background: string) => {
      const buffer = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
        .png()
        .toBuffer()
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
      await dialog.getByRole('combobox', { name: 'Folder' }).and(page.locator('[value^="/"]')).waitFor()
      await dialog.getByRole('button', { name: 'Upload' }).click()
      await gallery.getByRole('article', { name }).waitFor()
      await dialog.waitFor({ state: 'detached' })
    }
    await upload('side.png', '#336699')
    await upload('front.png', '#993333')
    await gallery.getByRole('article', { name: 'side.png' }).getByText('Main picture').waitFor()
    await gallery.getByRole('button', { name: 'Actions: front.png' }).click()
    await page.getByRole('menuitem', { name: 'Make main picture' }).click()
    await gallery.getByRole('article', { name: 'front.png' }).getByText('Main picture').waitFor()

    await page.getByRole('button', { name: 'Add related product' }).click()
    await dialog.getByRole('combobox', { name: 'Product' }).fill('Paddle')
    await page.getByRole('option', { name: 'Paddle' }).click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('row', { name: /Paddle Accessories/ }).waitFor()
    await dialog.waitFor({ state: 'detached' })

    const overview = page.getByRole('complementary', { name: 'Overview' })
    await overview.getByRole('button', { name: 'Place in channel' }).click()
    await overview.getByRole('combobox', { name: 'Channel' }).fill('Web')
    await page.getByRole('option', { name: 'Web shop' }).click()
    await overview.getByRole('link', { name: 'Web shop' }).waitFor()
    await checkAccess(page)

    await overview.getByRole('button', { name: /^0 % complete: Web shop, .*(Deutsch|German)/ }).click()
    await overview.getByRole('button', { name: 'Title', exact: true }).click()
    const title = page.getByRole('textbox', { name: 'Titel, German (Germany)' })
    await title.and(page.locator(':focus')).waitFor()
    await title.fill('Ein kleines Boot')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await overview.getByRole('button', { name: /^100 % complete: Web shop, .*(Deutsch|German)/ }).waitFor()
    await checkAccess(page)

    const [product] = await console.client().pim.products.retrieve({ tids: [new URL(page.url()).pathname.slice(10)] })
    expect(JSON.stringify(product!.links)).toMatch(/p-1.*productToProduct.*shop.*productToProject/)
    await page.goto(console.url('/products/p-1?tab=links'))
    await page.getByRole('row', { name: /Dinghy Accessory of/ }).waitFor()
  })

  journey('the same is done with the keyboard only', async () => {
    const page = await console.signIn('/products?node=/Harbour/Boats')
    const press = (key: string) => page.keyboard.press(key)
    const isFocused = async (target: Locator) => (await target.and(page.locator(':focus')).count()) > 0
    /** Presses a key until the target has the focus. */
    const reach = async (target: Locator, key = 'Tab') => {
      await target.waitFor()
      for (let steps = 0; steps < 250; steps++) {
        if (await isFocused(target)) return
        await press(key)
      }
      throw new Error(`${key} does not reach ${target.toString()}`)
    }
    const activate = async (target: Locator) => {
      await reach(target)
      await press('Enter')
    }
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
    const isClosed = () => dialog.waitFor({ state: 'detached' })
    const type = (text: string) => page.keyboard.type(text)
    /** Types into the focused field of choice, and chooses the option. */
    const choose = async (field: Locator, text: string, name: string) => {
      await reach(field)
      await type(text)
      const option = page.getByRole('option', { name })
      await option.waitFor()
      for (let steps = 0; steps < 20 && (await option.getAttribute('data-combobox-selected')) === null; steps++)
        await press('ArrowDown')
      await press('Enter')
    }

    await activate(button('New product'))
    await reach(dialog.getByRole('textbox', { name: 'Name', exact: true }))
    await type('Skiff')
    await reach(dialog.getByRole('textbox', { name: 'Title, English (United Kingdom)' }))
    await type('A light boat')
    await checkAccess(page)
    await activate(inDialog('Create'))
    await page.getByRole('heading', { level: 1, name: 'Skiff' }).waitFor()
    await isClosed()

    await reach(page.getByRole('tab', { selected: true }))
    await reach(page.getByRole('tab', { name: 'Pictures and links' }), 'ArrowRight')
    await page.getByRole('tab', { name: 'Pictures and links', selected: true }).waitFor()
    const gallery = page.getByRole('region', { name: 'Pictures and files' })
    const buffer = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
    const chooser = page.waitForEvent('filechooser')
    await activate(gallery.getByRole('button', { name: 'Upload' }))
    await (await chooser).setFiles({ name: 'skiff.png', mimeType: 'image/png', buffer })
    await dialog.getByRole('combobox', { name: 'Folder' }).and(page.locator('[value^="/"]')).waitFor()
    await activate(inDialog('Upload'))
    await gallery.getByRole('article', { name: 'skiff.png' }).waitFor()
    await isClosed()

    await activate(button('Add related product'))
    await choose(dialog.getByRole('combobox', { name: 'Product' }), 'Paddle', 'Paddle')
    await activate(inDialog('Add'))
    await page.getByRole('row', { name: /Paddle Accessories/ }).waitFor()
    await isClosed()

    const overview = page.getByRole('complementary', { name: 'Overview' })
    await activate(overview.getByRole('button', { name: 'Place in channel' }))
    const channel = overview.getByRole('combobox', { name: 'Channel' })
    await channel.and(page.locator(':focus')).waitFor()
    await choose(channel, 'Web', 'Web shop')
    await overview.getByRole('link', { name: 'Web shop' }).waitFor()
    await overview.getByRole('button', { name: 'Place in channel' }).and(page.locator(':focus')).waitFor()

    await activate(overview.getByRole('button', { name: /^0 % complete: Web shop, .*(Deutsch|German)/ }))
    await activate(overview.getByRole('button', { name: 'Title', exact: true }))
    await page.getByRole('textbox', { name: 'Titel, German (Germany)' }).and(page.locator(':focus')).waitFor()
    await type('Ein leichtes Boot')
    await activate(button('Save 1 change'))
    await overview.getByRole('button', { name: /^100 % complete: Web shop, .*(Deutsch|German)/ }).waitFor()
  })

  journey(
    'variations are pasted from a spreadsheet and copied down, and texts are translated one after the other',
    async () => {
      const variant = ['S', 'M', 'L'].map((size) => ({ tid: `raft-${size}`, name: `Raft red, ${size}` }))
      const article = [{ tid: 'raft-red', name: 'Raft red', variants: { variant } }]
      const vals = { val: [{ attr: 'title', itm: [{ value: 'A raft', loc: 'en_GB' }] }] }
      await console
        .client()
        .pim.products.persist([{ tid: 'raft', name: 'Raft', node: '/Harbour/Boats', vals, articles: { article } }])
      const page = await console.signIn('/products/raft?tab=matrix')
      await page.getByRole('treeitem', { name: 'red', exact: true }).waitFor()
      const weight = (name: string) => page.getByRole('textbox', { name: `Weight: ${name}`, exact: true })
      await weight('Raft red').waitFor()
      await weight('Raft red, S').focus()
      // as a text, because the tests are compiled without the types of browsers
      await page.evaluate(`{
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', '10\\n11,5\\n')
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        document.activeElement.dispatchEvent(event)
      }`)
      await page.getByText('2 values pasted').waitFor()
      await page.getByRole('button', { name: 'Copy down: Weight: Raft red, M' }).click()
      await expect.poll(() => weight('Raft red, L').inputValue()).toBe('11.5')
      await checkAccess(page)

      await page.getByRole('button', { name: 'Save 3 changes' }).click()
      await page.getByText('Raft saved').waitFor()
      await page.goto(console.url('/products/raft?with=de_DE'))
      await page.getByRole('checkbox', { name: 'Only untranslated' }).click()
      await page.getByRole('button', { name: 'Next missing' }).click()
      const german = page.getByRole('textbox', { name: 'Title, German (Germany)' })
      await german.and(page.locator(':focus')).waitFor()
      await page.getByRole('button', { name: 'Copy from English (United Kingdom): Title, German (Germany)' }).click()
      await page.getByRole('button', { name: 'Save 1 change' }).click()
      await page.getByText('Raft saved').first().waitFor()
      const [raft] = await console.client().pim.products.retrieve({ tids: ['raft'] })
      expect(raft!.vals!.val![0]!.itm).toEqual([
        { value: 'A raft', loc: 'de_DE' },
        { value: 'A raft', loc: 'en_GB' },
      ])
    },
  )
})
