/** The change feed, and webhooks that receive its events. */
import { area, nextPage, whole, word } from '../endpoint.ts'
import {
  DeliveryList,
  deliveryStates,
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
  after:
    'The id of an event or a position; events after it are returned. 0 returns the oldest events that are kept. Default: events from now on.',
  types:
    'Event types, separated by commas. * matches any part (kontor.product.*). A type that does not exist is refused.',
}

// prettier-ignore
export const events = area({
  base: '/api/v1/events',
  doc: 'The change feed: all committed changes that the caller may read, in order and without gaps.',
  resources: {},
  routes: {
    listEvents: {
      ...read, doc: 'Lists the events after a position, oldest first. With wait, the call returns as soon as there is an event.', method: 'GET', path: '',
      query: { ...feed, count: whole('How many changes to examine. Default 100.', 0, 1000), wait: whole('Seconds to wait for an event. Default 0.', 0, 60) },
      waits: 'wait', reply: EventPage, statuses: [200, 400, 401, 410],
    },
    streamEvents: {
      ...read, doc: 'Streams events as server-sent events (text/event-stream). A client that reconnects sends Last-Event-ID and misses nothing.', method: 'GET', path: '/stream',
      query: feed, reply: 'bytes', media: ['text/event-stream'], statuses: [200, 400, 401, 410],
    },
  },
})

const write = [200, 400, 401, 403, 404] as const

// prettier-ignore
export const webhooks = area({
  base: '/api/v1/webhooks',
  doc: 'Webhooks: signed events sent to other systems, in order per object, with retries.',
  resources: {},
  routes: {
    listWebhooks:   { ...admin, doc: 'Lists all webhooks with their delivery state.', method: 'GET', path: '', reply: WebhookList, statuses: [200, 401, 403] },
    createWebhook:  { ...admin, doc: 'Creates a webhook. The secret is shown only in this reply.', method: 'POST', path: '', request: NewWebhook, reply: WebhookSecret, statuses: [200, 400, 401, 403] },
    getWebhook:     { ...admin, doc: 'Returns one webhook.', method: 'GET', path: '/{id}', reply: Webhook, statuses: [200, 401, 403, 404] },
    changeWebhook:  { ...admin, doc: 'Updates, enables or disables a webhook.', method: 'PATCH', path: '/{id}', request: WebhookChange, reply: Webhook, statuses: write },
    deleteWebhook:  { ...admin, doc: 'Deletes a webhook and its deliveries.', method: 'DELETE', path: '/{id}', statuses: [200, 401, 403, 404] },
    addSecret:      { ...admin, doc: 'Adds a second secret. Both secrets sign until the older one is removed.', method: 'POST', path: '/{id}/secrets', reply: WebhookSecret, statuses: write },
    dropSecret:     { ...admin, doc: 'Removes the older of two secrets.', method: 'DELETE', path: '/{id}/secrets', statuses: write },
    listDeliveries: { ...admin, doc: 'Lists the deliveries of a webhook, newest first.', method: 'GET', path: '/{id}/deliveries', reply: DeliveryList, statuses: [200, 400, 401, 403, 404],
                      query: { state: word('Only deliveries in this state.', deliveryStates), after: nextPage.whole, before: whole('Only deliveries before this one. The same as after.'), count: whole('Page size. Default 100, maximum 1000.', 1) } },
    replay:         { ...admin, doc: 'Sends deliveries again.', method: 'POST', path: '/{id}/replay', request: ReplayRequest, reply: ReplayResult, statuses: write },
    sendTest:       { ...admin, doc: 'Sends a test event of type kontor.webhook.test and returns the answer of the receiver.', method: 'POST', path: '/{id}/test', reply: 'map', statuses: write },
  },
})
