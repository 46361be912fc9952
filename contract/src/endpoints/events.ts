/** What happened: the change feed, and webhooks that are told of it. */
import { area } from '../endpoint.ts'
import {
  DeliveryList,
  EventPage,
  NewWebhook,
  ReplayRequest,
  ReplayResult,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookSecret,
} from '../schema/events.ts'

const read = { access: 'user', formats: 'json', own: true, needs: { action: 'read' } } as const
const admin = { access: 'admin', formats: 'json', own: true } as const
const feed = {
  after: 'The id of an event, or a position: what comes behind it. From now on when absent.',
  types: 'Types of events, separated by commas; * stands for any part (kontor.product.*).',
}

// prettier-ignore
export const events = area({
  base: '/api/v1/events',
  doc: 'The change feed: every committed change in order, without gaps, as far as the caller may see it.',
  resources: {},
  routes: {
    listEvents: {
      ...read, doc: 'Events behind a position, oldest first. With wait it answers as soon as there is one.', method: 'GET', path: '',
      query: { ...feed, count: 'At most so many changes are looked at; 100 by default, 1000 at most.', wait: 'Seconds to wait for an event; 0 by default, 60 at most.' },
      reply: EventPage, statuses: [200, 400, 401, 410],
    },
    streamEvents: {
      ...read, doc: 'The same as server-sent events (text/event-stream). A client that comes back sends Last-Event-ID and misses nothing.', method: 'GET', path: '/stream',
      query: feed, reply: 'bytes', statuses: [200, 400, 401, 410],
    },
  },
})

const write = [200, 400, 401, 403, 404] as const

// prettier-ignore
export const webhooks = area({
  base: '/api/v1/webhooks',
  doc: 'Webhooks: events sent to other systems, signed, in order per object, for as long as it takes.',
  resources: {},
  routes: {
    listWebhooks:   { ...admin, doc: 'All webhooks and how they are doing.', method: 'GET', path: '', reply: WebhookList, statuses: [200, 401, 403] },
    createWebhook:  { ...admin, doc: 'Makes a webhook; the reply is the only place that has its secret.', method: 'POST', path: '', request: NewWebhook, reply: WebhookSecret, statuses: [200, 400, 401, 403] },
    getWebhook:     { ...admin, doc: 'One webhook.', method: 'GET', path: '/{id}', reply: Webhook, statuses: [200, 401, 403, 404] },
    changeWebhook:  { ...admin, doc: 'Changes a webhook, disables or enables it.', method: 'PATCH', path: '/{id}', request: WebhookChange, reply: Webhook, statuses: write },
    deleteWebhook:  { ...admin, doc: 'Removes a webhook with its deliveries.', method: 'DELETE', path: '/{id}', statuses: [200, 401, 403, 404] },
    addSecret:      { ...admin, doc: 'Adds a second secret: both sign, until the older is removed.', method: 'POST', path: '/{id}/secrets', reply: WebhookSecret, statuses: write },
    dropSecret:     { ...admin, doc: 'Removes the older of two secrets.', method: 'DELETE', path: '/{id}/secrets', statuses: write },
    listDeliveries: { ...admin, doc: 'The deliveries of a webhook.', method: 'GET', path: '/{id}/deliveries', reply: DeliveryList, statuses: [200, 400, 401, 403, 404],
                      query: { state: 'Only those that are waiting, delivered or refused.', before: 'Only deliveries before this one, for the next page.', count: 'At most so many; 100 by default, 1000 at most.' } },
    replay:         { ...admin, doc: 'Sends deliveries once more.', method: 'POST', path: '/{id}/replay', request: ReplayRequest, reply: ReplayResult, statuses: write },
    sendTest:       { ...admin, doc: 'Sends an event of the type kontor.webhook.test now, and says what the receiver answered.', method: 'POST', path: '/{id}/test', reply: 'map', statuses: write },
  },
})
