import { beforeAll, describe } from 'vitest'
import { checkAccess, journey, withConsole } from './journey.ts'

const named = (value: string) => ({ name: { itm: [{ value, loc: 'en_GB' }] } })

describe('workflows and tasks', () => {
  const console = withConsole()
  beforeAll(async () => {
    const client = console.client()
    await client.pim.classes.persist([{ tid: 'Outdoor', ...named('Outdoor') }])
    await client.pim.products.persist([{ tid: 'BOOT', name: 'Harbour boot', node: '/Outdoor' }])
  })

  journey('a workflow is started for a product, and its task is claimed and completed', async () => {
    const page = await console.signIn('/workflow')
    await page.getByRole('button', { name: /^Start: .*(enrich|Enrich)/ }).click()
    const picker = page.getByRole('combobox', { name: 'Products', exact: true })
    await picker.fill('harbuor') // misspelled
    await page.getByRole('option', { name: /Harbour boot/ }).click()
    await page.keyboard.press('Escape')
    await checkAccess(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click()
    await page.getByRole('grid', { name: 'Processes' }).getByText('BOOT').waitFor()
    await checkAccess(page)

    await page.goto(console.url('/tasks?scope=all'))
    await page.getByRole('grid', { name: 'Tasks' }).getByText('BOOT').first().click()
    await page.getByRole('button', { name: 'Claim' }).click()
    await page.getByRole('button', { name: 'Release' }).waitFor()
    await page.getByRole('group', { name: 'Process diagram' }).waitFor()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByText('Task completed').waitFor()
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
