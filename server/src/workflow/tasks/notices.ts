/**
 * Messages about workflows: new tasks to their assignee or candidates, overdue tasks also to the escalation role,
 * failures to the starter of the process. Tasks of the same name created in one transaction share one message, so that
 * a bulk start does not flood anybody's inbox. Messages do not name the linked objects, because a recipient may not read
 * them; the task names them to users who may.
 */
import { randomUUID } from 'node:crypto'
import { addJobs } from '../../adapters/jobs/jobs.ts'
import { oneLine } from '../../adapters/mail/mail.ts'
import { insertMessages, type NewMessage } from '../../common/api.ts'
import type { Context } from '../../core/context.ts'
import { newIds } from '../../core/batch/ids.sql.ts'
import type { Scope } from '../engine/expressions.ts'
import { withoutTids } from '../linked.ts'
import type { Runtime } from '../runtime.ts'
import type { NewTask } from '../processes/steps.sql.ts'

export const mailJob = 'workflow.mail'

export interface Notice {
  readonly user?: string
  readonly role?: string
  readonly subject: string
  readonly body: string
  readonly severity?: 'INFO' | 'WARN' | 'ERROR'
  readonly parameters: Readonly<Record<string, string>>
}

type Announced = Pick<NewTask, 'id' | 'processId' | 'name' | 'assignee' | 'candidateUsers' | 'candidateRoles'>

export async function notifyTasks(
  ctx: Context,
  runtime: Runtime,
  tasks: readonly Announced[],
  processes: ReadonlyMap<number, { readonly name: string; readonly variables: Scope }>,
) {
  const masks = new Map([...processes].map(([id, { variables }]) => [id, withoutTids(tidsIn(variables.linked))]))
  const recipients = tasks.flatMap((task) => {
    const named = { ...task, name: masks.get(task.processId)!(task.name) }
    return recipientsOf(task).map((who) => ({ who, task: named }))
  })
  const groups = Map.groupBy(recipients, ({ who, task }) => `${who.user ?? ''} ${who.role ?? ''} ${task.name}`)
  const notices = [...groups.values()].map((group): Notice => {
    const [{ who, task }] = group as [(typeof group)[0]]
    const process = processes.get(task.processId)!.name
    const many = group.length > 1
    return {
      ...who,
      subject: clip(many ? `${group.length} new tasks: ${task.name}` : `New task: ${task.name}`),
      body: many
        ? `${process}: ${group.length} tasks "${task.name}" are waiting.`
        : `${process}: the task "${task.name}" is waiting.`,
      parameters: many
        ? { tasks: String(group.length) }
        : { taskId: String(task.id), processId: String(task.processId) },
    }
  })
  await notify(ctx, notices)
  await mail(ctx, runtime, notices)
}

const tidsIn = (linked: unknown) => new Set(Array.isArray(linked) ? linked.map(({ tid }: { tid: string }) => tid) : [])

const clip = (text: string) => text.slice(0, 255)

/** The recipients of messages about a task: its assignee, else all candidates. */
export const recipientsOf = ({
  assignee,
  candidateUsers,
  candidateRoles,
}: Pick<Announced, 'candidateUsers' | 'candidateRoles'> & { readonly assignee?: string | null }): {
  user?: string
  role?: string
}[] =>
  assignee
    ? [{ user: assignee }]
    : [...candidateUsers.map((user) => ({ user })), ...candidateRoles.map((role) => ({ role }))]

export async function notify(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return
  const ids = await newIds(db, notices.length)
  const messages = notices.map(({ user, role, subject, body, severity = 'INFO', parameters }, i): NewMessage => ({
    id: ids[i]!,
    tid: randomUUID(),
    subject: oneLine(subject),
    body,
    severity,
    ...(role === undefined ? { recipientUser: user! } : { recipientRole: role }),
    senderUser: caller.userName,
    senderApplication: 'workflow',
    parameters,
    isRead: false,
  }))
  await insertMessages(db, messages)
}

/**
 * Sends notices to users by mail if SMTP is configured. Roles have only an inbox. The queue sends mails after the
 * commit.
 */
export async function mail(
  { db }: Pick<Context, 'db'>,
  { send, addressesOf }: Runtime,
  notices: readonly Notice[],
): Promise<void> {
  const toUsers = notices.filter(({ user }) => user !== undefined)
  if (!send || toUsers.length === 0) return
  const addresses = await addressesOf(
    db,
    toUsers.map(({ user }) => user!),
  )
  const mails = toUsers.flatMap(({ user, subject, body: text }) => {
    const to = addresses.get(user!)
    const id = randomUUID()
    return to === undefined ? [] : [{ payload: { id, to, subject, text }, key: `${mailJob}:${id}` }]
  })
  if (mails.length > 0) await addJobs(db, mailJob, mails)
}

/** Notifies the starter that their process cannot continue. */
export const notifyFailure = (
  ctx: Context,
  { id, name, starter }: { id: number; name: string; starter: string },
  problem: string,
) =>
  notify(ctx, [
    {
      user: starter,
      subject: clip(`Workflow failed: ${name}`),
      body: `${name} cannot go on: ${problem.slice(0, 2000)}`,
      severity: 'ERROR',
      parameters: { processId: String(id) },
    },
  ])
