/** Index administration: commands, states, and the list of indexes. */
import { indexes as indexNames, type IndexCommand, type IndexStateItem, type Infer } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { pathsFor } from '../../core/access/permissions.ts'
import type { Caller } from '../../core/context.ts'
import type { IndexName } from '../../core/outbox/documents.ts'
import { Problem } from '../../errors.ts'
import { documentType } from '../feed/feed.ts'
import type { Running } from '../feed/service.ts'
import { timedHead } from '../reply-head.ts'
import * as rows from './indexes.sql.ts'

type Command = Infer<typeof IndexCommand>['command']

/** GLOBAL is a view; a command to it is sent to its member indexes. */
const membersOf = (running: Running, index: IndexName): IndexName[] => {
  if (index === 'GLOBAL') return ['PRODUCT', 'ASSET', 'CHANNEL']
  running.feed(index) // throws if there is no such index
  return [index]
}

interface Commanding {
  readonly db: Db
  readonly running: Running
}

const commands: Record<Command, (by: Commanding, name: IndexName) => Promise<string | void>> = {
  STATE: async () => {},
  async REBUILD(by, name) {
    const event = by.running.rebuild(name)
    if (event !== 'BUSY') await orderRebuild(by.db, name)
    return event
  },
  ENABLE_INCREMENTAL_UPDATES: (by, name) => setUpdates(by, name, true),
  DISABLE_INCREMENTAL_UPDATES: (by, name) => setUpdates(by, name, false),
}

/** Makes every server on the database rebuild an index, including servers that start later. */
export const orderRebuild = (db: Db, name: IndexName) => rows.announceCommand(db, documentType(name), 'rebuild')

async function setUpdates({ db, running }: Commanding, name: IndexName, enabled: boolean): Promise<void> {
  await db.transaction(async (inside) => {
    await rows.setUpdates(inside, name, enabled)
    await rows.announceCommand(inside, documentType(name), enabled ? 'enable' : 'disable')
  })
  await running.catchUp(name)
}

export async function commandIndex(by: Commanding, { index, command }: Infer<typeof IndexCommand>) {
  const head = timedHead()
  const { running } = by
  const members = membersOf(running, index)
  const events: (string | void)[] = []
  for (const name of members) events.push(await commands[command](by, name))
  const states = members.map((name) => running.progress(name))
  const busiest = states.find(({ event }) => event !== 'END') ?? states[0]!
  const event = events.find((each) => each === 'PREPARE') ?? events.find((each) => each !== undefined) ?? busiest.event
  return {
    ...head(),
    index,
    event: event as typeof busiest.event,
    documentsProcessed: sumOf(states, 'documentsProcessed'),
    totalDocuments: sumOf(states, 'totalDocuments'),
    command,
  }
}

const sumOf = <K extends 'documentsProcessed' | 'totalDocuments'>(states: readonly Record<K, number>[], key: K) =>
  states.reduce((sum, state) => sum + state[key], 0)

/** Documents are counted for callers who may read all objects of the index. */
export async function listIndexStates(
  running: Running,
  { permissions }: Caller,
): Promise<Infer<typeof IndexStateItem>[]> {
  return Promise.all(
    namesOf(running).map(async (index) => {
      const { event, ...counts } = running.progress(index)
      const { source, lag } = running.feed(index)
      const readsAll = source.kinds.every((kind) => pathsFor(permissions, 'read', kind) === 'all')
      return {
        index,
        mappingState: mappingOf(running, index),
        indexingState: { state: event, ...(readsAll && counts), lag: lag() },
      }
    }),
  )
}

export const listIndexes = async (running: Running) =>
  namesOf(running).map((index) => ({ index, ...mappingOf(running, index) }))

const namesOf = (running: Running) => indexNames.filter((name) => running.catalogue().has(name))

function mappingOf(running: Running, index: IndexName) {
  const { state, createdAt } = running.feed(index).index.status()
  return {
    outdated: state !== 'ready',
    ...(createdAt && { createdAt: createdAt.toISOString() }),
  }
}

export function demandDocuments(documents: readonly unknown[] | undefined, place: string, most: number): void {
  if (!documents?.length) throw new Problem('invalid', `${place}: is empty; name at least one document`)
  if (documents.length > most) throw new Problem('invalid', `${place}: at most ${most} documents at once`)
}
