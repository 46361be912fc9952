/**
 * Response headers of files: media type, file name, and browser restrictions.
 *
 * A stored file never runs in our origin. Browsers may display images, audio and video inline; every other file is sent
 * as an attachment. A content security policy also sandboxes files that a browser could execute.
 */
import type { FastifyReply } from 'fastify'

/** Media types that browsers display without executing anything. */
const inlineTypes =
  /^(?:image\/(?:jpeg|png|gif|webp|avif|bmp)|video\/(?:mp4|webm|quicktime|mpeg)|audio\/(?:mpeg|mp4|wav|ogg|flac))$/
/** Media types that a page could load as a script, regardless of the other headers. */
const scripts = /javascript|ecmascript|^application\/json$/

export interface NamedFile {
  readonly name: string
  readonly mime: string
  /** Browsers save the file, even if they could display it. */
  readonly isAttachment?: boolean
  /** Default: only the caller may keep it, and asks each time. */
  readonly cacheControl?: string
}

export const contentTypeOf = (mime: string) => (scripts.test(mime) ? 'application/octet-stream' : mime)

/**
 * RFC 6266: an ASCII name for old clients, and the real name. Escaping prevents header injection and path traversal.
 */
export function dispositionOf({ name, mime, isAttachment = false }: NamedFile): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\/%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${inlineTypes.test(mime) && !isAttachment ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export function setFileHeaders(reply: FastifyReply, file: NamedFile): FastifyReply {
  return reply
    .header('content-type', contentTypeOf(file.mime))
    .header('content-disposition', dispositionOf(file))
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'")
    .header('cache-control', file.cacheControl ?? 'private, no-cache')
}
