/** Processes in the search index FS_TABLE_WFL: found by what they are about, by those whom they concern. */
import { beforeAll, expect, test } from 'vitest'
import { bpmn } from '../../../test/bpmn.ts'
import { field, fullText, searchCalls } from '../../../test/search.ts'
import { withServer } from '../../../test/server.ts'
import { workflowCalls } from '../../../test/workflow.ts'

const api = withServer({ KONTOR_SEARCH_THREADS: '1' })
const flow = workflowCalls(api)
const { found, rebuild, wait } = searchCalls(api)
const config = 'F.WorkflowConfig.Found'
const idsOf = (query: object, token = api.token) => found('FS_TABLE_WFL', query as never, {}, { token }, 'id')

beforeAll(async () => {
  const attributes = { a: 'name="Inspect the hull" kontor:candidateRoles="reader"' }
  await flow.define(config, bpmn('start > a:user > end', '', {}, '', attributes, 'found'), {
    linkedTypes: ['glossary'],
  })
  await api.post('/api/core/v1/common/glossaries/persist', {
    schemaVersion: '5.6.0',
    glossaries: { glossary: [{ name: 'Hulls', tid: 'hulls' }] },
  })
})

test('a process is found by its task, its object and its state, by who is concerned, and forgotten when it is deleted', async () => {
  const id = await flow.startOne(config, { linkedObjects: [{ type: 'glossary', tid: 'hulls' }] })
  await wait('FS_TABLE_WFL', id)
  expect(await idsOf(fullText('hull'))).toEqual([id])
  expect(await idsOf(field('objects', 'EQ', 'hulls'))).toEqual([id])
  expect(await idsOf(field('state', 'EQ', 'running'))).toEqual([id])
  expect(await idsOf(fullText('hull'), await api.tokenFor({ roles: ['user'] }))).toEqual([])
  expect(await idsOf(fullText('hull'), await api.tokenFor({ roles: ['reader'] }))).toEqual([id])
  expect(await idsOf(fullText('hull'), api.adminToken)).toEqual([id])

  // By a process of its own, which reads it from the database.
  await rebuild('FS_TABLE_WFL')
  expect(await idsOf(fullText('hull'))).toEqual([id])

  await flow.complete((await flow.task(id, 'a')).id)
  await expect.poll(() => idsOf(field('state', 'EQ', 'finished')), { timeout: 20_000 }).toEqual([id])
  expect(await idsOf(field('state', 'EQ', 'running'))).toEqual([])
  await flow.post('processes/delete', { ids: [id] }, { token: api.adminToken })
  await expect.poll(() => idsOf(field('objects', 'EQ', 'hulls')), { timeout: 20_000 }).toEqual([])
})
