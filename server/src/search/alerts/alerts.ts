/**
 * Stored searches that notify their user when something new matches.
 *
 * An alert keeps the ids of the objects that matched last time. A job runs the search with the present rights of the user
 * and compares. The message and the new ids are stored in one transaction, so that every match is announced exactly once,
 * also if a process dies. An object that no longer matches and matches again later is new. Spelling is not corrected: a
 * correction would find other objects as soon as the index has other words.
 */
import { randomUUID } from 'node:crypto'
import type { Search } from '@kontor/contract'
import type { Database, Db } from '../../adapters/postgres/db.ts'
import { notify } from '../../common/api.ts'
import { type Caller, type Services, toStored } from '../../core/context.ts'
import { Problem } from '../../errors.ts'
import { findConfigured } from '../configurations/configurations.ts'
import type { SearchService } from '../feed/service.ts'
import { findIds, type Searching } from '../query/search.ts'
import * as rows from './alerts.sql.ts'

const alertJob = 'search.alerts'
export const alertTimes = { [alertJob]: '* * * * *' }

export const mostAlerts = 20
/** The ids of so many objects are compared; a search that finds more tells nobody anything. */
const mostMatches = 10_000
/** The most alerts of one run. The others are due for longer, so the next run begins with them. */
const mostPerRun = 500

/** Sets, changes or removes the alert of a stored search, and takes what matches now as known. */
export async function setAlert(
  { running, db, caller }: Searching,
  searchId: number,
  search: Search,
  frequency: rows.Frequency | 'never',
): Promise<void> {
  if (frequency === 'never') return void (await rows.deleteAlert(db, searchId))
  await rows.lockAlerts(db, caller.userName)
  if ((await rows.countAlerts(db, caller.userName, searchId)) >= mostAlerts)
    throw new Problem('invalid', `at most ${mostAlerts} searches can notify you; switch some off first`)
  const { ids, total } = await matchesOf({ running, db, caller }, search)
  if (total > mostMatches)
    throw new Problem(
      'invalid',
      `the search finds ${total} objects; it can notify you if it finds at most ${mostMatches}`,
    )
  await rows.putAlert(db, searchId, { frequency, principal: toStored(caller), seen: ids })
}

/** `ids` is null while an index is being built: what it lacks would count as new later. */
async function matchesOf(searching: Searching, search: Search) {
  const configured = await findConfigured(searching.db, search, '/searchObject')
  const { ids, total, isComplete } = await findIds(searching, search, configured, mostMatches)
  return { ids: isComplete ? ids : null, total }
}

interface AlertNeeds {
  readonly database: Database
  readonly callerNow: Services['callerNow']
}
/** Logs an error. */
type Fail = (error: unknown) => unknown

export const alertJobs = (needs: AlertNeeds, service: SearchService, fail: Fail) => ({
  async [alertJob](_: unknown, stop: AbortSignal) {
    for (let done = 0; done < mostPerRun && !stop.aborted; done++) {
      if (!(await needs.database.transaction((db) => checkNext(needs, service, fail, db)))) return
    }
  },
})

/** Returns false if no alert is due. An alert that fails is postponed like the others, so that it does not hold them up. */
async function checkNext({ callerNow }: AlertNeeds, service: SearchService, fail: Fail, db: Db): Promise<boolean> {
  const alert = await rows.takeDue(db)
  if (!alert) return false
  await rows.postpone(db, alert)
  try {
    const caller = await callerNow(alert.principal)
    const running = await service.start()
    await db.transaction((inside) => check({ running, db: inside, caller }, alert))
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unavailable') throw error
    // otherwise a user who is gone or may not use a field any more: the alert stays silent until that changes
    if (!(error instanceof Problem)) fail(error)
  }
  return true
}

async function check(searching: Searching, alert: rows.DueAlert): Promise<void> {
  const { searchId, seen, name } = alert
  const { ids, total } = await matchesOf(searching, alert.search)
  if (total > mostMatches) return end(searching, alert, total)
  if (ids === null) return
  const known = new Set(seen)
  const fresh = seen === null ? [] : ids.filter((id) => !known.has(id))
  if (fresh.length === 0 && ids.length === seen?.length) return
  await rows.setSeen(searching.db, searchId, ids)
  if (fresh.length === 0) return
  const what = fresh.length === 1 ? '1 object' : `${fresh.length} objects`
  await send(searching, alert, {
    subject: `${fresh.length} new: ${name}`,
    body: `${what} more ${fresh.length === 1 ? 'matches' : 'match'} your saved search "${name}".`,
    severity: 'INFO',
  })
}

async function end(searching: Searching, alert: rows.DueAlert, total: number): Promise<void> {
  await rows.deleteAlert(searching.db, alert.searchId)
  await send(searching, alert, {
    subject: `No more notifications: ${alert.name}`,
    body: `Your saved search "${alert.name}" finds ${total} objects now. It can notify you if it finds at most ${mostMatches}; narrow it and switch notifications on again.`,
    severity: 'WARN',
  })
}

const send = (
  { db }: { db: Db; caller: Caller },
  { searchId, userName }: rows.DueAlert,
  text: { readonly subject: string; readonly body: string; readonly severity: 'INFO' | 'WARN' },
) =>
  notify(db, {
    ...text,
    subject: text.subject.slice(0, 255),
    tid: randomUUID(),
    recipientUser: userName,
    parameters: { storedSearchId: String(searchId) },
  })
