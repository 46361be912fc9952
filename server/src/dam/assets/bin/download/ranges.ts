/** Byte ranges and conditional requests (RFC 9110) for a file whose ETag is its hash. */
import type { Range } from '../../../../adapters/blobs/store.ts'
import { Problem } from '../../../../errors.ts'

export interface Conditions {
  readonly 'if-match'?: string | undefined
  readonly 'if-none-match'?: string | undefined
  readonly 'if-modified-since'?: string | undefined
  readonly 'if-unmodified-since'?: string | undefined
  readonly 'if-range'?: string | undefined
  readonly range?: string | undefined
}

/** True if the client already has the file. Throws if If-Match or If-Unmodified-Since fails. */
export function isUnchanged(headers: Conditions, etag: string, modifiedAt = new Date(0)): boolean {
  const match = headers['if-match']
  if (match !== undefined && !names(match, etag)) throw new Problem('notMatched', 'the file does not match If-Match')
  const before = headers['if-unmodified-since']
  if (match === undefined && before !== undefined && secondsOf(modifiedAt) > secondsOf(new Date(before)))
    throw new Problem('notMatched', `the file was changed after ${before}`)
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined) return names(noneMatch, etag)
  const since = headers['if-modified-since']
  return since !== undefined && secondsOf(modifiedAt) <= secondsOf(new Date(since))
}

const names = (list: string, etag: string) =>
  list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)

/** Thrown if the file does not contain the requested bytes. */
export class BadRange extends Problem {
  readonly size: number
  constructor(size: number) {
    super('range', `the file has ${size} bytes`)
    this.size = size
  }
}

/**
 * The requested range. Multiple ranges, other units and malformed headers return the whole file, as the RFC allows; so
 * does If-Range with an outdated ETag.
 */
export function rangeOf(headers: Conditions, asked: string | undefined, etag: string, size: number): Range | undefined {
  const text = asked === undefined ? headers.range : asked.replace(/^(?!bytes=)/, 'bytes=')
  const ifRange = asked === undefined ? headers['if-range'] : undefined
  if (text === undefined || (ifRange !== undefined && ifRange.trim() !== etag)) return undefined
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(text.trim()) ?? []
  if (from === '' && to === '') {
    if (asked !== undefined) throw new Problem('invalid', `range: ${asked.slice(0, 100)} is not a range like 0-1023`)
    return undefined
  }
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && from !== '' && Number(to) < first) return undefined
  if (first >= size || (from === '' && Number(to) === 0)) throw new BadRange(size)
  return { first, last }
}
