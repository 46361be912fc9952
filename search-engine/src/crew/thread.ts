/** What runs in a thread or process of the crew: opens what it is shown, does what it is asked, and says what came of it. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Segment } from '../segment/segment.ts'
import { createWorker, type View } from './tasks.ts'
import { createTidying } from './tidying.ts'
import type { RunnerData, Said } from './runner.ts'
import type { SentView, TaskMessage } from './threads.ts'

const { niceness } = (parentPort ? workerData : JSON.parse(process.argv[2]!)) as RunnerData
const worker = createWorker()
const shown = new Map<string, View & { readonly segments: ReadonlyMap<number, Segment> }>()
const tidy = createTidying()
/** Bytes of segments that it no longer looks at. */
let letGo = 0

function show({ name, parts, ...sent }: SentView): void {
  const before = shown.get(name)
  const schema = sent.schema ?? before!.schema
  const lexicon = sent.lexicon ?? before!.lexicon
  const segments = new Map(
    parts.map(({ segment, buffer }) => [
      segment,
      buffer ? worker.open(buffer, { schema, lexicon }) : before!.segments.get(segment)!,
    ]),
  )
  for (const [number, { size }] of before?.segments ?? []) if (!segments.has(number)) letGo += size
  const live = parts.map((part) => ({ ...part, segment: segments.get(part.segment)! }))
  const view = { schema, lexicon, parts: live }
  shown.set(name, { ...view, segments })
  worker.show(name, view)
}

function hide(name: string): void {
  shown.delete(name)
  worker.hide(name)
}

function perform({ id, views, hidden, task, args }: TaskMessage): Said | Promise<Said> | undefined {
  try {
    hidden.forEach(hide)
    views.forEach(show)
    if (!task) {
      tidy(letGo)
      letGo = 0
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
 * Processes have priorities everywhere, on Linux by their threads, of which the engine of JavaScript has begun some
 * already. A thread elsewhere runs like the others.
 */
function stepBack(): void {
  try {
    if (parentPort) setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), niceness)
    else if (process.platform === 'linux') {
      for (const id of readdirSync('/proc/self/task')) setPriority(Number(id), niceness)
      stepBackAsSession()
    } else setPriority(niceness)
  } catch {
    // Only slower for others while it lasts.
  }
}

/** Milliseconds after which somebody may try again who came right after another: the system takes ten a second, of all. */
const untilTaken = 150

function stepBackAsSession(attempts = 20): void {
  const [, , , session] = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]!.split(' ')
  if (Number(session) !== process.pid) return // that of somebody else
  try {
    writeFileSync('/proc/self/autogroup', String(niceness))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempts === 0) return // it is not weighed
    setTimeout(stepBackAsSession, untilTaken, attempts - 1)
  }
}

if (niceness > 0) stepBack()

const post = parentPort
  ? (said: Said) => parentPort!.postMessage(said)
  : // What cannot be sent is not wanted any more, and that is heard below.
    (said: Said) => process.send!(said, undefined, undefined, () => {})

function answer(message: TaskMessage): void {
  const said = perform(message)
  if (said instanceof Promise) void said.then(post)
  else if (said) post(said)
}

if (parentPort) parentPort.on('message', answer)
else {
  process.on('message', answer)
  // Nobody is there any more who would want what it makes.
  process.on('disconnect', () => process.exit())
}
