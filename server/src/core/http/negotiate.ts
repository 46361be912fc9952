/**
 * The format of a request body and of the reply.
 *
 * Media types are compared as a whole, never by prefix: `application/json+compact` is not `application/json`. An unsupported
 * type is 400, as the interface defines. Without a usable Accept header the reply has the format of the request, else JSON.
 *
 * `text/xml` is another name of `application/xml`, the default of many clients. The reply has the name that was asked for.
 */
import { formats, type Format } from '@kontor/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'

const all = Object.values(formats)
const textXml = 'text/xml'
/** By media type, in lower case. */
const byMediaType = new Map([
  ...all.map((format) => [format.mediaType as string, format] as const),
  [textXml, formats.xml],
])
const listOf = (some: readonly Format[]) => some.map((format) => format.mediaType).join(', ')

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

export const formatNamed = (mediaType: string): Format | undefined => byMediaType.get(mediaType)

/** The format of the request's body, by its Content-Type. */
export function bodyFormat(request: FastifyRequest, accepted: readonly Format[] = all): BodyFormat {
  const header = request.headers['content-type']
  const names = listOf(accepted)
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
  const quality = (format: Format) =>
    Math.max(qualityOf(wanted, format.mediaType), format === formats.xml ? qualityOfTextXml(wanted) : 0)
  const best = [preferred, ...offered].reduce((a, b) => (quality(b) > quality(a) ? b : a))
  if (quality(best) > 0) return best
  throw new Problem('mediaType', `Accept ${accept.slice(0, 100)} is not supported; ask for one of ${listOf(offered)}`)
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
  const format = media && byMediaType.get(media.type)
  return offered.find((one) => one === format)
}

/** Names XML replies as the client does. */
export function nameXml(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (reply.getHeader('content-type') === formats.xml.contentType && prefersTextXml(request))
      reply.header('content-type', formats.xml.contentType.replace(formats.xml.mediaType, textXml))
  })
}

function prefersTextXml({ headers: { accept = '', 'content-type': contentType = '' } }: FastifyRequest): boolean {
  const wanted = parseAccept(accept)
  if (wanted.some(({ range }) => range === textXml || range === formats.xml.mediaType))
    return qualityOfTextXml(wanted) > qualityOf(wanted, formats.xml.mediaType)
  return parseMediaType(contentType)?.type === textXml
}

/** Wildcards do not count: they are about the name application/xml. */
const qualityOfTextXml = (wanted: readonly Accepted[]) => wanted.find(({ range }) => range === textXml)?.quality ?? 0

interface Accepted {
  readonly range: string
  readonly quality: number
}

function parseAccept(header: string): Accepted[] {
  return header.split(',').flatMap((part) => {
    const media = parseMediaType(part.trim())
    if (!media) return []
    const quality = Number(media.parameters.get('q') ?? '1')
    return [{ range: media.type, quality: quality >= 0 && quality <= 1 ? quality : 0 }]
  })
}

/** The most specific range that matches the media type decides. */
function qualityOf(wanted: readonly Accepted[], mediaType: string): number {
  const ranges = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*']
  const match = ranges
    .map((range) => wanted.find((entry) => entry.range === range))
    .find((entry) => entry !== undefined)
  return match?.quality ?? 0
}
