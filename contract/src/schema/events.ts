/** Shapes of the change feed and of webhooks. All ours, JSON only. An event is a CloudEvent (cloudevents.io, 1.0). */
import { child, children, leaf, leaves, oneOf, required, type } from './describe.ts'
import { dataTypes } from './words.ts'

// What happened

export const EventData = type('eventData', 'Which object changed, and how.', {
  dataType: oneOf(leaf('string', 'The type of the object.'), dataTypes),
  id: leaf('long'),
  tid: leaf('string', 'As of now; absent where the object is gone or has none.'),
  event: leaf('string', 'CREATE, UPDATE or DELETE.'),
  action: leaf('string', 'What people call it, where it is more than the event: move, link, copy, …'),
})

export const KontorEvent = type('kontorEvent', 'A change that was committed, as a CloudEvent.', {
  specversion: leaf('string', 'Always 1.0.'),
  id: leaf('string', 'Unique, and the position in the feed: `after` continues behind it.'),
  source: leaf('string', 'The address of this installation.'),
  type: leaf('string', 'The kind of object and what happened: kontor.product.created, updated or deleted.'),
  subject: leaf('string', 'The tid of the object, or its id where there is none.'),
  time: leaf('date'),
  datacontenttype: leaf('string', 'Always application/json.'),
  data: child(() => EventData),
})

export const EventPage = type('eventPage', 'A part of the feed.', {
  events: children(() => KontorEvent),
  position: leaf('string', 'Where the next call continues (`after`), also when there were no events.'),
})

// Webhooks

export const Webhook = type('webhook', 'An address that is told of events.', {
  id: leaf('string'),
  url: leaf('string'),
  description: leaf('string'),
  types: leaves('string', 'Types of events that are sent, * for any part: kontor.product.*; all when absent.'),
  enabled: leaf('boolean'),
  secrets: leaf('integer', 'How many secrets sign: two while one replaces the other.'),
  position: leaf('string', 'Up to where the feed was taken over.'),
  waiting: leaf('integer', 'Deliveries that have not arrived yet.'),
  failingSince: leaf('date', 'Since when nothing arrives.'),
  nextAttemptAt: leaf('date'),
  problem: leaf('string', 'What the last attempt met.'),
  createdAt: leaf('date'),
  createdBy: leaf('string'),
})
export const WebhookList = type('webhookList', 'Webhooks, oldest first.', { webhooks: children(() => Webhook) })

export const NewWebhook = type('newWebhook', 'A webhook to make.', {
  url: required(leaf('string', 'An https address; http only where private addresses are allowed.')),
  description: leaf('string'),
  types: leaves('string'),
  after: leaf('string', 'A position of the feed to begin behind; from now on when absent.'),
})
export const WebhookChange = type('webhookChange', 'What to change about a webhook; the rest stays.', {
  url: leaf('string'),
  description: leaf('string'),
  types: leaves('string', '["*"] for all.'),
  enabled: leaf('boolean', 'true goes on where it stopped.'),
})
export const WebhookSecret = type('webhookSecret', 'A secret, shown only in this reply (Standard Webhooks: whsec_…).', {
  id: leaf('string'),
  secret: leaf('string'),
})

export const deliveryStates = ['waiting', 'delivered', 'refused'] as const
export const Delivery = type('delivery', 'One event on its way to a webhook.', {
  id: leaf('long'),
  eventId: leaf('string'),
  type: leaf('string'),
  subject: leaf('string'),
  state: leaf(deliveryStates, 'refused: the receiver said that it does not want it, for days.'),
  attempts: leaf('integer'),
  status: leaf('integer', 'The HTTP status of the last attempt.'),
  problem: leaf('string'),
  createdAt: leaf('date'),
  nextAttemptAt: leaf('date'),
  deliveredAt: leaf('date'),
})
export const DeliveryList = type('deliveryList', 'Deliveries, newest first.', { deliveries: children(() => Delivery) })

export const ReplayRequest = type(
  'replayRequest',
  'What to send once more: single deliveries, or all since a moment.',
  {
    ids: leaves('long', 'Deliveries.'),
    since: leaf('date', 'All deliveries made since.'),
    states: leaves('string', 'With since: only these; refused by default.'),
  },
)
export const ReplayResult = type('replayResult', 'What will be sent once more.', { count: leaf('integer') })
