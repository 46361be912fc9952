import { beforeAll, describe, expect } from 'vitest'
import sharp from 'sharp'
import { checkAccess, journey, withConsole } from './journey.ts'

const itemsOf = (facts: Readonly<Record<string, string>>) =>
  Object.entries(facts).map(([key, value]) => ({ key, value }))
const measures = (facts: Readonly<Record<string, string>>) =>
  Object.entries(facts).map(([identifier, value]) => ({ identifier, value }))

describe('channels', () => {
  const console = withConsole()

  beforeAll(async () => {
    const { pim, cm, peo } = console.client()
    const name = { itm: [{ value: 'Title', loc: 'en_GB' }] }
    await pim['attribute-definitions'].persist([{ tid: 'title', type: 'text', localized: 'true', name }])
    await pim.classes.persist([{ tid: 'Harbour', name: { itm: [{ value: 'Harbour', loc: 'en_GB' }] } }])
    await pim.attributes.persist([{ nodePath: '/Harbour', key: 'title', restriction: 'required' }])
    const title = { attr: 'title', type: 'localized' as const, itm: [{ value: 'A boat', loc: 'en_GB' }] }
    const dinghy = { tid: 'dinghy', name: 'Dinghy', node: '/Harbour', vals: { val: [title] } }
    const made = await pim.products.persist([dinghy])
    expect(made).toMatchObject([{ status: 'SUCCESS' }])
    await peo['admin/templates'].persist([{ tid: 'teaser', name: 'Teaser' }])
    await cm.channels.persist([
      { tid: 'print', name: 'Print', type: 'Catalogue' },
      { tid: 'spring', name: 'Spring', type: 'Catalogue', parentTid: 'print' },
      { tid: 'autumn', name: 'Autumn', type: 'Catalogue', parentTid: 'print' },
    ])
    const box = {
      id: '9',
      layer: 'Default',
      name: 'Hero',
      type: 'Picture',
      attribute: measures({ xpos: '10', ypos: '20', width: '190', height: '100', zpos: '1' }),
    }
    const layout = [
      { id: '5', name: 'Cover', attribute: measures({ width: '210', height: '297' }), boxes: { box: [box] } },
    ]
    await cm.persistBriefing({ body: { tid: 'print', layout } })
  })

  journey('a channel is created, a product is added, and the list of missing values links to the product', async () => {
    const page = await console.signIn('/channels')
    await page.getByRole('tab', { selected: true }).waitFor() // the first channel is open
    await page.getByRole('button', { name: 'New channel', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Web shop')
    await dialog.getByRole('textbox', { name: 'ID', exact: true }).fill('shop')
    await dialog.getByRole('combobox', { name: 'Channel type' }).click()
    await page.getByRole('option').first().click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 2, name: 'Web shop' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await checkAccess(page)

    await page.getByRole('button', { name: 'Add products' }).click()
    await dialog.getByRole('textbox', { name: 'Product name or ID' }).fill('ding')
    await dialog.getByRole('checkbox', { name: 'Dinghy' }).click()
    await dialog.getByRole('button', { name: 'Add 1 product' }).click()
    await page.getByRole('heading', { name: 'Products (1)' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New channel text' }).click()
    await dialog.getByRole('combobox', { name: 'Product' }).click()
    await page.getByRole('option', { name: 'Dinghy (dinghy)' }).click()
    await dialog.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: 'Teaser' }).click()
    await dialog.getByRole('textbox', { name: 'Channel text name' }).fill('Dinghy teaser')
    await page.reload()
    await page.getByRole('button', { name: 'New channel text' }).click()
    await dialog.getByText('These are your unsaved changes').waitFor()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Remove Dinghy teaser' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await checkAccess(page)

    await page.getByRole('tab', { name: 'Readiness' }).click()
    await page.getByRole('button', { name: 'Requirements' }).click()
    const choose = async (field: string, text: string, option: string | RegExp) => {
      await dialog.getByRole('combobox', { name: field }).fill(text)
      await page.getByRole('option', { name: option }).click()
      await page.keyboard.press('Escape')
    }
    await choose('Required languages', 'de_DE', /German|Deutsch/)
    await choose('Required attributes', 'Title', 'Title')
    await dialog.getByRole('button', { name: 'Add picture' }).click()
    await dialog.getByRole('combobox', { name: 'Role 1' }).fill('Front')
    await page.getByRole('option', { name: 'Front' }).click()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('link', { name: / missing in / }).count()).toBe(1)
    await page.getByRole('treeitem', { name: /Web shop.*1/ }).waitFor()
    await page.getByRole('link', { name: /missing in .*(German|Deutsch)/ }).click()
    await page.getByRole('heading', { name: /^Missing in .*(German|Deutsch)/ }).waitFor()
    await checkAccess(page)
    await page.getByText('Pictures: 1 × Front.').waitFor()
    await page.getByRole('row', { name: /^Dinghy Picture “Front”/ }).waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await checkAccess(page)
    await page
      .getByRole('row', { name: /^Dinghy Title/ })
      .getByRole('link', { name: 'Title' })
      .click()
    await page.waitForURL((url) => url.pathname === '/products/dinghy' && url.searchParams.get('loc') === 'de_DE')
    await page
      .getByRole('textbox', { name: /German \(Germany\)/ })
      .and(page.locator(':focus'))
      .waitFor()
  })

  journey('the home page names what blocks a release, and each user chooses its widgets', async () => {
    const page = await console.signIn('/')
    const widget = (name: string) => page.getByRole('region', { name })
    const blockers = widget('What blocks the next release')
    await blockers.getByRole('link', { name: 'Web shop', exact: true }).waitFor()
    await widget('Data quality').getByRole('link', { name: 'Products without picture: 1' }).waitFor()
    await widget('Completeness over time').getByRole('img').waitFor()
    await widget('My work').getByText('Recently opened').waitFor()
    await widget('Recent changes').getByText('admin').first().waitFor()
    await checkAccess(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await checkAccess(page)

    await page.getByRole('button', { name: 'Customise' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('switch', { name: 'Data quality' }).click()
    await dialog.getByRole('button', { name: 'Move My work up' }).click()
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await widget('Data quality').waitFor({ state: 'detached' })
    await page.reload()
    await blockers.waitFor()
    const titles = () => page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
    await expect.poll(async () => (await titles()).slice(0, 2)).toEqual(['My work', 'What blocks the next release'])
    expect(await titles()).not.toContain('Data quality')

    await blockers.getByRole('link', { name: /^Title \(/ }).click()
    await page.getByRole('heading', { name: /^Missing in .*(German|Deutsch)/ }).waitFor()
  })

  journey('channels are reordered and moved by dragging, and a move can be undone', async () => {
    const { cm } = console.client()
    const below = async () => (await cm.channels.query({ tid: 'print', level: 1 })).tids!.slice(1)
    const page = await console.signIn('/channels?channel=print')
    const item = (name: string) => page.getByRole('treeitem', { name })
    await item('Autumn').dragTo(item('Spring'), { targetPosition: { x: 60, y: 3 } })
    await page.getByText('“Autumn” moved').waitFor()
    expect(await below()).toEqual(['autumn', 'spring'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(below).toEqual(['spring', 'autumn'])
    await page.getByText('“Autumn” moved').waitFor({ state: 'detached' })
    // The tree is read again after the undo; a drag before that would land on the item that moves under it.
    const shown = () =>
      page
        .getByRole('treeitem')
        .filter({ hasText: /Spring|Autumn/ })
        .allInnerTexts()
    await expect.poll(shown).toEqual([expect.stringContaining('Spring'), expect.stringContaining('Autumn')])
    await item('Autumn').dragTo(item('Spring'))
    await page.getByText('“Autumn” moved').waitFor()
    expect(await below()).toEqual(['spring'])
  })

  journey('the briefing is drawn with its boxes, and an asset is displayed and removed', async () => {
    const { uploads, common } = console.client()
    const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const asset = await uploads.asset(new File([new Uint8Array(bytes)], 'cover.png'), { path: '/MAM/' })
    const itms = [{ itm: itemsOf({ assetTid: asset.tid!, projectTid: 'print' }) }]
    await common.links.persist([{ type: 'assetToProject', itms }])
    const page = await console.signIn('/channels?channel=print')
    await page.getByRole('link', { name: 'cover.png' }).waitFor()
    await page.getByRole('button', { name: 'Remove cover.png' }).click()
    await page.getByRole('heading', { name: 'Assets (0)' }).waitFor()
    await page.getByRole('tab', { name: 'Briefing' }).click()
    await page.getByRole('img', { name: 'Cover, 210 × 297' }).waitFor()
    await page.getByRole('cell', { name: '190 × 100' }).waitFor()
    await checkAccess(page)

    await page.getByRole('button', { name: 'Edit briefing' }).click()
    const dialog = page.getByRole('dialog')
    const text = dialog.getByRole('textbox', { name: 'Text of page 1' })
    await text.fill('A calm cover.\nOne boat, much sea.')
    await page.emulateMedia({ colorScheme: 'dark' })
    await checkAccess(page)
    await page.keyboard.press('Escape') // what was typed is kept
    await page.getByRole('button', { name: 'Edit briefing' }).click()
    await expect.poll(() => text.inputValue()).toBe('A calm cover.\nOne boat, much sea.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: '190 × 100' }).waitFor() // the boxes are kept
    await page.getByRole('tab', { name: 'Contents' }).click()
    await page.getByRole('region', { name: 'Briefing' }).getByText('One boat, much sea.').waitFor()
    await page.goto(console.url('/channels?channel=spring&tab=briefing'))
    await page.getByRole('button', { name: 'Write briefing' }).click()
    await dialog.getByRole('textbox', { name: 'Title of page 1' }).fill('Spring')
    await dialog.getByRole('textbox', { name: 'Text of page 1' }).fill('Fresh colours')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 3, name: 'Spring' }).waitFor()
  })

  journey('deleting a channel lists what is deleted with it', async () => {
    const page = await console.signIn('/channels?channel=print')
    await page.getByRole('treeitem', { name: 'Print' }).hover()
    await page.getByRole('button', { name: 'Actions: Print' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('subchannels').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Print” deleted').waitFor()
    await page.getByRole('treeitem', { name: 'Print' }).waitFor({ state: 'detached' })
  })
})
