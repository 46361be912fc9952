/** The manual's catalogue of events, from the table of the contract. */
import { eventKinds, eventWords, type OpenApi } from '@kontor/contract'
import { fenced, generatedFrom, page, table } from './markdown.ts'

export function eventsPage({ components: { schemas } }: OpenApi): string {
  const rows = Object.entries(eventKinds).map(([kind, doc]) => [`\`kontor.${kind}.*\``, doc])
  const fields = (name: string) =>
    Object.entries(schemas[name]!.properties!).map(([field, { description = '' }]) => [`\`${field}\``, description])
  return page(
    '# Events',
    generatedFrom('contract/src/schema/words.ts'),
    `The type of an event is \`kontor.\`, the kind of object, and ${Object.values(eventWords).join(', ')}: \`kontor.product.updated\`. In filters and webhooks, \`*\` stands for any part. A type that does not exist is refused with the nearest one that does.`,
    table(['Types', 'Object'], rows),
    'A change of a link is an update of both objects, with the action `link` or `unlink`; so is the loss of a link because the other object was deleted. A change of a version is an update of its asset. Webhooks can also be sent `kontor.webhook.test`, on request only.',
    '## Where to begin',
    'Without `after`, you get the events from now on. `after=0` begins with the oldest event that is kept (`KONTOR_OUTBOX_HOURS`). After that, send the id of the last event that you have processed. A position that is no longer kept is answered with 410: read all objects again, and follow from a position that you took before.',
    '## Fields',
    'An event is a CloudEvent 1.0:',
    table(['Field', 'Content'], fields('kontorEvent')),
    'Its `data`:',
    table(['Field', 'Content'], fields('eventData')),
    'Each of `changes`:',
    table(['Field', 'Content'], fields('changedField')),
    'Attributes and locales that your roles hide are left out. If your roles do not let you read a deleted object, its deletion has only the kind and the id, so that you can remove it if you have it. Events of changes made by an older version have neither `changes` nor `user`.',
    fenced(
      'json',
      JSON.stringify(
        {
          specversion: '1.0',
          id: '7301.42',
          source: 'https://kontor.example.com',
          type: 'kontor.product.updated',
          subject: 'dinghy',
          time: '2026-01-02T03:04:05.678Z',
          datacontenttype: 'application/json',
          data: {
            dataType: 'product',
            id: 4711,
            tid: 'dinghy',
            path: '/Shop/Boats',
            event: 'UPDATE',
            changes: [{ field: 'name' }, { field: 'vals', attribute: 'title', locale: 'en_GB' }],
            user: 'kim',
          },
        },
        null,
        2,
      ),
    ),
  )
}
