/** Entry point of a worker thread or process: receives views and tasks, and replies with results. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Segment } from '../segment/segment.ts'
import { createTaskWorker, type View } from './tasks.ts'
import { createGarbageCollector } from './garbage-collection.ts'
import type { WorkerOptions, TaskReply } from './start-worker.ts'
import type { SentView, TaskMessage } from './thread-workers.ts'

const { niceness } = (parentPort ? workerData : JSON.parse(process.argv[2]!)) as WorkerOptions
const worker = createTaskWorker()
const views = new Map<string, View & { readonly segments: ReadonlyMap<number, Segment> }>()
const collectGarbage = createGarbageCollector()
/** Bytes of segments that are not part of any view any more. */
let releasedBytes = 0

function publish({ name, parts, ...sent }: SentView): void {
  const before = views.get(name)
  const schema = sent.schema ?? before!.schema
  const lexicon = sent.lexicon ?? before!.lexicon
  const segments = new Map(
    parts.map(({ segment, buffer }) => [
      segment,
      buffer ? worker.open(buffer, { schema, lexicon }) : before!.segments.get(segment)!,
    ]),
  )
  for (const [number, { size }] of before?.segments ?? []) if (!segments.has(number)) releasedBytes += size
  const live = parts.map((part) => ({ ...part, segment: segments.get(part.segment)! }))
  const view = { schema, lexicon, parts: live }
  views.set(name, { ...view, segments })
  worker.publish(name, view)
}

function withdraw(name: string): void {
  views.delete(name)
  worker.withdraw(name)
}

function perform({ id, views, hidden, task, args }: TaskMessage): TaskReply | Promise<TaskReply> | undefined {
  try {
    hidden.forEach(withdraw)
    views.forEach(publish)
    if (!task) {
      collectGarbage(releasedBytes)
      releasedBytes = 0
      return undefined
    }
    const work = worker.tasks[task] as (...args: readonly unknown[]) => unknown
    const done = work(...args)
    if (!(done instanceof Promise)) return { id, answer: done }
    return done.then(
      (answer: unknown) => ({ id, answer }),
      (error: unknown) => ({ id, error }),
    )
  } catch (error) {
    return { id, error }
  }
}

/**
 * Lowers the CPU priority. On Linux priorities are per thread, and V8 has already started some. On other systems only
 * processes have priorities.
 */
function lowerPriority(): void {
  try {
    if (parentPort) setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), niceness)
    else if (process.platform === 'linux') {
      for (const id of readdirSync('/proc/self/task')) setPriority(Number(id), niceness)
      lowerSessionPriority()
    } else setPriority(niceness)
  } catch {
    // Lower priority is optional.
  }
}

/** Delay before a retry in milliseconds. The kernel accepts ten changes of autogroup priority per second, system-wide. */
const retryDelay = 150

function lowerSessionPriority(attempts = 20): void {
  const [, , , session] = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]!.split(' ')
  if (Number(session) !== process.pid) return // not our own session
  try {
    writeFileSync('/proc/self/autogroup', String(niceness))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempts === 0) return // autogroup is disabled
    setTimeout(lowerSessionPriority, retryDelay, attempts - 1)
  }
}

if (niceness > 0) lowerPriority()

const post = parentPort
  ? (reply: TaskReply) => parentPort!.postMessage(reply)
  : // If the reply cannot be sent, the main process is gone and `disconnect` follows.
    (reply: TaskReply) => process.send!(reply, undefined, undefined, () => {})

function answer(message: TaskMessage): void {
  const reply = perform(message)
  if (reply instanceof Promise) void reply.then(post)
  else if (reply) post(reply)
}

if (parentPort) parentPort.on('message', answer)
else {
  process.on('message', answer)
  // The main process has ended, so nobody needs the results.
  process.on('disconnect', () => process.exit())
}
