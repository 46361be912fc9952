/**
 * The search service: opens the indexes, follows the outbox, and rebuilds indexes that are missing, damaged or
 * outdated.
 *
 * It opens lazily: `start` is called when the server is up, or by the first search. An index that is still being built
 * answers with the documents it has, and `isComplete` then returns false.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../adapters/postgres/db.ts'
import type { OutboxNotifier } from '../../core/outbox/notifier.ts'
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
import type { ReaderOptions } from './reader.ts'
import type { IndexEvent, Progress } from './rebuild.ts'
import { createRebuilds, type Rebuilds } from './rebuilds.ts'

export interface SearchService {
  /** Opens the indexes on the first call. Resolves when searches can be answered. */
  start(): Promise<Running>
  /** Milliseconds since the oldest change that searches do not find yet, in any index. Does not start the service. */
  lag(): number
  close(): Promise<void>
}

export interface Running {
  readonly indexes: Indexes
  catalogue(): Catalogue
  feed(index: IndexName): Feed
  /** Progress of the current rebuild, or the outcome of the last one. */
  progress(index: IndexName): Progress
  /** Starts a rebuild unless one is running. */
  rebuild(index: IndexName): IndexEvent
  /** Waits, for a limited time, until the index is built and up to date; returns whether it is. */
  isComplete(index: IndexName): Promise<boolean>
  /** Resolves when searches find everything committed before the call. */
  catchUp(index: IndexName): Promise<void>
  createdAt(index: IndexName): Promise<Date | undefined>
}

export interface ServiceOptions {
  readonly database: Database
  readonly folder: string
  readonly threads: number
  readonly sources: readonly DocumentSource[]
  /** The module that gives other processes the same sources. They receive `ReaderOptions` as well. */
  readonly reader: DocumentReader
  /** Notifies of commits. Shared with the other followers of the outbox. */
  notifier(): Promise<OutboxNotifier>
  /** Aborted when the server stops. */
  readonly closing: AbortSignal
  failed(error: unknown, what: string): void
}

/**
 * Milliseconds between two writes of the indexes to disk. After a crash, changes made since the last write are read
 * again.
 */
const sealEvery = 30_000
/** One connection for the outbox, the others for document sources that run several statements at once. */
const connections = 4
/** Milliseconds a search waits for an index that is being built for the first time. */
const timeoutMs = 3000

export function createSearchService(options: ServiceOptions): SearchService {
  let running: Promise<Open> | undefined
  let opened: Open | undefined
  return {
    start: () =>
      (running ??= openWithOwnPool(options).then(
        (open) => (opened = open),
        (error: unknown) => {
          running = undefined // let the next call try again
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

/**
 * Uses a separate connection pool: under load, requests queue for connections, and their changes must still be indexed.
 */
async function openWithOwnPool(options: ServiceOptions): Promise<Open> {
  const database = options.database.separatePool(connections)
  try {
    return await open({ ...options, database })
  } catch (error) {
    await database.close()
    throw error
  }
}

async function open({ database, folder, threads, sources, reader, notifier, failed }: ServiceOptions): Promise<Open> {
  await mkdir(folder, { recursive: true })
  const consumer = `search:${await readId(folder)}`
  /** Rebuilds indexes that were found to be damaged while serving. */
  let rebuildDamaged = () => {}
  const onFailure = (error: unknown) => {
    failed(error, 'a search index failed in the background')
    rebuildDamaged()
  }
  const indexes = await openIndexes({ folder, threads, onFailure })
  const feeds = new Map<IndexName, Feed>()
  const fields = await openFields(database, sources, feeds)
  for (const [name, { schema }] of fields.catalogue()) {
    const index = await indexes.open(name, schema)
    feeds.set(name, createFeed({ db: database, index, entry: () => fields.catalogue().get(name)!, failed: onFailure }))
  }
  const planOf = async (name: IndexName) => {
    const connection = await database.connection()
    await fields.reload()
    const { schema, making } = fields.catalogue().get(name)!
    if (threads === 0) return { schema }
    const options: ReaderOptions = { connection, index: name, making }
    return { schema, reader: { ...reader, options: { ...reader.options, ...options } } }
  }
  const rebuilds = createRebuilds({ database, planOf, failed })
  await usePauses(database, feeds)
  const { from, isGone } = await startOf(database, consumer, feeds)
  const follower = follow({
    database,
    notifier: await notifier(),
    from,
    accept: createAccept({ database, folder, feeds, fields, rebuilds }),
    failed: (error) => failed(error, 'search cannot follow'),
  })
  for (const [name, feed] of feeds) {
    if (isGone || feed.index.status().state !== 'ready') rebuilds.start(name, feed)
  }
  rebuildDamaged = () => {
    for (const [name, feed] of feeds) if (feed.index.status().state === 'damaged') rebuilds.start(name, feed)
  }
  return toOpen({ database, folder, consumer, indexes, fields, feeds, follower, rebuilds, onFailure })
}

interface Fields {
  catalogue(): Catalogue
  /** Reads the fields again and passes them to the indexes. */
  reload(): Promise<void>
}

async function openFields(
  database: Database,
  sources: readonly DocumentSource[],
  feeds: ReadonlyMap<IndexName, Feed>,
): Promise<Fields> {
  let catalogue = await loadCatalogue(database, sources)
  const read = async () => {
    catalogue = await loadCatalogue(database, sources)
    for (const [name, { schema }] of catalogue) feeds.get(name)!.index.useSchema(schema)
  }
  let reading: Promise<void> = Promise.resolve()
  return {
    catalogue: () => catalogue,
    // Serialized, so that an older read never overwrites a newer one. A failure rejects the promise of its caller only.
    reload: () => (reading = reading.catch(() => {}).then(read)),
  }
}

/** Pauses and resumes feeds as administrators have set it. */
async function usePauses(database: Database, feeds: ReadonlyMap<IndexName, Feed>): Promise<void> {
  const paused = new Set(await findPaused(database))
  for (const [name, feed] of feeds) if (feed.isPaused() !== paused.has(name)) await feed.pause(paused.has(name))
}

const createdAt = async (folder: string, name: IndexName) =>
  (await stat(join(folder, name, 'CURRENT')).catch(() => undefined))?.mtime

/** Handles changes of the outbox: reloads fields, follows index commands, and passes the changes to every feed. */
function createAccept({
  database,
  folder,
  feeds,
  fields,
  rebuilds,
}: Pick<Parts, 'database' | 'folder' | 'feeds' | 'fields' | 'rebuilds'>) {
  return async (changes: readonly OutboxRow[], position: Position) => {
    if (changes.some(({ dataType }) => fieldTypes.has(dataType))) await fields.reload()
    if (changes.some(({ dataType, action }) => dataType.startsWith('search.') && action !== null))
      await usePauses(database, feeds)
    for (const { dataType, action, at } of changes) {
      const [name, feed] = [...feeds].find(([each]) => dataType === documentType(each)) ?? []
      // Another process requested it, and this one has not rebuilt since.
      if (action === 'rebuild' && name && feed && ((await createdAt(folder, name)) ?? 0) < at)
        rebuilds.start(name, feed)
    }
    await Promise.all([...feeds.values()].map((feed) => feed.accept(changes, position)))
  }
}

function toOpen(parts: Parts): Open {
  const { folder, indexes, fields, feeds, follower, rebuilds, onFailure } = parts
  // After a crash, changes that were applied but not written to disk are read again. Until then, results are incomplete.
  let isCurrent = false
  const current = follower.catchUp().then(
    () => (isCurrent = true),
    () => {}, // stopped before it caught up
  )
  const clock = setInterval(() => void seal(parts).catch(onFailure), sealEvery)
  clock.unref()
  return {
    indexes,
    catalogue: fields.catalogue,
    feed: (name) => feedOf(feeds, name),
    progress: (name) => rebuilds.progress(name),
    rebuild: (name) => rebuilds.start(name, feedOf(feeds, name)),
    async isComplete(name) {
      const serves = () => ['ready', 'outdated'].includes(feedOf(feeds, name).index.status().state)
      if (!serves()) await rebuilds.wait(name, timeoutMs)
      if (!isCurrent) await Promise.race([current, pause(timeoutMs, undefined, { ref: false })])
      return serves() && isCurrent
    },
    async catchUp(name) {
      await follower.catchUp()
      await feedOf(feeds, name).settled()
    },
    createdAt: (name) => createdAt(folder, name),
    lag: () => Math.max(...[...feeds.values()].map((feed) => feed.lag())),
    async close() {
      clearInterval(clock)
      await close(parts)
    },
  }
}

interface Parts {
  readonly database: Database
  readonly folder: string
  readonly consumer: string
  readonly indexes: Indexes
  readonly fields: Fields
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

/** A stable id of this copy of the indexes, as a consumer of the outbox. */
async function readId(folder: string): Promise<string> {
  const file = join(folder, 'ID')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known !== '') return known
  const id = randomUUID()
  await writeFile(file, id)
  return id
}

/**
 * The position to continue from: that of the index furthest behind. If the outbox no longer has it, everything must be
 * rebuilt.
 */
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
  // A position beyond the end of the outbox means that the database was replaced or restored from a backup.
  const isAhead = positions.some((position) => earlier(position, now) !== position)
  if (!isAhead && (await keepFrom(database, consumer, first))) return { from: first, isGone: false }
  await keepFrom(database, consumer, now)
  return { from: now, isGone: true }
}

/** Writes the indexes to disk and releases the outbox rows that a restart would no longer need. */
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
