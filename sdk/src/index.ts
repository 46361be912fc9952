/** The typed client of Kontor, for browsers and Node: `createClient`, token sources, and what calls give back. */
export { type Client, createClient, type WriteOptions } from './client.ts'
export type { EventFeed, FollowOptions } from './events.ts'
export { KontorError } from './errors.ts'
export type { BulkRun, Records } from './resources.ts'
export { fixedToken, offlineTokens, passwordTokens, type Provider, signInOffline, type TokenSource } from './tokens.ts'
export type { FileLike } from './surroundings.ts'
export type { ClientOptions } from './transport.ts'
export type { UploadOptions, Uploads, UploadState } from './uploads.ts'
