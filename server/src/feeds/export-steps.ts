/** The steps of an export feed: order the export, compare it with the last one, deliver the file. */
import { because } from '@kontor/contract'
import type { Caller } from '../core/context.ts'
import { Problem } from '../errors.ts'
import { digestOf } from '../core/access/permissions.ts'
import {
  findTransfer,
  hasEnded,
  mediaTypes,
  orderExport,
  seriesOf,
  type TransferRow,
  withCopy,
} from '../transfers/api.ts'
import * as feeds from './feeds.sql.ts'
import { type FeedNeeds, openSecrets } from './needs.ts'
import { addRunJob, type FeedAndRun, finish, hasShrunk, hold, outside } from './outcomes.ts'
import { openTarget } from './places.ts'
import * as runs from './runs.sql.ts'

export interface StepParts extends FeedAndRun {
  readonly owner: Caller
}
export type StepFunction = (needs: FeedNeeds, parts: StepParts) => Promise<void>

/** The same for every attempt of a run. Changes must not replace earlier ones that nobody has fetched yet. */
function fileNameOf({ feed: { name, definition }, run }: FeedAndRun): string {
  const { series, format } = definition.export!
  const usual = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}${series === undefined ? '' : '-{run}'}.${format}`
  const { fileName = usual } = definition
  const [date, time] = (run.dueAt ?? run.createdAt).toISOString().split('T') as [string, string]
  const values: Record<string, string> = { date, time: time.slice(0, 8).replaceAll(':', ''), run: String(run.id) }
  return fileName.replaceAll(/\{(date|time|run)\}/g, (_, word: string) => values[word]!).replace(/^\.+/, '')
}

const begin: StepFunction = (needs, { feed, run, owner }) =>
  needs.database.transaction(async (db) => {
    const request = feed.definition.export!
    const file = fileNameOf({ feed, run })
    if (request.series !== undefined) await runs.keepSeries(db, run.id, seriesOf(owner, request.series))
    await runs.setFigures(db, run.id, { file })
    const id = await orderExport(needs, db, owner, { ...request, name: file })
    if ((await runs.setStep(db, run, 'transfer', id)) === 0) throw new Error(`run ${run.id} was taken over`)
  })

/** The export has ended. */
const compare: StepFunction = async (needs, { feed, run, owner }) => {
  const { database } = needs
  const transfer = await endedTransfer(needs, { feed, run })
  if (!transfer) return
  const { series } = feed.definition.export!
  const items = series === undefined ? transfer.total : await runs.countSeries(database, seriesOf(owner, series))
  const changed = series === undefined ? null : transfer.total + transfer.deleted
  const previous = (await runs.findPrevious(database, run, 'finished'))?.items ?? null
  await runs.setFigures(database, run.id, { items, changed, previousItems: previous, size: transfer.size })
  if (changed === 0) return finish(needs, { feed, run }, 'nothing has changed, so nothing was delivered')
  const { maxShrink } = feed.definition
  if (hasShrunk(maxShrink, items, previous)) {
    const problem = `${items} products instead of ${previous}: more than ${maxShrink} percent fewer`
    return hold(needs, { feed, run }, { problem, step: 'deliver', transferId: transfer.id })
  }
  if ((await runs.setStep(database, run, 'deliver', null)) === 0) return
  await deliver(needs, { feed, run: { ...run, step: 'deliver', transferId: transfer.id }, owner })
}

/** Undefined while it runs. Throws a Problem if there is no result. */
async function endedTransfer({ database }: FeedNeeds, { run }: FeedAndRun): Promise<TransferRow | undefined> {
  const transfer = run.transferId === null ? undefined : await findTransfer(database, run.transferId)
  if (!transfer) throw new Problem('gone', because('exportDeleted'))
  if (transfer.state === 'finished') return transfer
  if (transfer.state === 'failed') throw new Problem('invalid', transfer.problem ?? 'the export failed')
  if (transfer.state === 'cancelled') throw new Problem('gone', because('exportCancelled'))
  return undefined
}

const deliver: StepFunction = async (needs, { feed, run, owner }) => {
  const { database, config } = needs
  const transfer = await endedTransfer(needs, { feed, run })
  if (!transfer) return
  if (transfer.rights !== digestOf(owner) || hasEnded(transfer.options)) return makeAgain(needs, run)
  const { place } = feed.definition
  const target = await outside(() => openTarget({ config, feed: feed.name, place, secrets: openSecrets(needs, feed) }))
  try {
    if (target && 'hostKey' in target && place.hostKey === undefined)
      await feeds.setHostKey(database, feed.id, String(target.hostKey))
    const file = {
      name: run.file ?? fileNameOf({ feed, run }),
      size: transfer.size,
      mediaType: mediaTypes[transfer.format],
      key: `kontor-feed-${feed.id}-${run.id}`,
    }
    if (target)
      await withCopy(database, config.data, transfer.id, (path) => outside(() => target.put({ ...file, path })))
  } finally {
    await target?.close().catch(() => {})
  }
  if (place.kind === 'download') await feeds.setTransfer(database, feed.id, transfer.id)
  await finish(needs, { feed, run })
}

/** The rights of the owner or of a file in it have changed since the file was made, for example while the run was held. */
const makeAgain = ({ database }: FeedNeeds, run: runs.RunRow) =>
  database.transaction(async (db) => {
    await runs.restoreSeries(db, run.id)
    await runs.beginAgain(db, run.id)
    await addRunJob(db, run.id)
  })

export const exportSteps: Readonly<Record<runs.Step, StepFunction>> = { begin, transfer: compare, deliver }
