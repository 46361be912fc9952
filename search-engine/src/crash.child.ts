/**
 * A process that changes, seals and rebuilds an index until it is killed. It prints the sealed positions. The expected
 * content of the index follows from its position alone.
 */
import { openIndexes, type IndexSchema, type SearchDocument, type SearchIndex } from './index.ts'

export const schema: IndexSchema = {
  locales: [],
  defaultLocale: 'en_GB',
  fields: [
    { name: 'name', type: 'text', weight: 1 },
    { name: 'price', type: 'number' },
  ],
}

const ids = 40
function documentAt(step: number): SearchDocument {
  const values: [string, (string | number)[]][] = [
    ['name', [`word${step % 9} other${step}`]],
    ['price', [step]],
  ]
  return { id: step % ids, fields: new Map(values.map(([name, some]) => [name, new Map([['', some]])])) }
}
const removedAt = (step: number) => (step * 7 + 3) % ids

/** The documents after a number of steps, by ID. */
export function stateAt(steps: number): Map<number, SearchDocument> {
  const documents = new Map<number, SearchDocument>()
  for (let step = 1; step <= steps; step++) {
    documents.delete(removedAt(step))
    documents.set(step % ids, documentAt(step))
  }
  return documents
}

async function rebuild(index: SearchIndex, step: number): Promise<void> {
  const next = await index.rebuild(schema)
  const documents = [...stateAt(step).values()].sort((a, b) => a.id - b.id)
  for (let i = 0; i < documents.length; i += 15) await next.add(documents.slice(i, i + 15))
  await next.finish(String(step))
  await next.activate()
}

async function run(folder: string): Promise<void> {
  const index = await (await openIndexes({ folder, threads: 0 })).open('TEST', schema)
  if (index.status().state !== 'ready') await rebuild(index, 0)
  for (let step = Number(index.appliedPosition()) + 1; ; step++) {
    await index.apply({ put: [documentAt(step)], remove: [removedAt(step)] }, String(step))
    if (step % 3 === 0) await index.seal()
    if (step % 30 === 0) await rebuild(index, step)
    if (step % 3 === 0) process.stdout.write(`${step}\n`)
  }
}

if (process.argv[2]) await run(process.argv[2])
