/**
 * The search service: opens the indexes, follows the outbox, and rebuilds indexes that are missing, damaged or
 * outdated.
 *
 * It opens lazily: `start` is called when the server is up, or by the first search. An index that is still being built
 * answers with the documents it has, and `isComplete` then returns false.
 */
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
import type { DocumentReader, Indexes } from '@kontor/search-engine'
import { type Catalogue, fieldTypes, loadCatalogue } from './catalogue.ts'
import { findPaused } from './catalogue.sql.ts'
import type { OpenEngine, Shared } from './engine.ts'
import { createFeed, documentType, type Feed } from './feed.ts'
import type { ReaderOptions } from './reader.ts'
import { followProgress, isRunning, keepProgress } from './progress.ts'
import type { IndexEvent, Plan, Progress } from './rebuild.ts'
import { createRebuilds, type Rebuilds } from './rebuilds.ts'
import { takeTurns } from './turns.ts'
import { drawVersion } from './turns.sql.ts'

export interface SearchService {
  /** Opens the indexes on the first call. Resolves when searches can be answered. */
  start(): Promise<Running>
  /** Milliseconds since the oldest change that searches do not find yet, in any index. Does not start the service. */
  lag(): number
  /** Rejects if searches cannot be answered. Does not start the service. */
  check(): Promise<void>
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
}

export interface ServiceOptions {
  readonly database: Database
  readonly engine: OpenEngine
  readonly sources: readonly DocumentSource[]
  /**
   * The module that gives the processes of the engine the same sources. They receive `ReaderOptions` as well. Without it,
   * this process reads the documents of a rebuild.
   */
  readonly reader?: DocumentReader | undefined
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
  let fault: unknown
  return {
    start: () =>
      (running ??= openWithOwnPool(options).then(
        (open) => (opened = open),
        (error: unknown) => {
          running = undefined // let the next call try again
          fault = error
          throw error
        },
      )),
    lag: () => opened?.lag() ?? 0,
    async check() {
      if (opened) await opened.check()
      else if (fault !== undefined) throw fault
    },
    async close() {
      await (await running?.catch(() => undefined))?.close()
    },
  }
}

/** Milliseconds. */
const startEvery = 3000

/** Tries to start until it succeeds: a shared engine may be away. */
export async function startUntilOpen(
  { start }: Pick<SearchService, 'start'>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return void (await start())
    } catch (error) {
      failed(error)
      await pause(startEvery, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}

interface Open extends Running {
  lag(): number
  check(): Promise<void>
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

async function open({ database, engine, sources, reader, notifier, failed }: ServiceOptions): Promise<Open> {
  /** Rebuilds indexes that were found to be damaged while serving. */
  let rebuildDamaged = () => {}
  const onFailure = (error: unknown) => {
    failed(error, 'a search index failed in the background')
    rebuildDamaged()
  }
  const { indexes, consumer, shared } = await engine(onFailure)
  const feeds = new Map<IndexName, Feed>()
  const fields = await openFields(database, sources, feeds)
  for (const [name, { schema }] of fields.catalogue()) {
    const index = await indexes.open(name, schema)
    const needs = { db: database, index, entry: () => fields.catalogue().get(name)!, failed: onFailure }
    feeds.set(name, createFeed({ ...needs, ...(shared && { version: () => drawVersion(database) }) }))
  }
  const planOf = async (name: IndexName) => {
    const connection = await database.connection()
    await fields.reload()
    const { schema, making } = fields.catalogue().get(name)!
    if (!reader) return { schema }
    const options: ReaderOptions = { connection, index: name, making }
    return { schema, reader: { ...reader, options: { ...reader.options, ...options } } }
  }
  await usePauses(database, feeds)
  const parts = { database, consumer, indexes, fields, feeds, planOf, notifier: await notifier(), failed, onFailure }
  if (shared) return openShared(parts, shared)
  const feeding = await startFeeding(parts)
  rebuildDamaged = () => {
    for (const [name, feed] of feeds) if (feed.index.status().state === 'damaged') feeding.rebuilds.start(name, feed)
  }
  return {
    ...toOpen(parts, feeding),
    async close() {
      await feeding.stop()
      await indexes.close()
      await database.close()
    },
  }
}

/** The part of the service that writes to the indexes. Of processes that share them, one has it at a time. */
interface Feeding {
  readonly follower: Follower
  readonly rebuilds: Rebuilds
  /** Resolves when everything is applied that was committed before the start. */
  readonly current: Promise<unknown>
  isCurrent(): boolean
  stop(): Promise<void>
}

async function startFeeding(parts: Parts, report?: (name: IndexName, progress: Progress) => void): Promise<Feeding> {
  const { database, consumer, feeds, planOf, notifier, failed, onFailure } = parts
  const rebuilds = createRebuilds({ database, planOf, failed, ...(report && { report }) })
  const { from, isGone } = await startOf(database, consumer, feeds)
  const follower = follow({
    database,
    notifier,
    from,
    accept: createAccept(parts, rebuilds),
    failed: (error) => failed(error, 'search cannot follow'),
  })
  for (const [name, feed] of feeds) {
    if (isGone || feed.index.status().state !== 'ready') rebuilds.start(name, feed)
  }
  // After a crash, changes that were applied but not written to disk are read again. Until then, results are incomplete.
  let isCurrent = false
  const stopping = new AbortController()
  const current = hasCaughtUp(follower, stopping.signal).then((is) => (isCurrent = is))
  const clock = setInterval(() => void seal(parts, follower).catch(onFailure), sealEvery)
  clock.unref()
  return {
    follower,
    rebuilds,
    current,
    isCurrent: () => isCurrent,
    async stop() {
      clearInterval(clock)
      stopping.abort()
      await rebuilds.stop()
      await follower.stop()
      await seal(parts, follower).catch(onFailure)
    },
  }
}

/** Milliseconds. */
const catchUpEvery = 500

/** Tries until it succeeds: the database may be away for a moment. False if the service stops before. */
async function hasCaughtUp(follower: Follower, stop: AbortSignal): Promise<boolean> {
  while (!stop.aborted) {
    try {
      await follower.catchUp()
      return true
    } catch {
      await pause(catchUpEvery, undefined, { signal: stop, ref: false }).catch(() => {})
    }
  }
  return false
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

/** Handles changes of the outbox: reloads fields, follows index commands, and passes the changes to every feed. */
function createAccept(parts: Parts, rebuilds: Rebuilds) {
  const { feeds } = parts
  return async (changes: readonly OutboxRow[], position: Position) => {
    await followSettings(parts, changes)
    for (const { dataType, action, at } of changes) {
      const [name, feed] = [...feeds].find(([each]) => dataType === documentType(each)) ?? []
      // Another process requested it, and this one has not rebuilt since.
      if (action === 'rebuild' && name && feed && (feed.index.status().createdAt ?? 0) < at) rebuilds.start(name, feed)
    }
    await Promise.all([...feeds.values()].map((feed) => feed.accept(changes, position)))
  }
}

async function followSettings({ database, fields, feeds }: Parts, changes: readonly OutboxRow[]): Promise<void> {
  if (changes.some(({ dataType }) => fieldTypes.has(dataType))) await fields.reload()
  if (changes.some(({ dataType, action }) => dataType.startsWith('search.') && action !== null))
    await usePauses(database, feeds)
}

const serves = (feeds: ReadonlyMap<IndexName, Feed>, name: IndexName) =>
  ['ready', 'outdated'].includes(feedOf(feeds, name).index.status().state)

function toOpen({ indexes, fields, feeds }: Parts, feeding: Feeding): Omit<Open, 'close'> {
  const { follower, rebuilds, current, isCurrent } = feeding
  return {
    indexes,
    catalogue: fields.catalogue,
    feed: (name) => feedOf(feeds, name),
    progress: (name) => rebuilds.progress(name),
    rebuild: (name) => rebuilds.start(name, feedOf(feeds, name)),
    async isComplete(name) {
      if (!serves(feeds, name)) await rebuilds.wait(name, timeoutMs)
      if (!isCurrent()) await Promise.race([current, pause(timeoutMs, undefined, { ref: false })])
      return serves(feeds, name) && isCurrent()
    },
    async catchUp(name) {
      await follower.catchUp()
      await feedOf(feeds, name).settled()
    },
    async check() {
      const damaged = [...feeds].find(([, { index }]) => index.status().state === 'damaged')
      if (damaged) throw new Error(`the index ${damaged[0]} is damaged`)
    },
    lag: () => Math.max(...[...feeds.values()].map((feed) => feed.lag())),
  }
}

/** Milliseconds between two reads of the state that the feeding process writes. */
const reloadEvery = 1000

/** Opens indexes that processes share. The calls go to the feeding part while this process has it. */
async function openShared(parts: Parts, shared: Shared): Promise<Open> {
  const { database, indexes, feeds, fields, failed } = parts
  let own: (Omit<Open, 'close'> & { stop(): Promise<void> }) | undefined
  const others = followProgress(shared, feeds)
  const notes = keepProgress(shared)
  const turns = await takeTurns({
    database,
    key: parts.consumer,
    async begin() {
      await shared.reload()
      const feeding = await startFeeding(parts, notes.report)
      own = { ...toOpen(parts, feeding), stop: feeding.stop }
      // The process that fed before may have been killed during a rebuild.
      for (const name of feeds.keys()) if (isRunning(await shared.readProgress(name))) own.rebuild(name)
    },
    async end() {
      const feeding = own
      own = undefined
      await feeding?.stop()
      await notes.end()
    },
    catchUp: async (name) => own?.catchUp(name as IndexName),
    failed: (error) => failed(error, 'search cannot be fed by this process'),
  })
  const watcher = follow({
    database,
    notifier: parts.notifier,
    from: await currentPosition(database),
    accept: (changes) => (own ? Promise.resolve() : followSettings(parts, changes)),
    failed: (error) => failed(error, 'search cannot follow'),
  })
  const reload = async () => {
    await shared.reload()
    await others.reload()
  }
  // The next call may succeed; until then, the state is a little older.
  const clock = setInterval(() => void (own ? notes.store() : reload()).catch(() => {}), reloadEvery)
  clock.unref()
  return {
    check: shared.reload,
    indexes,
    catalogue: fields.catalogue,
    feed: (name) => feedOf(feeds, name),
    progress: (name) => own?.progress(name) ?? others.progress(name),
    rebuild: (name) => own?.rebuild(name) ?? others.rebuild(name),
    async isComplete(name) {
      if (own) return own.isComplete(name)
      const from = performance.now()
      while (!serves(feeds, name) && performance.now() - from < timeoutMs) {
        await pause(reloadEvery / 10)
        await reload().catch(() => {}) // the search that follows says why
      }
      return serves(feeds, name)
    },
    catchUp: (name) => (own ? own.catchUp(name) : turns.ask(name)),
    lag: () => own?.lag() ?? 0,
    async close() {
      clearInterval(clock)
      await watcher.stop()
      await turns.stop()
      await indexes.close()
      await database.close()
    },
  }
}

interface Parts {
  readonly database: Database
  readonly consumer: string
  readonly indexes: Indexes
  readonly fields: Fields
  readonly feeds: ReadonlyMap<IndexName, Feed>
  readonly notifier: OutboxNotifier
  planOf(name: IndexName): Promise<Plan>
  failed(error: unknown, what: string): void
  onFailure(error: unknown): void
}

function feedOf(feeds: ReadonlyMap<IndexName, Feed>, name: IndexName): Feed {
  const feed = feeds.get(name)
  if (!feed) throw new Problem('notFound', `index ${name} has no documents in this installation`)
  return feed
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
async function seal({ database, consumer, feeds }: Parts, follower: Follower): Promise<void> {
  let reached = follower.position()
  for (const feed of feeds.values()) {
    const position = feed.index.appliedPosition()
    await feed.index.seal()
    if (position !== '' && feed.index.status().state !== 'missing') reached = earlier(reached, position)
  }
  await keepFrom(database, consumer, reached)
}
