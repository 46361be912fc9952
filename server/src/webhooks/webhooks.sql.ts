/** Every statement about webhooks and their deliveries. */
import type { Db } from '../adapters/postgres/db.ts'
import { type Sql, sql } from '../adapters/postgres/sql.ts'
import type { StoredCaller } from '../core/context.ts'

export interface WebhookRow {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly types: readonly string[]
  readonly enabled: boolean
  readonly secrets: readonly Buffer[]
  readonly position: string
  readonly failures: number
  readonly failingSince: Date | null
  readonly retryAt: Date | null
  readonly problem: string | null
  readonly createdAt: Date
  readonly createdBy: string
  /** The administrator for whom it sends: who created it, or changed it last. */
  readonly principal: StoredCaller
}

const columns = sql`id, url, description, types, enabled, secrets, position, failures, failing_since as "failingSince",
  retry_at as "retryAt", problem, created_at as "createdAt", created_by as "createdBy", principal`

export const listWebhooks = (db: Db) =>
  db.rows<WebhookRow & { waiting: number }>(sql`
    select ${columns}, (select count(*) from webhook_delivery d where d.webhook_id = w.id and d.state = 'waiting') as waiting
    from webhook w order by created_at, id`)

export const findWebhook = (db: Db, id: string) =>
  db.row<WebhookRow & { waiting: number }>(sql`
    select ${columns}, (select count(*) from webhook_delivery d where d.webhook_id = w.id and d.state = 'waiting') as waiting
    from webhook w where id = ${id}::uuid`)

export const insertWebhook = async (
  db: Db,
  hook: Pick<WebhookRow, 'url' | 'description' | 'types' | 'position' | 'principal'> & { secret: Buffer },
) =>
  (await db.writeRow<{ id: string }>(sql`
    insert into webhook (url, description, types, secrets, position, created_by, principal)
    values (${hook.url}, ${hook.description}, ${hook.types}, array[${hook.secret}::bytea], ${hook.position},
      ${hook.principal.userName}, ${JSON.stringify(hook.principal)}::jsonb)
    returning id`))!.id

/** A null value keeps the column. Enabling resets past failures, so that the next attempt is made at once. */
export const updateWebhook = (
  db: Db,
  id: string,
  {
    url,
    description,
    types,
    enabled,
  }: { [K in 'url' | 'description' | 'types' | 'enabled']: WebhookRow[K] | undefined },
  principal: StoredCaller,
) =>
  db.run(sql`
    update webhook set url = coalesce(${url ?? null}, url), description = coalesce(${description ?? null}, description),
      types = coalesce(${types ?? null}::text[], types), principal = ${JSON.stringify(principal)}::jsonb,
      enabled = coalesce(${enabled ?? null}, enabled),
      failures = case when ${enabled ?? false} then 0 else failures end,
      retry_at = case when ${enabled ?? false} then null else retry_at end,
      failing_since = case when ${enabled ?? false} then null else failing_since end
    where id = ${id}::uuid`)

export const deleteWebhook = (db: Db, id: string) => db.run(sql`delete from webhook where id = ${id}::uuid`)

/** The new secret comes first; the oldest of three is dropped. */
export const addSecret = (db: Db, id: string, secret: Buffer) =>
  db.run(sql`update webhook set secrets = array[${secret}::bytea, secrets[1]] where id = ${id}::uuid`)
export const dropOldSecret = (db: Db, id: string) =>
  db.run(sql`update webhook set secrets = secrets[1:1] where id = ${id}::uuid and cardinality(secrets) = 2`)

// Sending

const isDue = sql`enabled and coalesce(retry_at, now()) <= now()`

/** Webhooks that have no reason to wait. */
export const findDueHooks = (db: Db) => db.rows<{ id: string }>(sql`select id from webhook where ${isDue}`)

/** The webhook, if it is due. Call it while holding its lock: another process may have served it just before. */
export const findDueHook = (db: Db, id: string) =>
  db.row<WebhookRow>(sql`select ${columns} from webhook where id = ${id}::uuid and ${isDue}`)

interface NewDelivery {
  readonly eventId: string
  readonly type: string
  readonly subject: string
  readonly objectId: number
  readonly body: string
}

/** Takes over events and moves the position with them, in one statement, so that none is taken twice or lost. */
export const takeOver = (db: Db, id: string, position: string, deliveries: readonly NewDelivery[]) =>
  db.run(sql`
    with moved as (update webhook set position = ${position} where id = ${id}::uuid)
    insert into webhook_delivery (webhook_id, event_id, type, subject, object_id, body)
    select ${id}::uuid, d."eventId", d.type, d.subject, d."objectId", d.body
    from rows from (jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
      as ("eventId" text, type text, subject text, "objectId" bigint, body text)) with ordinality
      as d ("eventId", type, subject, "objectId", body, n)
    order by n on conflict do nothing`)

export const countWaiting = async (db: Db, id: string) =>
  (await db.row<{ count: number }>(sql`
    select count(*) from webhook_delivery where webhook_id = ${id}::uuid and state = 'waiting'`))!.count

export interface DueRow {
  readonly id: number
  readonly eventId: string
  readonly objectId: number
  readonly body: string
  readonly attempts: number
  readonly createdAt: Date
}

/** The oldest waiting deliveries, without those of objects whose first one was refused and is not due again. */
export const findDue = (db: Db, id: string, limit: number) =>
  db.rows<DueRow>(sql`
    select id, event_id as "eventId", object_id as "objectId", body, attempts, created_at as "createdAt"
    from webhook_delivery d
    where webhook_id = ${id}::uuid and state = 'waiting' and (
      select first.retry_at from webhook_delivery first
      where first.webhook_id = d.webhook_id and first.object_id = d.object_id and first.state = 'waiting'
      order by first.id limit 1
    ) <= now()
    order by id limit ${limit}`)

export interface Attempt {
  readonly id: number
  readonly state: 'waiting' | 'delivered' | 'refused'
  readonly status: number | null
  readonly problem: string | null
  /** Milliseconds until the next attempt. */
  readonly wait: number
}

export const noteAttempts = (db: Db, attempts: readonly Attempt[]) =>
  db.run(sql`
    update webhook_delivery d set attempts = d.attempts + 1, state = a.state, status = a.status, problem = a.problem,
      retry_at = now() + make_interval(secs => a.wait / 1000.0),
      delivered_at = case when a.state = 'delivered' then now() else d.delivered_at end
    from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb)
      as a (id bigint, state text, status integer, problem text, wait double precision)
    where d.id = a.id and d.id = any(${attempts.map(({ id }) => id)}::bigint[])`)

/** Notes whether the receiver answers, or for how many attempts it has not. */
export const noteHealth = (db: Db, id: string, health: { failures: number; problem: string | null; wait: number }) =>
  db.run(sql`
    update webhook set failures = ${health.failures}, problem = ${health.problem},
      failing_since = case when ${health.failures} = 0 then null else coalesce(failing_since, now()) end,
      retry_at = case when ${health.failures} = 0 then null else now() + make_interval(secs => ${health.wait / 1000}) end
    where id = ${id}::uuid`)

/**
 * Disables webhooks that have failed for this many days. Waiting deliveries stay until somebody enables the webhook.
 */
export const disableFailing = (db: Db, days: number) =>
  db.writeRows<{ id: string; url: string }>(sql`
    update webhook set enabled = false, problem = coalesce(problem, '') || ' (disabled after ' || ${days}::text || ' days)'
    where enabled and failing_since < now() - make_interval(days => ${days}) returning id, url`)

export const disable = (db: Db, id: string, problem: string) =>
  db.run(sql`update webhook set enabled = false, problem = ${problem} where id = ${id}::uuid`)

// The log

export interface DeliveryRow {
  readonly id: number
  readonly eventId: string
  readonly type: string
  readonly subject: string
  readonly state: 'waiting' | 'delivered' | 'refused'
  readonly attempts: number
  readonly status: number | null
  readonly problem: string | null
  readonly createdAt: Date
  readonly retryAt: Date
  readonly deliveredAt: Date | null
}

export const listDeliveries = (db: Db, id: string, page: { state: string | null; before: number; count: number }) =>
  db.rows<DeliveryRow>(sql`
    select id, event_id as "eventId", type, subject, state, attempts, status, problem, created_at as "createdAt",
      retry_at as "retryAt", delivered_at as "deliveredAt"
    from webhook_delivery
    where webhook_id = ${id}::uuid and id < ${page.before} and state = coalesce(${page.state}, state)
    order by id desc limit ${page.count + 1}`)

const again = (where: Sql) => sql`
  update webhook_delivery set state = 'waiting', retry_at = now(), problem = null where ${where}`
export const replayIds = (db: Db, id: string, ids: readonly number[]) =>
  db.run(again(sql`webhook_id = ${id}::uuid and id = any(${ids}::bigint[])`))
export const replaySince = (db: Db, id: string, since: Date, states: readonly string[]) =>
  db.run(again(sql`webhook_id = ${id}::uuid and created_at >= ${since} and state = any(${states}::text[])`))

export const deleteOldDeliveries = (db: Db, days: number) =>
  db.run(sql`
    delete from webhook_delivery where state <> 'waiting' and created_at < now() - make_interval(days => ${days})`)
