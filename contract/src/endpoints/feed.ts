/** Feeds: exports and imports that run by themselves. */
import { area, nextPage, whole } from '../endpoint.ts'
import { Feed, FeedAddress, FeedList, FeedRun, FeedRunList } from '../schema/feed.ts'

const read = { access: 'user', formats: 'json', own: true, needs: { action: 'read' } } as const
const write = { access: 'user', formats: 'json', own: true, needs: { action: 'update' } } as const
const one = [200, 400, 401, 404, 409] as const

// prettier-ignore
export const feed = area({
  base: '/api/v1/feeds',
  doc: 'Exports and imports by a schedule: delivery with retries, hot folders, and a history of runs. You see your own feeds; administrators see all.',
  resources: {},
  routes: {
    listFeeds:     { ...read, doc: 'Lists your feeds by name, with their last runs.', method: 'GET', path: '', reply: FeedList, statuses: [200, 400, 401],
                     query: { after: nextPage.id, count: whole('Page size. Default 500.', 1, 1000) } },
    getFeed:       { ...read, doc: 'Returns one feed.', method: 'GET', path: '/{name}', reply: Feed, statuses: [200, 401, 404] },
    putFeed:       { ...write, doc: 'Creates or replaces a feed. You are the owner of a new feed. An administrator who replaces the feed of a user who is gone or disabled takes it over.', method: 'PUT', path: '/{name}', request: Feed, reply: Feed, statuses: [200, 400, 401, 403, 404, 409] },
    deleteFeed:    { ...write, doc: 'Deletes a feed and its history.', method: 'DELETE', path: '/{name}', statuses: [200, 401, 404] },
    runFeed:       { ...write, doc: 'Runs a feed now.', method: 'POST', path: '/{name}/run', reply: FeedRun, statuses: one },
    listRuns:      { ...read, doc: 'Lists the runs of a feed, newest first.', method: 'GET', path: '/{name}/runs', reply: FeedRunList, statuses: [200, 400, 401, 404],
                     query: { after: nextPage.whole, before: whole('Only runs before this one. The same as after.'), count: whole('Page size. Default 50.', 1, 500) } },
    decideRun:     { ...write, doc: 'Decides on a held run: release delivers or imports it, discard does not. A discarded file of an import is moved to the folder `failed`.', method: 'POST', path: '/{name}/runs/{run}/{decision}', reply: FeedRun, statuses: one },
    createAddress: { ...write, doc: 'Creates the download address of a feed. An older address stops to work.', method: 'POST', path: '/{name}/address', reply: FeedAddress, statuses: one },
    revokeAddress: { ...write, doc: 'Revokes the download address of a feed.', method: 'DELETE', path: '/{name}/address', statuses: [200, 401, 404] },
    downloadFeed:  { access: 'public', formats: 'json', own: true, doc: 'Downloads the file of the last finished run, by an address from createAddress. If-None-Match is honoured.', method: 'GET', path: '/{name}/file/{token}', reply: 'bytes', statuses: [200, 304, 403, 404] },
  },
})
