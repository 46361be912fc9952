/** Distribution of documents among build queues. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLocalWorkers, type Workers } from '../workers/workers.ts'
import type { IndexSchema, SearchDocument } from '../port.ts'
import { openGenerations, type NextGeneration } from './generations.ts'
import { mappingOf } from './mapping.ts'
import { createRebuild } from './rebuild.ts'
import { createSearchIndex } from './search-index.ts'
import type { EmbeddedIndex } from './generation-index.ts'

const schema: IndexSchema = { locales: [], defaultLocale: 'en_GB', fields: [{ name: 'price', type: 'number' }] }
const document = (id: number): SearchDocument => ({ id, fields: new Map([['price', new Map([['', [id]]])]]) })

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'kontor-rebuild-'))
})
afterAll(() => rm(root, { recursive: true }))

/** Two build queues; `beforeWriting` delays the first when it writes a segment. */
function twoQueues(beforeWriting: () => Promise<void>): Workers {
  const workers = createLocalWorkers()
  return {
    ...workers,
    buildQueues: ['build queue 0', 'build queue 1'],
    run(role, task, ...args) {
      const work = () => workers.run(role, task, ...args)
      return role === 'build queue 0' && task === 'complete' ? beforeWriting().then(work) : work()
    },
  }
}

async function begin(workers: Workers, changed: Partial<NextGeneration> = {}) {
  const generations = await openGenerations(await mkdtemp(join(root, 'index-')), () => Promise.resolve(undefined))
  const next = { ...(await generations.create(mappingOf(schema), new Map())), ...changed }
  let made: EmbeddedIndex | undefined
  const replace = (index: EmbeddedIndex) => Promise.resolve(void (made = index))
  const rebuild = createRebuild({ name: 'X', schema, workers, next, replace, onEnd() {} })
  return { rebuild, made: () => made! }
}

test('a build queue that writes a segment does not block the others', async () => {
  const writing = Promise.withResolvers<void>()
  const { rebuild, made } = await begin(twoQueues(() => writing.promise))
  // Each ID precedes the previous one, so each starts a new segment.
  for (let id = 20; id > 0; id--) await rebuild.add([document(id)])
  writing.resolve()
  await rebuild.finish('a')
  await rebuild.activate()
  expect((await made().search({ predicate: { kind: 'all' }, offset: 0, limit: 0 })).total).toBe(20)
})

test('a failure in one build queue fails the rebuild while others still work', async () => {
  const { rebuild } = await begin(twoQueues(() => Promise.reject(new Error('no space left'))))
  const adding = async () => {
    for (let id = 20; id > 0; id--) await rebuild.add([document(id)])
  }
  await expect(adding()).rejects.toThrow('no space left')
  await expect(rebuild.finish('a')).rejects.toThrow('no space left')
  await rebuild.drop()
})

test('a rebuild starts even if the segments of its lexicon are merged meanwhile', async () => {
  const local = createLocalWorkers()
  let learned = 0
  const workers: Workers = {
    ...local,
    run(role, task, ...args) {
      const work = () => local.run(role, task, ...args)
      return task === 'learn' && learned++ === 0 ? mergeAll().then(work) : work()
    },
  }
  const folder = await mkdtemp(join(root, 'index-'))
  const index = await createSearchIndex({ name: 'X', schema, workers, folder, onFailure() {} })
  await (await index.rebuild(schema)).activate()
  let id = 0
  const addSegment = async () => {
    await index.apply({ put: [document(++id)], remove: [] }, String(id))
    await index.seal()
  }
  const mergeAll = async () => {
    const before = index.status().segments
    while (index.status().segments >= before) await addSegment()
    await index.seal() // removes the merged files
  }
  for (let i = 0; i < 5; i++) await addSegment()
  const next = await index.rebuild(schema)
  await next.drop()
  expect([learned, index.status()]).toMatchObject([2, { state: 'ready', documents: id }])
})

test('an old generation that cannot be removed does not affect the new one', async () => {
  const { rebuild, made } = await begin(createLocalWorkers(), {
    removeOthers: () => Promise.reject(new Error('directory not empty')),
  })
  await rebuild.add([document(1)])
  await rebuild.finish('a')
  await rebuild.activate()
  await made().apply({ put: [document(2)], remove: [] }, 'b')
  expect((await made().search({ predicate: { kind: 'all' }, offset: 0, limit: 0 })).total).toBe(2)
})
