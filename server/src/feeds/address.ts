/**
 * Download addresses: each has a random token, of which only a digest is stored. A request acts as the owner of the feed,
 * with the rights of now.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import { admitBy, demandRight } from '../core/access/access.ts'
import type { StreamCall } from '../core/http/streaming.ts'
import { Problem } from '../errors.ts'
import { digestOf } from '../core/access/permissions.ts'
import { findTransfer, hasEnded, mediaTypes, readFile } from '../transfers/api.ts'
import { findFeed } from './feeds.sql.ts'
import type { FeedNeeds } from './needs.ts'

const digestOfToken = (token: string) => hash('sha256', token, 'buffer')

export function newToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, digest: digestOfToken(token) }
}

export const downloadFeed =
  ({ database, callerNow }: FeedNeeds) =>
  async ({ request, reply, params }: StreamCall) => {
    const feed = await findFeed(database, params.name!.normalize('NFC'))
    const sent = digestOfToken(params.token!)
    // An unknown feed, a revoked address and a wrong token get the same answer, in the same time.
    const isRight = timingSafeEqual(sent, feed?.address ?? Buffer.alloc(sent.length))
    if (!feed || !isRight)
      throw new Problem('forbidden', 'this address is not valid or was revoked; ask its owner for another')
    const owner = await admitBy(request, () => callerNow(feed.principal))
    demandRight(owner, 'user', { kind: 'product', any: ['read'] })
    const transfer = feed.transferId === null ? undefined : await findTransfer(database, feed.transferId)
    if (!transfer) throw new Problem('notFound', 'the feed has no file yet; its first run has not finished')
    if (transfer.rights !== digestOf(owner))
      throw new Problem('forbidden', 'the rights of the owner have changed; the file is available again after the next run') // prettier-ignore
    if (hasEnded(transfer.options))
      throw new Problem('forbidden', 'the usage rights of a file in it have ended; the feed is available again after the next run') // prettier-ignore
    const etag = `"${transfer.id}"`
    reply.headers({ etag, 'last-modified': (transfer.endedAt ?? transfer.createdAt).toUTCString(), 'cache-control': 'private, no-cache' }) // prettier-ignore
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply
      .type(mediaTypes[transfer.format])
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(transfer.name)}`)
      .send(Readable.from(readFile(database, transfer.id)))
  }
