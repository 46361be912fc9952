/**
 * How a file goes out: under which type and name, and what a browser may do with it.
 *
 * No stored file ever runs in our origin. Pictures, sound and film may be shown in place; everything else is to be
 * saved, and what a browser could run is sealed off by a policy as well.
 */
import type { FastifyReply } from 'fastify'

/** What browsers show without running anything in it. */
const shown =
  /^(?:image\/(?:jpeg|png|gif|webp|avif|bmp)|video\/(?:mp4|webm|quicktime|mpeg)|audio\/(?:mpeg|mp4|wav|ogg|flac))$/
/** What a page could load as its own script, whatever else is said about it. */
const scripts = /javascript|ecmascript|^application\/json$/

export interface Outgoing {
  readonly name: string
  readonly mime: string
}

export const contentTypeOf = (mime: string) => (scripts.test(mime) ? 'application/octet-stream' : mime)

/** RFC 6266: a name in ASCII for old clients, and the true one. Nothing in it can end the header or leave a folder. */
export function dispositionOf({ name, mime }: Outgoing): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${shown.test(mime) ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export function sayFile(reply: FastifyReply, file: Outgoing): FastifyReply {
  return reply
    .header('content-type', contentTypeOf(file.mime))
    .header('content-disposition', dispositionOf(file))
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'")
    .header('cache-control', 'private, no-cache')
}
