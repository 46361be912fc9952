/** Starts processes of each kind while no file descriptor is left, and again when there are some; descriptors.test.ts runs it. */
import { closeSync, openSync } from 'node:fs'
import { createPool } from '../../search-engine/src/workers/pool.ts'
import { startProcess } from '../../search-engine/src/workers/start-worker.ts'
import { toProblem } from '../../server/src/core/http/failure.ts'
import { createThread } from '../../server/src/core/thread.ts'
import { createPool as createPreviewPool } from '../../server/src/dam/assets/previews/pool.ts'
import { createHashProcess } from '../../server/src/identity/passwords/hash-process.ts'
import type { TestCalls } from '../../server/test/thread-program.ts'

const builders = createPool<object>({
  size: 1,
  maxWaiting: 10,
  onFailure: () => {},
  start: () => ({
    worker: startProcess(new URL('../../search-engine/src/workers/worker-main.ts', import.meta.url), { niceness: 10 }),
    messageOf: () => ({ views: [], hidden: [], task: 'learn', args: [[]] }),
  }),
})
const hashing = createHashProcess({ memoryKiB: 8, passes: 1 })
const previews = createPreviewPool({
  size: 1,
  seconds: 60,
  memoryMiB: 700,
  tools: {},
  sandbox: Promise.resolve({ level: 'none' }),
})
const thread = createThread<TestCalls>(new URL('../../server/test/thread-program.ts', import.meta.url), 'the sum')
const box = { width: 10, height: 10 }
const boxes = { thumbnail: box, preview: box, fullsize: box }
const nothing = { file: '/dev/null', mime: 'image/png', name: 'empty.png', folder: '/tmp', maxPixels: 100, pages: 1 }
const works: Record<string, () => Promise<unknown>> = {
  builder: () => builders.run({}),
  thread: () => thread.call('double', 1),
  hash: () => hashing.hash('a quiet heron'),
  // The report of its process that there is no picture is a success here.
  preview: () => previews.run({ ...nothing, boxes }),
}

const outcomes = async () => {
  const all: string[] = []
  for (const [name, work] of Object.entries(works))
    all.push(
      `${name} ${await work().then(
        () => 'works',
        (error: Error) => `is ${toProblem(error).kind}`,
      )}`,
    )
  return all
}
const open: number[] = []
try {
  for (;;) open.push(openSync('/dev/null', 'r'))
} catch {
  // none is left
}
const without = await outcomes()
for (const one of open) closeSync(one)
const withSome = await outcomes()
await builders.close()
hashing.close()
previews.close()
await thread.close()
console.log(JSON.stringify({ without, with: withSome }))
