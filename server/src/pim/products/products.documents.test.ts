/** Which documents the search index reads again when the model changes. */
import { beforeAll, expect, test } from 'vitest'
import { createModel, pim, schemaVersion } from '../../../test/catalogue.ts'
import { withServer } from '../../../test/server.ts'
import { nodesOfAttributes } from './products.documents.sql.ts'

const api = withServer()
beforeAll(() => createModel(api))
const asAdmin = async (path: string, body: object) => {
  const reply = await api.post(`${pim}/${path}`, { schemaVersion, ...body }, { token: api.adminToken })
  expect(reply.text).not.toContain('ERROR')
  return reply.json.responses.response[0]
}

test('the node of an attribute is found while it exists, and after its deletion', async () => {
  const attr = [{ nodePath: '/Standard/Jackets', key: 'washable' }]
  const { id } = await asAdmin('attributes/persist', { attrs: { attr } })
  const nodes = await nodesOfAttributes(api.db, [id])
  expect(nodes).toHaveLength(1)
  await asAdmin('attributes/perform', { actions: { action: [{ dataType: 'attribute', type: 'delete', id }] } })
  expect(await nodesOfAttributes(api.db, [id])).toEqual(nodes)
})
