/**
 * The format of a request body and of the reply.
 *
 * Media types are compared as a whole, never by prefix: `application/json+compact` is not `application/json`. An unsupported
 * type is 400, as the interface defines. Without a usable Accept header the reply has the format of the request, else JSON.
 */
import { formats, type Format } from '@kontor/contract'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'

const all = Object.values(formats)
const byMediaType = new Map(all.map((format) => [format.mediaType as string, format]))
const namesOf = (some: readonly Format[]) => some.map((format) => format.mediaType).join(', ')

interface MediaType {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Parses type/subtype;name=value… strictly; anything else is undefined. */
export function parseMediaType(header: string): MediaType | undefined {
  const [type, ...rest] = header.split(';').map((part) => part.trim())
  if (!type || !/^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/.test(type)) return undefined
  const parameters = new Map<string, string>()
  for (const part of rest.filter((part) => part !== '')) {
    const match = /^([\w-]+)=(?:"([^"\\]*)"|([^\s"]+))$/.exec(part)
    if (!match) return undefined
    parameters.set(match[1]!.toLowerCase(), match[2] ?? match[3]!)
  }
  return { type: type.toLowerCase(), parameters }
}

interface BodyFormat {
  readonly format: Format
  readonly charset: string | undefined
}

/** The format of the request's body, by its Content-Type. */
export function bodyFormat(request: FastifyRequest, accepted: readonly Format[] = all): BodyFormat {
  const header = request.headers['content-type']
  const names = namesOf(accepted)
  if (header === undefined) throw new Problem('mediaType', `Content-Type is missing; send one of ${names}`)
  const media = parseMediaType(header)
  const format = media && byMediaType.get(media.type)
  if (!format || !accepted.includes(format)) {
    throw new Problem('mediaType', `Content-Type ${header.slice(0, 100)} is not supported; send one of ${names}`)
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem(
      'mediaType',
      `Content-Encoding ${encoding.slice(0, 100)} is not supported; send the body as it is`,
    )
  }
  return { format, charset: media.parameters.get('charset') }
}

/** The format of the reply. Throws if Accept contains no supported type. */
export function replyFormat(request: FastifyRequest, offered: readonly Format[] = all): Format {
  const accept = request.headers.accept
  const preferred = sameAsRequest(request, offered) ?? offered.find((format) => format === formats.json) ?? offered[0]!
  if (accept === undefined || accept.trim() === '') return preferred
  const wanted = parseAccept(accept)
  const quality = (format: Format) => qualityOf(wanted, format.mediaType)
  const best = [preferred, ...offered].reduce((a, b) => (quality(b) > quality(a) ? b : a))
  if (quality(best) > 0) return best
  throw new Problem('mediaType', `Accept ${accept.slice(0, 100)} is not supported; ask for one of ${namesOf(offered)}`)
}

/** The format for an error: as asked for if possible, otherwise JSON. */
export function errorFormat(request: FastifyRequest): Format {
  try {
    return replyFormat(request)
  } catch {
    return sameAsRequest(request, all) ?? formats.json
  }
}

function sameAsRequest(request: FastifyRequest, offered: readonly Format[]): Format | undefined {
  const media = parseMediaType(request.headers['content-type'] ?? '')
  return offered.find((format) => format.mediaType === media?.type)
}

function parseAccept(header: string): { range: string; quality: number }[] {
  return header.split(',').flatMap((part) => {
    const media = parseMediaType(part.trim())
    if (!media) return []
    const quality = Number(media.parameters.get('q') ?? '1')
    return [{ range: media.type, quality: quality >= 0 && quality <= 1 ? quality : 0 }]
  })
}

/** The most specific range that matches the media type decides. */
function qualityOf(wanted: { range: string; quality: number }[], mediaType: string): number {
  const ranges = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*']
  const match = ranges
    .map((range) => wanted.find((entry) => entry.range === range))
    .find((entry) => entry !== undefined)
  return match?.quality ?? 0
}
