/**
 * The search service: opens the indexes, follows the outbox, rebuilds what is missing, damaged or outdated.
 *
 * Nothing is opened before it is needed: the server calls `start` when it is up, and so does the first search. An index
 * that has to be built first answers what it has; `isComplete` says that there may be more.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../adapters/postgres/db.ts'
import type { OutboxBell } from '../../core/outbox/notifier.ts'
import type { DocumentSource, IndexName } from '../../core/outbox/documents.ts'
import {
  currentPosition,
  earlier,
  follow,
  type Follower,
  keepFrom,
  type OutboxRow,
  type Position,
} from '../../core/outbox/outbox.ts'
import { Problem } from '../../errors.ts'
import { type Indexes, openIndexes, type DocumentReader } from '@kontor/search-engine'
import { type Catalogue, fieldTypes, loadCatalogue } from './catalogue.ts'
import { findPaused } from './catalogue.sql.ts'
import { createFeed, documentType, type Feed } from './feed.ts'
import type { Told } from './reader.ts'
import type { IndexEvent, Progress } from './rebuild.ts'
import { createRebuilds, type Rebuilds } from './rebuilds.ts'

export interface SearchService {
  /** Opens everything, the first time; resolves when searches can be answered. */
  start(): Promise<Running>
  /** Milliseconds since the oldest change that cannot be found yet, in any index; asking does not start anything. */
  lag(): number
  close(): Promise<void>
}

export interface Running {
  readonly indexes: Indexes
  catalogue(): Catalogue
  feed(index: IndexName): Feed
  /** What became of the last rebuild, or how far the present one is. */
  progress(index: IndexName): Progress
  /** Begins a rebuild, unless one is under way. */
  rebuild(index: IndexName): IndexEvent
  /** Ends when an index has been built and has caught up, or after a while; then whether it has everything. */
  isComplete(index: IndexName): Promise<boolean>
  /** Resolves when all that is committed by now can be found. */
  catchUp(index: IndexName): Promise<void>
  createdAt(index: IndexName): Promise<Date | undefined>
}

export interface ServiceOptions {
  readonly database: Database
  readonly folder: string
  readonly threads: number
  readonly sources: readonly DocumentSource[]
  /** By which other processes come to the same sources; they are told `Told` as well. */
  readonly reader: DocumentReader
  /** Tells of commits; shared with whoever else follows. */
  bell(): Promise<OutboxBell>
  failed(error: unknown, what: string): void
}

/** Milliseconds between two times that the indexes are brought into files; what a crash has to read again. */
const sealEvery = 30_000
/** An outbox that is read, and a document by what it takes at once. */
const connections = 4
/** Milliseconds that a search waits for an index that is built for the first time. */
const patience = 3000

export function createSearchService(options: ServiceOptions): SearchService {
  let running: Promise<Open> | undefined
  let opened: Open | undefined
  return {
    start: () =>
      (running ??= openBeside(options).then(
        (open) => (opened = open),
        (error: unknown) => {
          running = undefined // the next one tries again
          throw error
        },
      )),
    lag: () => opened?.lag() ?? 0,
    async close() {
      await (await running?.catch(() => undefined))?.close()
    },
  }
}

interface Open extends Running {
  lag(): number
  close(): Promise<void>
}

/** Under load requests stand in line for connections; what they changed must be found meanwhile. */
async function openBeside(options: ServiceOptions): Promise<Open> {
  const database = options.database.beside(connections)
  try {
    return await open({ ...options, database })
  } catch (error) {
    await database.close()
    throw error
  }
}

async function open({ database, folder, threads, sources, reader, bell, failed }: ServiceOptions): Promise<Open> {
  await mkdir(folder, { recursive: true })
  const consumer = `search:${await readId(folder)}`
  /** Builds again what was found to be damaged while it served. */
  let mend = () => {}
  const onFailure = (error: unknown) => {
    failed(error, 'a search index failed in the background')
    mend()
  }
  const indexes = await openIndexes({ folder, threads, onFailure })
  let catalogue = await loadCatalogue(database, sources)
  const feeds = new Map<IndexName, Feed>()
  for (const [name, { schema }] of catalogue) {
    const index = await indexes.open(name, schema)
    feeds.set(name, createFeed({ db: database, index, entry: () => catalogue.get(name)!, failed: onFailure }))
  }
  const createdAt = async (name: IndexName) => (await stat(join(folder, name, 'CURRENT')).catch(() => undefined))?.mtime

  const usePauses = async () => {
    const paused = new Set(await findPaused(database))
    for (const [name, feed] of feeds) if (feed.isPaused() !== paused.has(name)) await feed.pause(paused.has(name))
  }
  const readFields = async () => {
    catalogue = await loadCatalogue(database, sources)
    for (const [name, { schema }] of catalogue) feeds.get(name)!.index.useSchema(schema)
  }
  let reading: Promise<void> = Promise.resolve()
  /** In turn: who began to read earlier must not have the last word. What fails is told to who asked. */
  const useFields = () => (reading = reading.catch(() => {}).then(readFields))
  const planOf = async (name: IndexName) => {
    const connection = await database.connection()
    await useFields()
    const { schema, making } = catalogue.get(name)!
    if (threads === 0) return { schema }
    const told: Told = { connection, index: name, making }
    return { schema, reader: { ...reader, options: { ...reader.options, ...told } } }
  }
  const rebuilds = createRebuilds({ database, planOf, failed })
  const accept = async (changes: readonly OutboxRow[], position: Position) => {
    if (changes.some(({ dataType }) => fieldTypes.has(dataType))) await useFields()
    if (changes.some(({ dataType, action }) => dataType.startsWith('search.') && action !== null)) await usePauses()
    for (const { dataType, action, at } of changes) {
      const [name, feed] = [...feeds].find(([each]) => dataType === documentType(each)) ?? []
      // Ordered by another process, and not done here yet.
      if (action === 'rebuild' && name && feed && ((await createdAt(name)) ?? 0) < at) rebuilds.start(name, feed)
    }
    await Promise.all([...feeds.values()].map((feed) => feed.accept(changes, position)))
  }
  await usePauses()
  const { from, isGone } = await startOf(database, consumer, feeds)
  const follower = follow({
    database,
    bell: await bell(),
    from,
    accept,
    failed: (error) => failed(error, 'search cannot follow'),
  })
  for (const [name, feed] of feeds) {
    if (isGone || feed.index.status().state !== 'ready') rebuilds.start(name, feed)
  }

  mend = () => {
    for (const [name, feed] of feeds) if (feed.index.status().state === 'damaged') rebuilds.start(name, feed)
  }

  // What was applied before a crash, and not in files yet, is read again before anybody is told that this is all.
  let isCurrent = false
  const current = follower.catchUp().then(
    () => (isCurrent = true),
    () => {}, // stopped before
  )

  const parts: Parts = { database, consumer, indexes, feeds, follower, rebuilds, onFailure }
  const clock = setInterval(() => void seal(parts).catch(onFailure), sealEvery)
  clock.unref()
  return {
    indexes,
    catalogue: () => catalogue,
    feed: (name) => feedOf(feeds, name),
    progress: (name) => rebuilds.progress(name),
    rebuild: (name) => rebuilds.start(name, feedOf(feeds, name)),
    async isComplete(name) {
      const serves = () => ['ready', 'outdated'].includes(feedOf(feeds, name).index.status().state)
      if (!serves()) await rebuilds.wait(name, patience)
      if (!isCurrent) await Promise.race([current, pause(patience, undefined, { ref: false })])
      return serves() && isCurrent
    },
    async catchUp(name) {
      await follower.catchUp()
      await feedOf(feeds, name).settled()
    },
    createdAt,
    lag: () => Math.max(...[...feeds.values()].map((feed) => feed.lag())),
    async close() {
      clearInterval(clock)
      await close(parts)
    },
  }
}

interface Parts {
  readonly database: Database
  readonly consumer: string
  readonly indexes: Indexes
  readonly feeds: ReadonlyMap<IndexName, Feed>
  readonly follower: Follower
  readonly rebuilds: Rebuilds
  onFailure(error: unknown): void
}

function feedOf(feeds: ReadonlyMap<IndexName, Feed>, name: IndexName): Feed {
  const feed = feeds.get(name)
  if (!feed) throw new Problem('notFound', `index ${name} has no documents in this installation`)
  return feed
}

/** Names this copy of the indexes among those that follow. */
async function readId(folder: string): Promise<string> {
  const file = join(folder, 'ID')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known !== '') return known
  const id = randomUUID()
  await writeFile(file, id)
  return id
}

/** Where to continue: at the index that is furthest behind. When that cannot be, all must be built anew. */
async function startOf(
  database: Database,
  consumer: string,
  feeds: ReadonlyMap<IndexName, Feed>,
): Promise<{ from: Position; isGone: boolean }> {
  const now = await currentPosition(database)
  const positions = [...feeds.values()]
    .map(({ index }) => index)
    .filter((index) => index.status().state !== 'missing' && index.appliedPosition() !== '')
    .map((index) => index.appliedPosition())
  const first = positions.reduce(earlier, now)
  // Beyond what the database has come to: it is another one than before, or an older state of it.
  const isAhead = positions.some((position) => earlier(position, now) !== position)
  if (!isAhead && (await keepFrom(database, consumer, first))) return { from: first, isGone: false }
  await keepFrom(database, consumer, now)
  return { from: now, isGone: true }
}

/** Brings everything into files, and lets the outbox forget what a restart would not ask for. */
async function seal({ database, consumer, feeds, follower }: Parts): Promise<void> {
  let reached = follower.position()
  for (const feed of feeds.values()) {
    const position = feed.index.appliedPosition()
    await feed.index.seal()
    if (position !== '' && feed.index.status().state !== 'missing') reached = earlier(reached, position)
  }
  await keepFrom(database, consumer, reached)
}

async function close(parts: Parts): Promise<void> {
  const { database, follower, rebuilds, indexes, onFailure } = parts
  await rebuilds.stop()
  await follower.stop()
  await seal(parts).catch(onFailure)
  await indexes.close()
  await database.close()
}
