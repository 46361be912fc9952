/** The change feed and webhooks. A Kontor extension, JSON only. An event is a CloudEvent (cloudevents.io, 1.0). */
import { child, children, expects, leaf, leaves, needsExactlyOneOf, oneOf, required, safe, type } from './describe.ts'
import { eventKinds } from './words.ts'

// Events

export const ChangedField = type('changedField', 'A field that an update changed, without its values.', {
  field: leaf('string', 'The name of the field: name, node, path, link, … `vals` for the value of an attribute.'),
  attribute: leaf('string', 'The tid of the attribute; table/column for a column of a table.'),
  locale: leaf('string', 'The locale of the value, if it is in one.'),
})

export const EventData = type('eventData', 'The changed object and the kind of change.', {
  dataType: oneOf(leaf('string', 'The kind of object.'), Object.keys(eventKinds)),
  id: leaf('long'),
  tid: leaf(
    'string',
    'The current tid, or the last one of a deleted object. For an attribute of a category that of its definition, for a keyword its path. Absent if you could not read the deleted object.',
  ),
  path: leaf(
    'string',
    'Where the object is, or was when it was deleted: the category of a product, the path of an asset, folder, category, channel or keyword.',
  ),
  event: leaf('string', 'CREATE, UPDATE or DELETE.'),
  action: leaf('string', 'A more specific action than the event, if there is one: move, link, copy, …'),
  changes: children(
    () => ChangedField,
    'The fields that an update changed and that you may see. Absent if there are more than 1,000.',
  ),
  user: leaf('string', 'Who made the change.'),
})

export const KontorEvent = type('kontorEvent', 'A committed change, as a CloudEvent.', {
  specversion: leaf('string', 'Always 1.0.'),
  id: leaf('string', 'Unique id and position in the feed. Use it as `after` to continue.'),
  source: leaf('string', 'The URL of this installation.'),
  type: leaf(
    'string',
    'The kind of object and the change: kontor.product.created, kontor.product.updated or kontor.product.deleted.',
  ),
  subject: leaf('string', 'The tid of the object; the path of a category or keyword; otherwise the id.'),
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
  types: expects(
    leaves('string', 'Event types to send. * matches any part: kontor.product.*. Default: all types.'),
    0,
    100,
  ),
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
  types: expects(
    leaves('string', 'Event types to send. * matches any part: kontor.product.*. Default: all types.'),
    0,
    100,
  ),
  after: leaf(
    'string',
    'Position of the feed to start after; 0 starts with the oldest event that is kept. Default: events from now on.',
  ),
})
export const WebhookChange = type('webhookChange', 'Changes to a webhook. Fields that are not sent remain unchanged.', {
  url: leaf('string'),
  description: leaf('string'),
  types: expects(leaves('string', '["*"] for all types.'), 0, 100),
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

export const ReplayRequest = needsExactlyOneOf(
  type('replayRequest', 'Deliveries to send again: by id, or all since a given time.', {
    ids: safe(leaves('long', 'Ids of deliveries.')),
    since: leaf('date', 'All deliveries created since this time.'),
    states: oneOf(leaves('string', 'With since: only deliveries in these states. Default refused.'), deliveryStates),
  }),
  'ids',
  'since',
)
export const ReplayResult = type('replayResult', 'The number of deliveries that will be sent again.', {
  count: leaf('integer'),
})
