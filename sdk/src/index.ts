/** The typed client of Kontor, for browsers and Node: `createClient`, token sources, and the types of calls. */
export { type Client, createClient, type RawCall } from './client.ts'
export type { EventFeed, FollowOptions } from './events.ts'
export { KontorError, type Refusal, refusalsOf } from './errors.ts'
export type { BulkRun, Records, Tagged, WriteOptions } from './resources.ts'
export type { FileLike } from './runtime.ts'
export {
  clientTokens,
  fixedToken,
  offlineTokens,
  passwordTokens,
  type Provider,
  signInOffline,
  type TokenSource,
} from './tokens.ts'
export type { ClientOptions } from './transport.ts'
export type { FileTransfers, SendOptions, WatchOptions } from './transfers.ts'
export type { UploadOptions, Uploads, UploadState } from './uploads.ts'
