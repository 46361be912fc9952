import sharp from 'sharp'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })

/** Sets a value on the page of a product, saves it, and goes back to the task. */
async function fillIn(page: Page, field: string, value: string) {
  await page.getByRole('textbox', { name: field }).fill(value)
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await page.goBack()
}

/** The effects of a process appear a moment later. */
const reloadUntil = (page: Page, text: string | RegExp) =>
  expect
    .poll(async () => {
      await page.reload()
      return page.getByText(text).first().waitFor({ timeout: 5000 }).then(() => true, () => false) // prettier-ignore
    })
    .toBe(true)

describe('workflows and tasks', () => {
  const console = withConsole()
  const people: Record<string, { name: string; password: string }> = {}
  beforeAll(async () => {
    const { pim, identity, uploads, search } = console.client()
    await pim['attribute-definitions'].persist([{ tid: 'title', type: 'text', localized: 'true', ...named('Title') }])
    await pim.classes.persist([{ tid: 'Outdoor', ...named('Outdoor') }])
    const [boot] = await pim.products.persist([{ tid: 'BOOT', name: 'Harbour boot', node: '/Outdoor' }])
    // only then, because a product without a required value cannot be created
    await pim.attributes.persist([{ nodePath: '/Outdoor', key: 'title', level: 'p', restriction: 'required' }])
    const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
    const file = new File([new Uint8Array(bytes)], 'boot.png')
    const asset = await uploads.asset(file, { path: '/MAM/' })
    expect(asset).toBeDefined()
    for (const name of ['translator', 'approver']) {
      const grants = [
        { kind: '*', actions: ['read'] },
        { kind: 'workflow', actions: ['update'] },
        { kind: 'product', actions: ['update'] },
      ]
      await identity.putRole({ params: { name }, body: { grants } })
    }
    people.ed = await console.addUser('ed', ['editor'])
    people.tara = await console.addUser('tara', ['translator'])
    people.arno = await console.addUser('arno', ['approver'])
    await search.waitForDocuments({ body: { index: 'PRODUCT', documents: [boot!.id!], maxWait: 60_000 } })
  })

  journey('a product is written, translated and approved by three people', async () => {
    const page = await console.signIn('/workflow')
    await page.getByRole('button', { name: /^Start: .*(enrich|Enrich)/ }).click()
    const dialog = page.getByRole('dialog')
    const choose = async (field: string, text: string, option: RegExp) => {
      await dialog.getByRole('combobox', { name: field, exact: true }).fill(text)
      await page.getByRole('option', { name: option }).click()
    }
    await choose('Products', 'harbuor', /Harbour boot/) // misspelled
    await choose('Translate to', 'deutsch', /Deutsch \(D/)
    await choose('Role of translators', 'trans', /translator/)
    await choose('Role of approvers', 'appr', /approver/)
    await checkAccess(page)
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    const processes = page.getByRole('grid', { name: 'Processes' })
    await processes.getByText('Harbour boot').click()
    await dialog.getByText('Role of translators').waitFor()
    await dialog
      .getByText(/Deutsch/)
      .first()
      .waitFor()
    await checkAccess(page)

    // the editor writes the text
    const ed = await console.signIn('/tasks', people.ed)
    await ed.getByRole('grid', { name: 'Tasks' }).getByText('Harbour boot').click()
    await ed.getByRole('heading', { level: 1, name: 'Enrich products' }).waitFor()
    await checkAccess(ed)
    await ed.getByRole('link', { name: 'Title', exact: true }).click()
    await fillIn(ed, 'Title', 'A boot for wet piers')
    await ed.getByRole('button', { name: 'Claim or hand over' }).click()
    await ed.getByRole('menuitem', { name: 'Hand over' }).click()
    await ed.getByRole('combobox', { name: 'To whom' }).waitFor()
    await checkAccess(ed)
    await ed.keyboard.press('Escape') // closes the list of people
    await ed.keyboard.press('Escape')
    await ed.getByRole('dialog').waitFor({ state: 'detached' })
    await ed.getByRole('button', { name: 'Complete' }).click()
    await ed.getByText('That was the last one.').waitFor()
    await ed.getByText('No tasks').waitFor()

    // the translator sees the source beside the missing translation
    const tara = await console.signIn('/tasks', people.tara)
    await reloadUntil(tara, /Translate to Deutsch/)
    await tara.getByRole('grid', { name: 'Tasks' }).getByText('Harbour boot').click()
    await tara.getByRole('cell', { name: 'A boot for wet piers' }).waitFor()
    await checkAccess(tara)
    await tara.getByRole('link', { name: 'Title', exact: true }).click()
    await fillIn(tara, 'Title', 'Ein Stiefel für nasse Stege')
    await tara.getByRole('button', { name: 'Complete' }).click()
    await tara.getByText('That was the last one.').waitFor()

    // a message leads the approver to the task
    const arno = await console.signIn('/messages', people.arno)
    await reloadUntil(arno, 'New task: Approve products')
    await arno.getByText('New task: Approve products').click()
    await arno.getByRole('article').getByText('Harbour boot').waitFor()
    await checkAccess(arno)
    await arno.getByRole('link', { name: 'Open task' }).click()
    await arno.getByRole('region', { name: 'Changes since the start' }).getByText('Ein Stiefel').waitFor()
    await arno.getByRole('button', { name: 'Process diagram' }).click()
    await arno.getByRole('group', { name: 'Process diagram' }).waitFor()
    await checkAccess(arno)
    await arno.getByRole('textbox', { name: 'Remark' }).fill('Well done')
    await arno.getByRole('button', { name: 'Approve', exact: true }).click()
    await arno.getByText('That was the last one.').waitFor()

    await page.goto(console.url('/messages'))
    await reloadUntil(page, 'Products enriched')
    await page.getByText('Products enriched').click()
    await page.getByText('These products are complete and approved: Harbour boot.').waitFor()
    await page.getByRole('link', { name: 'Open process' }).click()
    await dialog.getByText('finished', { exact: true }).waitFor()
  })

  journey('files are decided one after the other, each shown large, and the last leads back to the list', async () => {
    const { workflow, search } = console.client()
    const { items = [] } = await search.search({
      body: { context: { searchType: 'INDEX', index: 'ASSET' }, resultAttributes: ['tid'] },
    })
    const tid = String(items[0]?.attributes?.[0]?.value)
    const start = { linkedObjects: [{ type: 'file', tid }], parameters: [] }
    await workflow.start({
      body: { configIdentifier: 'F.WorkflowConfig.AssetApproval', processStartRequests: [start, start] },
    })
    const page = await console.signIn('/tasks', people.ed)
    await page.getByRole('grid', { name: 'Tasks' }).getByText('boot.png').first().click()
    await page.getByRole('img', { name: 'boot.png' }).waitFor()
    await page.getByRole('link', { name: 'Next task (1)' }).waitFor()
    await checkAccess(page)
    const first = page.url()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Task completed, 1 left').waitFor()
    await page.waitForURL((url) => url.href !== first && /\/tasks\/\d+/.test(url.pathname))
    await page.getByRole('textbox', { name: 'Remark' }).fill('Too dark')
    await page.getByRole('button', { name: 'Reject', exact: true }).click()
    await page.getByText('That was the last one.').waitFor()
    await page.waitForURL(/\/tasks(\?.*)?$/)
  })

  journey('a switch that is left off answers no', async () => {
    const { workflow } = console.client()
    const [shipped] = (await workflow.listConfigurations()).configurations!
    const { definitionKey } = shipped!
    const parameters = [{ key: 'urgent', name: 'Urgent', type: 'boolean', required: true } as const]
    await workflow.persistConfiguration({
      body: { identifier: 'Asking', name: 'Asking', definitionKey, linkedTypes: ['product'], parameters },
    })
    const page = await console.signIn('/workflow')
    await page.getByRole('button', { name: 'Start: Asking' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('grid', { name: 'Processes' }).getByText('Asking').waitFor()
  })
})
