import { expect, test } from 'vitest'
import { toDraft, toFeed } from './draft.ts'
import type { Feed } from './use-feeds.ts'

type Export = NonNullable<Feed['export']>
const order: Export = { format: 'csv', nodePaths: ['/Shop'], locales: ['de_DE'], series: 'shop' }

test.each<[string, Export]>([
  ['its columns and rows', { ...order, columns: ['tid', 'name@de_DE'], formulas: 'keep' }],
  ['its products', { format: 'jsonl', tids: ['P1', 'P2'] }],
  ['its profile and pictures', { ...order, profile: 'prices', pictures: 'web' }],
  ['inherited values', { ...order, inherited: true }],
  ['its purpose', { ...order, channelTid: 'shop', medium: 'web', territory: 'DE' }],
])('a feed that is edited keeps %s', (_what, exported) => {
  const feed: Feed = {
    direction: 'export',
    enabled: true,
    description: 'Nightly',
    export: exported,
    fileName: 'shop-{date}.csv',
    place: { kind: 'sftp', host: 'files.example.com', user: 'shop', port: 2022 },
    schedule: { cron: '15 2 * * *', timeZone: 'Europe/Berlin' },
    maxShrink: 20,
  }
  expect(toFeed(toDraft({ ...feed, name: 'shop' }), feed, 'plain')).toEqual(feed)
})
