import { describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

describe('feeds', () => {
  const console = withConsole()

  journey('a feed is created with a schedule in words, run, and downloaded from its address', async () => {
    const { pim } = console.client()
    await pim.classes.persist([{ tid: 'Shop', name: { itm: [{ value: 'Shop', loc: 'en_GB' }] } }])
    await pim.products.persist([{ tid: '4711', name: 'Compass', node: '/Shop' }])
    const page = await console.signIn('/feeds')
    await page.getByRole('heading', { name: 'No feeds yet' }).waitFor()
    await checkAccess(page)

    await page.getByRole('button', { name: 'New feed' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shop')
    await dialog.getByRole('combobox', { name: 'Categories' }).fill('shop')
    await page.getByRole('option', { name: /Shop/ }).first().click()
    await dialog.getByLabel('Time', { exact: false }).first().fill('07:30')
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('heading', { name: 'shop', level: 2 }).waitFor()
    await page.getByText(/Every day at 07:30/).waitFor()
    await page.getByText('This feed has not run yet.', { exact: true }).last().waitFor()
    await pim.nodes.persist([{ parentPath: '/Shop', tid: 'Sea', name: { itm: [{ value: 'Sea', loc: 'en_GB' }] } }])
    const { feeds } = console.client()
    const order = { format: 'csv' as const, nodePaths: ['/Shop', '/Shop/Sea'], layout: 'plain' as const }
    const stored = await feeds.getFeed({ params: { name: 'shop' } })
    await feeds.putFeed({ params: { name: 'shop' }, body: { direction: 'export', place: stored.place, export: order } })
    await page.reload()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await feeds.getFeed({ params: { name: 'shop' } })).export).toEqual(order)
    await page.getByRole('button', { name: 'New feed' }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shop')
    await dialog.getByText('This name is taken. Choose another one.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Create download address' }).click()
    const address = await page.getByRole('status').locator('pre').textContent()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('row').filter({ hasText: 'shop.csv' }).getByText('Finished', { exact: true }).waitFor()
    await checkAccess(page)
    const reply = await fetch(address!)
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('4711,Compass,/Shop')])

    await page.getByRole('button', { name: 'Revoke address' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke address' }).click()
    await page.getByRole('button', { name: 'Create download address' }).waitFor()
    expect((await fetch(address!)).status).toBe(403)

    // A profile with a layout gives the format; a layout can be chosen without one, and languages with both.
    const google = { layout: 'google' as const, constants: { link: 'https://shop.example.com/{tid}' } }
    await console.client().transfers.putProfile({ params: { name: 'google' }, body: google })
    await page.reload()
    const edit = async (work: () => Promise<void>) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      await work()
      await checkAccess(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'hidden' })
      return (await feeds.getFeed({ params: { name: 'shop' } })).export
    }
    const choose = async (label: string, option: string | RegExp) => {
      await dialog.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option }).first().click()
    }
    const { layout: _, ...plain } = order
    expect(await edit(() => choose('Format', 'Shopify (csv)'))).toEqual({ ...plain, layout: 'shopify' })
    const changed = await edit(async () => {
      await choose('Mapping profile', 'google')
      await choose('Format', 'Google Shopping (xml)')
      await choose('Languages', /^English/)
      await page.keyboard.press('Escape')
    })
    expect(changed).toEqual({ ...plain, format: 'xml', layout: 'google', profile: 'google', locales: ['en_GB'] })
  })
})
