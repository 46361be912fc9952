/**
 * The body of a request: read as it arrives, checked against the contract, limited in size.
 *
 * Nothing is buffered unnecessarily. A reader gets each chunk as it comes in, and the event loop is free between two chunks.
 */
import { createHash, type Hash } from 'node:crypto'
import {
  BadMessage,
  defaultLimits,
  type Format,
  type Infer,
  type Limits,
  Pim,
  schemaVersion,
  schemaVersionPattern,
  type Sink,
  type Type,
} from '@kontor/contract'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'
import { bodyFormat } from './negotiate.ts'

export interface ReadOptions {
  readonly maxBytes: number
  readonly limits: Limits
  readonly accepted?: readonly Format[] | undefined
  readonly sink?: Sink | undefined
  /** Awaited after every chunk, with its length: here the caller stores the items that the sink collected. */
  readonly drain?: (bytes: number) => Promise<void>
  /** Updated with the body, for an idempotency digest. */
  readonly digest?: Hash | undefined
}

/** Bytes of one object of a batch, and of a request that is not a batch: each is parsed and validated in one go. */
const maxItem = 12 * 1024 * 1024
const maxRequest = 4 * 1024 * 1024

export const limitsOf = (config: Config): Limits => ({
  ...defaultLimits,
  depth: config.maxDepth,
  text: config.maxText,
  attributes: config.maxAttributes,
  lists: true,
  item: Math.max(maxItem, config.maxText),
})

/** The limits of a request that is not a batch. */
export const requestLimits = (config: Config): Limits => ({
  ...limitsOf(config),
  item: Math.max(maxRequest, config.maxText),
})

/** Reads the message of the request, or returns undefined when it has no body. */
export async function readMessage(
  request: FastifyRequest,
  root: Type,
  options: ReadOptions,
): Promise<object | undefined> {
  if (!hasBody(request)) return undefined
  const { format, charset } = bodyFormat(request, options.accepted)
  try {
    const reader = format.codec.reader(root, { limits: options.limits, sink: options.sink, charset })
    for await (const chunk of bodyOf(request, options.maxBytes)) {
      options.digest?.update(chunk)
      reader.write(chunk)
      await options.drain?.(chunk.length)
    }
    const message = reader.end()
    if (root === Pim) checkVersion(message as Infer<typeof Pim>)
    return message
  } catch (error) {
    throw error instanceof BadMessage ? toProblem(error) : error
  }
}

/** Reads a body that is a JSON list of objects of one type, by the rules of the reader of JSON messages. */
export async function readList(request: FastifyRequest, type: Type, options: ReadOptions): Promise<object[]> {
  if (!hasBody(request)) throw new Problem('invalid', `the body is missing; send a list of ${type.name}`)
  const { format, charset } = bodyFormat(request, options.accepted)
  const root = listOf(type)
  try {
    const reader = format.codec.reader(root, { limits: options.limits, charset })
    reader.write(Buffer.from(`{"${type.name}":`))
    for await (const chunk of bodyOf(request, Math.min(options.maxBytes, maxRequest))) {
      options.digest?.update(chunk)
      reader.write(chunk)
    }
    reader.write(Buffer.from('}'))
    return Object.values(reader.end() as Record<string, object[]>)[0] ?? []
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error
    const faults = error.faults.map(({ path, message }) => ({ path: path.replace(`/${root.name}`, ''), message }))
    throw toProblem(new BadMessage(faults))
  }
}

/** A message that contains the list as its only field. */
const listOf = (type: Type): Type => ({
  name: 'list',
  doc: '',
  fields: { [type.name]: { kind: 'children', type: () => type } },
})

/** Any dotted number is a version of the schema. */
function checkVersion({ schemaVersion: sent }: Infer<typeof Pim>): void {
  if (!new RegExp(schemaVersionPattern).test(sent))
    throw new Problem('invalid', `/pim/@schemaVersion: expected a version like ${schemaVersion}`)
}

/**
 * The body in chunks. A body that is too large is refused before or while it arrives. If the reader stops early, the rest is
 * discarded with the reply (operations/unread-bodies.ts).
 */
export async function* bodyOf(request: FastifyRequest, maxBytes: number): AsyncGenerator<Buffer> {
  const tooLarge = () =>
    new Problem('tooLarge', `the body is larger than ${maxBytes} bytes; send it in parts or as bulk`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  let bytes = 0
  try {
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge()
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem('invalid', `the body broke off after ${bytes} bytes`, { cause })
  }
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

export function toProblem(error: BadMessage): Problem {
  return new Problem(
    'invalid',
    error.faults.map(({ path, message }) => `${path}: ${message}`),
    { cause: error },
  )
}

/** A digest that is the same for a repeat of the request; only requests with an Idempotency-Key have one. */
export function requestDigest({ method, url, headers }: FastifyRequest): Hash | undefined {
  if (headers['idempotency-key'] === undefined) return undefined
  const asked = [headers['content-type'], headers['kontor-atomic'], headers['if-match']].map((value) => value ?? '')
  return createHash('sha256').update([`${method} ${url}`, ...asked, ''].join('\n'))
}
