/** Compares the embedded engine with the oracle: random documents, queries, changes, seals and merges. */
import * as fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import type { Workers } from './workers/workers.ts'
import { createThreadWorkers } from './workers/thread-workers.ts'
import { createOracle, document, expectSame, lexicon, query, schema, step, type Step } from './conformance.ts'
import { createFiles, openFiles } from './store/files.ts'
import { mappingOf } from './store/mapping.ts'
import { createIndex } from './store/generation-index.ts'

test('any query over any documents returns the same hits, order and facets as the oracle', async () => {
  const ids = fc.integer({ min: 1, max: 1000 })
  const folder = await mkdtemp(join(tmpdir(), 'kontor-search-'))
  let run = 0
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(document(ids), { maxLength: 25 }),
        fc.boolean(),
        fc.array(query, { minLength: 1, maxLength: 12 }),
        async (put, isSealed, queries) => {
          const files = isSealed
            ? await createFiles(join(folder, String(++run)), mappingOf(schema), lexicon)
            : undefined
          const engine = createIndex({ schema, lexicon, files })
          const oracle = createOracle(schema, lexicon)
          await engine.apply({ put, remove: [] }, '1')
          oracle.apply({ put, remove: [] })
          if (isSealed) await engine.seal()
          for (const query of queries) await expectSame(engine, oracle, query)
        },
      ),
      { numRuns: 200 },
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('searches agree with the oracle between changes, seals and merges, and after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-search-'))
  let run = 0
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await follow(steps, join(folder, String(++run)))
      }),
      { numRuns: 60 },
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('search threads agree with the oracle between changes, seals and merges', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-threads-'))
  const workers = createThreadWorkers(2, () => {})
  let run = 0
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
        await follow(steps, join(folder, String(++run)), { workers, name: String(run) })
      }),
      { numRuns: 25 },
    )
  } finally {
    await workers.close()
    await rm(folder, { recursive: true })
  }
})

async function follow(
  steps: readonly Step[],
  folder: string,
  by: { workers?: Workers; name?: string } = {},
): Promise<void> {
  const files = await createFiles(folder, mappingOf(schema), lexicon)
  const engine = createIndex({ schema, lexicon, files, ...by })
  const oracle = createOracle(schema, lexicon)
  let position = 0
  for (const each of steps) {
    if (each.do === 'apply') {
      oracle.apply(each)
      await engine.apply(each, String(++position))
    } else if (each.do === 'search') {
      await expectSame(engine, oracle, each.query)
    } else {
      await engine[each.do]()
    }
  }
  await engine.seal()
  const again = createIndex({ schema, files: await openFiles(folder) })
  for (const each of steps) if (each.do === 'search') await expectSame(again, oracle, each.query)
}
