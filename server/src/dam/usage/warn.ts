/** Warns the owners of files 30, 7 and 1 days before their usage rights end. The owner is the user who created the asset. */
import { randomUUID } from 'node:crypto'
import { notify } from '../../common/api.ts'
import type { Services } from '../../core/batch/batch.ts'
import { readsOf } from '../readers.ts'
import { type DueWarning, takeWarnings } from './usage.sql.ts'

export const warnJob = 'dam.usage'
export const warnTimes = '5 * * * *'

const [pageSize, mostNamed] = [1000, 20]

/** Marking and sending are one transaction, so every warning is sent once. */
export async function warnOwners(services: Services): Promise<void> {
  for (let count = pageSize; count === pageSize;) {
    count = await services.database.transaction(async (db) => {
      const due = await takeWarnings(db, pageSize)
      for (const files of Map.groupBy(due, ({ owner, days }) => `${owner} ${days}`).values()) {
        const { owner: name, ownerId: id } = files[0]!
        const mayRead = await readsOf(services, { name, id })
        // Administrators are warned of files that their owner may not read any more.
        const { own = [], others = [] } = Object.groupBy(files, ({ dirPath }) => (mayRead(dirPath) ? 'own' : 'others'))
        if (own.length > 0) await notify(db, noticeOf(own, { recipientUser: own[0]!.owner }))
        if (others.length > 0) await notify(db, noticeOf(others, { recipientRole: 'admin' }))
      }
      return due.length
    })
  }
}

/** One message for all files of an owner. */
function noticeOf(files: readonly DueWarning[], to: { recipientUser: string } | { recipientRole: string }) {
  const [{ days, tid }] = files as [DueWarning]
  const named = files.slice(0, mostNamed).map(({ path, validUntil }) => `${path} (${validUntil.toISOString().slice(0, 10)})`) // prettier-ignore
  const more = files.length > mostNamed ? [`and ${files.length - mostNamed} more`] : []
  return {
    tid: randomUUID(),
    ...to,
    subject: `Usage rights of ${files.length === 1 ? '1 file' : `${files.length} files`} end within ${days === 1 ? '1 day' : `${days} days`}`,
    body: `After that, these files are refused in channels, renditions, exports and addresses. Extend their rights or replace them.\n\n${[...named, ...more].join('\n')}`,
    severity: 'WARN' as const,
    ...(files.length === 1 && { parameters: { assetTid: tid } }),
  }
}
