/** The change feed and webhooks. A Kontor extension, JSON only. An event is a CloudEvent (cloudevents.io, 1.0). */
import { child, children, leaf, leaves, oneOf, required, safe, type, needsOneOf } from './describe.ts'
import { eventKinds } from './words.ts'

// Events

export const EventData = type('eventData', 'The changed object and the kind of change.', {
  dataType: oneOf(leaf('string', 'The kind of object.'), Object.keys(eventKinds)),
  id: leaf('long'),
  tid: leaf('string', 'The current tid. Absent if the object was deleted or has no tid.'),
  event: leaf('string', 'CREATE, UPDATE or DELETE.'),
  action: leaf('string', 'A more specific action than the event, if there is one: move, link, copy, …'),
})

export const KontorEvent = type('kontorEvent', 'A committed change, as a CloudEvent.', {
  specversion: leaf('string', 'Always 1.0.'),
  id: leaf('string', 'Unique id and position in the feed. Use it as `after` to continue.'),
  source: leaf('string', 'The URL of this installation.'),
  type: leaf(
    'string',
    'The kind of object and the change: kontor.product.created, kontor.product.updated or kontor.product.deleted.',
  ),
  subject: leaf('string', 'The tid of the object, or its id if it has no tid.'),
  time: leaf('date'),
  datacontenttype: leaf('string', 'Always application/json.'),
  data: child(() => EventData),
})

export const EventPage = type('eventPage', 'A page of the feed.', {
  events: children(() => KontorEvent),
  position: leaf('string', 'Value of `after` for the next call. Also set if there are no events.'),
})

// Webhooks

export const Webhook = type('webhook', 'A URL that receives events.', {
  id: leaf('string'),
  url: leaf('string'),
  description: leaf('string'),
  types: leaves('string', 'Event types to send. * matches any part: kontor.product.*. Default: all types.'),
  enabled: leaf('boolean'),
  secrets: leaf('integer', 'Number of active secrets: two during a rotation, otherwise one.'),
  position: leaf('string', 'The last processed position of the feed.'),
  waiting: leaf('integer', 'Number of undelivered events.'),
  failingSince: leaf('date', 'Time of the first of the current series of failures.'),
  nextAttemptAt: leaf('date'),
  problem: leaf('string', 'The error of the last attempt.'),
  createdAt: leaf('date'),
  createdBy: leaf('string'),
})
export const WebhookList = type('webhookList', 'Webhooks, oldest first.', { webhooks: children(() => Webhook) })

export const NewWebhook = type('newWebhook', 'A new webhook.', {
  url: required(leaf('string', 'An https URL. http is accepted only if private addresses are allowed.')),
  description: leaf('string'),
  types: leaves('string', 'Event types to send. * matches any part: kontor.product.*. Default: all types.'),
  after: leaf(
    'string',
    'Position of the feed to start after; 0 starts with the oldest event that is kept. Default: events from now on.',
  ),
})
export const WebhookChange = type('webhookChange', 'Changes to a webhook. Fields that are not sent remain unchanged.', {
  url: leaf('string'),
  description: leaf('string'),
  types: leaves('string', '["*"] for all types.'),
  enabled: leaf('boolean', 'true continues where deliveries stopped.'),
})
export const WebhookSecret = type(
  'webhookSecret',
  'A webhook secret, shown only in this reply (Standard Webhooks: whsec_…).',
  {
    id: leaf('string'),
    secret: leaf('string'),
  },
)

export const deliveryStates = ['waiting', 'delivered', 'refused'] as const
export const Delivery = type('delivery', 'The delivery of one event to a webhook.', {
  id: leaf('long'),
  eventId: leaf('string'),
  type: leaf('string'),
  subject: leaf('string'),
  state: leaf(deliveryStates, 'refused: the receiver rejected the event repeatedly for days.'),
  attempts: leaf('integer'),
  status: leaf('integer', 'The HTTP status of the last attempt.'),
  problem: leaf('string'),
  createdAt: leaf('date'),
  nextAttemptAt: leaf('date'),
  deliveredAt: leaf('date'),
})
export const DeliveryList = type('deliveryList', 'Deliveries, newest first.', { deliveries: children(() => Delivery) })

export const ReplayRequest = needsOneOf(
  type('replayRequest', 'Deliveries to send again: by id, or all since a given time.', {
    ids: safe(leaves('long', 'Ids of deliveries.')),
    since: leaf('date', 'All deliveries created since this time.'),
    states: leaves('string', 'With since: only deliveries in these states. Default refused.'),
  }),
  'ids',
  'since',
)
export const ReplayResult = type('replayResult', 'The number of deliveries that will be sent again.', {
  count: leaf('integer'),
})
