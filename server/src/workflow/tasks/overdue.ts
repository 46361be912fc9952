/** Handles overdue tasks: notifies the assignee or candidates and the escalation role once, and raises the priority. */
import { inBatch } from '../../core/batch/batch.ts'
import type { Caller } from '../../core/context.ts'
import { withoutTids } from '../linked.ts'
import type { Runtime } from '../runtime.ts'
import { mail, type Notice, notify, recipientsOf } from './notices.ts'
import * as rows from './tasks.sql.ts'

export const sweepJob = 'workflow.overdue'
export const sweepTimes = '* * * * *'

/** The caller for actions of the server itself. */
export const system: Caller = { userId: '', userName: 'kontor', roles: new Set(), permissions: [] }

const atOnce = 500

export async function sweepWorkflows(runtime: Runtime): Promise<void> {
  for (let taken = atOnce; taken === atOnce;) {
    taken = await inBatch(runtime.services, system, async (ctx) => {
      const overdue = await rows.takeOverdue(ctx.db, atOnce)
      const notices = overdue.flatMap(toNotices)
      await notify(ctx, notices)
      await mail(ctx, runtime, notices)
      for (const id of new Set(overdue.map(({ processId }) => processId))) {
        ctx.record({ dataType: 'workflow', id, event: 'UPDATE', action: 'overdue' })
      }
      return overdue.length
    })
  }
}

function toNotices(task: rows.OverdueRow): Notice[] {
  const { id, processId, processName, dueAt, escalationRole, assignee } = task
  const name = withoutTids(new Set(task.tids))(task.name)
  const recipients = [...recipientsOf({ ...task, assignee }), { role: escalationRole ?? 'admin' }]
  const distinct = new Map(
    recipients.map((who) => [`${'user' in who ? who.user : ''} ${'role' in who ? who.role : ''}`, who]),
  )
  return [...distinct.values()].map((who) => ({
    ...who,
    subject: `Overdue: ${name}`.slice(0, 255),
    body: `${processName}: the task "${name}"${assignee ? ` of ${assignee}` : ''} was due on ${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    severity: 'WARN' as const,
    parameters: { taskId: String(id), processId: String(processId) },
  }))
}
