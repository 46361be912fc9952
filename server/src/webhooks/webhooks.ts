/** /webhooks: managed by administrators. Secrets are sealed with the master key and shown once. */
import { type Infer, type Webhook, webhooks as contract } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { checkUrl, ForbiddenAddress } from '../adapters/web/post.ts'
import type { Config } from '../config.ts'
import { cut } from '../core/batch/paging.ts'
import { type Services, toStored } from '../core/context.ts'
import { forgetConsumer } from '../core/outbox/outbox.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { Problem } from '../errors.ts'
import { positionOf } from '../events/events.ts'
import { checkedTypes } from '../events/types.ts'
import { postEvent } from './deliver.ts'
import { newSecret } from './sign.ts'
import * as rows from './webhooks.sql.ts'

/** Seals secrets; the master key. */
export interface Sealer {
  seal(content: Uint8Array, label: string): Buffer
  open(sealed: Uint8Array, label: string): Buffer
}
const label = 'webhook secret'
export const openSecret = (sealer: Sealer, secret: Buffer) => sealer.open(secret, label).toString()

const states = ['waiting', 'delivered', 'refused']
const maxPage = 1000

export function webhooks(sealer: Sealer) {
  const seal = (secret: string) => sealer.seal(Buffer.from(secret), label)
  const routes: RouteHandlers<typeof contract.routes> = {
    async listWebhooks({ db }) {
      return { webhooks: (await rows.listWebhooks(db)).map(show) }
    },
    async createWebhook({ db, config, caller }, { body, services }) {
      const { url, description = '', types = [], after } = body
      checkAddress(config, url)
      const position = await positionOf(services, after)
      const secret = newSecret()
      const principal = toStored(caller)
      const hook = { url, description, types: checkTypes(types), secret: seal(secret), position, principal }
      return { id: await rows.insertWebhook(db, hook), secret }
    },
    async getWebhook({ db }, { params }) {
      return show(await find(db, params.id!))
    },
    async changeWebhook({ db, config, caller }, { params, body: { url, description, types, enabled } }) {
      const { id } = await find(db, params.id!)
      if (url !== undefined) checkAddress(config, url)
      const change = { url, description, types: types && checkTypes(types), enabled }
      await rows.updateWebhook(db, id, change, toStored(caller))
      return show(await find(db, id))
    },
    async deleteWebhook({ db }, { params }) {
      const { id } = await find(db, params.id!)
      await rows.deleteWebhook(db, id)
      await forgetConsumer(db, `webhook:${id}`)
    },
    async addSecret({ db }, { params }) {
      const { id } = await find(db, params.id!)
      const secret = newSecret()
      await rows.addSecret(db, id, seal(secret))
      return { id, secret }
    },
    async dropSecret({ db }, { params }) {
      const { id } = await find(db, params.id!)
      if ((await rows.dropOldSecret(db, id)) === 0)
        throw new Problem('invalid', 'the webhook has one secret only; add the next one before the last one goes')
    },
    async listDeliveries({ db }, { params, query, continues }) {
      const { id } = await find(db, params.id!)
      const page = {
        state: query.state ?? null,
        before: Number(query.after ?? query.before ?? Number.MAX_SAFE_INTEGER),
        count: Math.min(Number(query.count ?? 100), maxPage),
        continues,
      }
      return { deliveries: cut(page, await rows.listDeliveries(db, id, page)).map(showDelivery) }
    },
    async replay({ db }, { params, body: { ids, since, states: wanted = ['refused'] } }) {
      const { id } = await find(db, params.id!)
      if ((ids === undefined) === (since === undefined))
        throw new Problem('invalid', '/replayRequest: give either ids or since')
      const count = ids
        ? await rows.replayIds(db, id, ids)
        : await rows.replaySince(db, id, new Date(since!), wanted.map(stateOf))
      return { count }
    },
    async sendTest({ db, config }, { params }) {
      const { id, url, secrets } = await find(db, params.id!)
      const event = {
        specversion: '1.0',
        id: `test-${Date.now()}`,
        source: config.baseUrl,
        type: 'kontor.webhook.test',
        subject: id,
        time: new Date().toISOString(),
      }
      const opened = secrets.map((secret) => openSecret(sealer, secret))
      const { status, problem } = await postEvent(config, url, opened, event.id, JSON.stringify(event))
      return { status: String(status ?? 0), answer: problem ?? '' }
    },
  }
  return { contract, resources: {}, routes }
}

async function find(db: Db, id: string) {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  const found = isId ? await rows.findWebhook(db, id) : undefined
  if (!found) throw new Problem('notFound', `no webhook has the id ${id.slice(0, 100)}`)
  return found
}

function checkAddress({ webhookPrivate }: Config, url: string): void {
  try {
    checkUrl(url, webhookPrivate)
  } catch (error) {
    if (!(error instanceof ForbiddenAddress)) throw error
    throw new Problem('invalid', `url: ${error.message}; KONTOR_WEBHOOK_PRIVATE allows addresses of your own network`, {
      cause: error,
    })
  }
}

function checkTypes(types: readonly string[]): readonly string[] {
  return types.includes('*') ? [] : checkedTypes(types)
}

function stateOf(text: string): string {
  if (states.includes(text)) return text
  throw new Problem('invalid', `state: unknown state ${text.slice(0, 50)}; expected one of ${states.join(', ')}`)
}

type Shown = Infer<typeof Webhook>

function show(row: rows.WebhookRow & { waiting: number }): Shown {
  const { failures: _, principal: _principal, secrets, types, failingSince, retryAt, problem, createdAt, ...same } = row
  return {
    ...same,
    ...(types.length > 0 && { types: [...types] }),
    secrets: secrets.length,
    ...(failingSince && { failingSince: failingSince.toISOString() }),
    ...(retryAt && { nextAttemptAt: retryAt.toISOString() }),
    ...(problem !== null && { problem }),
    createdAt: createdAt.toISOString(),
  }
}

function showDelivery({ status, problem, createdAt, retryAt, deliveredAt, ...same }: rows.DeliveryRow) {
  return {
    ...same,
    ...(status !== null && { status }),
    ...(problem !== null && { problem }),
    createdAt: createdAt.toISOString(),
    ...(same.state === 'waiting' && { nextAttemptAt: retryAt.toISOString() }),
    ...(deliveredAt && { deliveredAt: deliveredAt.toISOString() }),
  }
}

// Scheduled work

export const tidyJob = 'webhooks.tidy'
export const tidyTimes = '23 * * * *'

/** Disables webhooks that have failed for too long, and deletes old deliveries. */
export async function tidyWebhooks({ database, config }: Pick<Services, 'database' | 'config'>): Promise<void> {
  await rows.disableFailing(database, config.webhookDays)
  await rows.deleteOldDeliveries(database, config.webhookLogDays)
}
