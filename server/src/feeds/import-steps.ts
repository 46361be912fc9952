/**
 * The steps of an import feed: take a file, import it, move it away. A run is about one file; the next file has the next
 * run, which begins when this one has ended.
 */
import type { FolderPlace, FoundFile } from '../adapters/places/place.ts'
import { matches } from '../core/wildcard.ts'
import { Problem } from '../errors.ts'
import { countRows, findTransfer, formatOf, receiveFile, startImport, type TransferRow } from '../transfers/api.ts'
import type { StepFunction, StepParts } from './export-steps.ts'
import * as feeds from './feeds.sql.ts'
import { type FeedNeeds, openSecrets } from './needs.ts'
import { endDiscarded, type FeedAndRun, failRun, finish, hasShrunk, hold, outside, PlaceFailure } from './outcomes.ts'
import { openSource } from './places.ts'
import * as runs from './runs.sql.ts'

const defaultQuiet = 10

async function withSource<T>(
  needs: FeedNeeds,
  { feed }: FeedAndRun,
  work: (source: FolderPlace) => Promise<T>,
): Promise<T> {
  const { database, config } = needs
  const { place } = feed.definition
  const source = await outside(() => openSource({ config, feed: feed.name, place, secrets: openSecrets(needs, feed) }))
  try {
    if ('hostKey' in source && place.hostKey === undefined) await feeds.setHostKey(database, feed.id, source.hostKey)
    return await work(source)
  } finally {
    await source.close().catch(() => {})
  }
}

const printOf = ({ name, size, modifiedAt }: FoundFile) => `${name}\n${size}\n${modifiedAt.toISOString()}`

/** The oldest file that no run is about. */
async function nextFile({ database }: FeedNeeds, { feed, run }: FeedAndRun, source: FolderPlace) {
  const { pattern, quietSeconds = defaultQuiet } = feed.definition.import ?? {}
  const found = await outside(() => source.list())
  if (run.file !== null) return found.find(({ name }) => name === run.file)
  const known = new Set((await runs.knownPrints(database, feed.id)).map(({ print }) => print))
  const fits = pattern === undefined ? (name: string) => formatOf(name) !== undefined : matcherOf(pattern)
  const quietSince = Date.now() - quietSeconds * 1000
  return found
    .filter((file) => fits(file.name) && file.modifiedAt.getTime() <= quietSince && !known.has(printOf(file)))
    .toSorted((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime() || (a.name < b.name ? -1 : 1))[0]
}

/** A pattern in which * stands for any letters, in upper or lower case. Names come from outside, so it never backtracks. */
export const matcherOf = (pattern: string) => (name: string) => matches(pattern.toLowerCase(), name.toLowerCase())

/** A released run has its file already. */
const begin: StepFunction = (needs, parts) =>
  parts.run.transferId === null ? receive(needs, parts) : start(needs, parts, parts.run.transferId)

const start = ({ database }: FeedNeeds, { run }: FeedAndRun, transferId: string) =>
  database.transaction(async (db) => {
    await startImport(db, transferId)
    if ((await runs.setStep(db, run, 'transfer', transferId)) === 0) throw new Error(`run ${run.id} was taken over`)
  })

/** Holds a file with fewer rows than the last one had. Returns whether it did. */
async function isHeld(needs: FeedNeeds, { feed, run, owner }: StepParts, transferId: string): Promise<boolean> {
  const { maxShrink } = feed.definition
  const previous = (await runs.findPrevious(needs.database, run, 'finished'))?.items ?? null
  if (maxShrink === undefined || previous === null) return false
  const items = await countRows(needs, owner, transferId)
  await runs.setFigures(needs.database, run.id, { items, previousItems: previous })
  if (!hasShrunk(maxShrink, items, previous)) return false
  const problem = `${run.file} has ${items} rows instead of ${previous}: more than ${maxShrink} percent fewer`
  await hold(needs, { feed, run }, { problem, step: 'begin', transferId })
  return true
}

const receive: StepFunction = (needs, parts) =>
  withSource(needs, parts, async (source) => {
    const { database, config } = needs
    const { feed, run, owner } = parts
    const file = await nextFile(needs, parts, source)
    if (!file) return endWithoutFile(needs, parts)
    if ((await runs.takeFile(database, run, file.name, printOf(file))) === 0) return endWithoutFile(needs, parts)
    if (file.size > config.maxBulkBody)
      return setAside(needs, parts, file.name, `the file has ${file.size} bytes; at most ${config.maxBulkBody} are allowed`) // prettier-ignore
    const { profile, encoding } = feed.definition.import ?? {}
    try {
      const bytes = fromOutside(await outside(() => source.read(file.name)), config.maxBulkBody)
      const id = await receiveFile(needs, owner, { name: file.name, profile, encoding }, bytes)
      await runs.setFigures(database, run.id, { size: file.size })
      if (await isHeld(needs, { ...parts, run: { ...run, file: file.name } }, id)) return
      await start(needs, parts, id)
    } catch (error) {
      if (!(error instanceof Problem) || error.kind === 'unavailable' || error.kind === 'forbidden') throw error
      await setAside(needs, parts, file.name, error.message)
    }
  })

/** The file may have grown since it was listed. */
async function* fromOutside(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0
  const pieces = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await outside(() => pieces.next())
      if (done) return
      size += value.length
      if (size > most) throw new PlaceFailure(`the file has more than ${most} bytes`)
      yield value
    }
  } finally {
    await pieces.return?.()
  }
}

/** A run by the schedule leaves no trace if there was nothing to do. */
async function endWithoutFile(needs: FeedNeeds, { feed, run }: FeedAndRun): Promise<void> {
  if (run.file !== null) return failRun(needs, { feed, run }, `${run.file} is no longer there`, { isFileMoved: true })
  if (run.startedBy === null) await runs.deleteRun(needs.database, run.id)
  else await needs.database.transaction((db) => runs.endRun(db, run.id, 'finished', 'no new file was found'))
}

/** The import has ended, or it is paused. */
const compare: StepFunction = async (needs, parts) => {
  const { database } = needs
  const { run } = parts
  const transfer = run.transferId === null ? undefined : await findTransfer(database, run.transferId)
  if (transfer && !['finished', 'failed', 'cancelled'].includes(transfer.state)) return
  if (transfer) await runs.setFigures(database, run.id, { items: transfer.processed, refused: transfer.refused })
  if ((await runs.setStep(database, run, 'deliver', null)) === 0) return
  await moveAway(needs, { ...parts, run: { ...run, step: 'deliver' } })
}

/** Why the file goes to the folder `failed`; undefined: it was imported, at least in parts. */
function failureOf(transfer: TransferRow | undefined): string | undefined {
  if (!transfer) return 'the import was deleted'
  if (transfer.state === 'cancelled') return 'the import was cancelled'
  if (transfer.state === 'failed') return transfer.problem ?? 'the import failed'
  const { refused, processed } = transfer
  return refused > 0 && refused === processed ? `all ${processed} rows were refused` : undefined
}

const moveAway: StepFunction = async (needs, parts) => {
  const { database } = needs
  const { feed, run } = parts
  const transfer = run.transferId === null ? undefined : await findTransfer(database, run.transferId)
  const isDiscarded = run.decidedBy !== null && transfer?.state === 'received'
  if (isDiscarded) {
    await moveTo(needs, parts, 'failed', run.file!)
    return endDiscarded(needs, { feed, run })
  }
  const failure = failureOf(transfer)
  if (failure !== undefined) await setAside(needs, parts, run.file!, failure)
  else {
    await moveTo(needs, parts, 'done', run.file!)
    const { refused, processed } = transfer!
    await finish(needs, { feed, run }, refused > 0 ? `${refused} of ${processed} rows were refused` : null)
  }
}

/** Unique, so that a file does not replace an older one, and the same for every attempt. */
const movedName = ({ run }: FeedAndRun, file: string) => `${run.id}-${file}`

const moveTo = (needs: FeedNeeds, parts: FeedAndRun, folder: 'done' | 'failed', file: string) =>
  withSource(needs, parts, (source) => outside(() => source.move(file, folder, movedName(parts, file))))

async function setAside(needs: FeedNeeds, parts: FeedAndRun, file: string, reason: string): Promise<void> {
  await moveTo(needs, parts, 'failed', file)
  await failRun(needs, { ...parts, run: { ...parts.run, file } }, reason, { isFileMoved: true })
}

export const importSteps: Readonly<Record<runs.Step, StepFunction>> = { begin, transfer: compare, deliver: moveAway }
