/** /identity/audit: reading the audit log. */
import type { identity } from '@kontor/contract'
import type { RouteHandlers } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { type AuditRow, findEvents } from './audit-chain.ts'
import { type IdentityServices, countOf } from '../routes.shared.ts'

export const auditLog = (_services: IdentityServices): RouteHandlers<Pick<typeof identity.routes, 'listAudit'>> => ({
  async listAudit({ db }, { query: { actor, action, except, object, outcome, from, to, before, count } }) {
    const events = await findEvents(db, {
      ...(actor !== undefined && { actor }),
      ...(action !== undefined && { action }),
      ...(except !== undefined && { except: except.split(',') }),
      ...(object !== undefined && { object }),
      ...(outcome !== undefined && { outcome }),
      ...(from !== undefined && { from: momentOf('from', from) }),
      ...(to !== undefined && { to: momentOf('to', to) }),
      ...(before !== undefined && { before: Number(before) }),
      limit: countOf(count),
    })
    return { events: events.map(toEntry) }
  },
})

function momentOf(name: string, text: string): Date {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime()))
    throw new Problem('invalid', `${name}: ${text.slice(0, 50)} is not a date and time`)
  return moment
}

/** Leaves out empty texts. */
function toEntry({ seq, at, outcome, detail, ...texts }: AuditRow) {
  const present = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
  const details = detail === '' ? {} : (JSON.parse(detail) as Record<string, unknown>)
  const entries = Object.entries(details).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return {
    seq,
    at: at.toISOString(),
    ...present,
    outcome,
    ...(detail !== '' && { detail: Object.fromEntries(entries) }),
  }
}
