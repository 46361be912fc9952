/**
 * The body of a request: read as it arrives, judged by the contract, bounded in size.
 *
 * Nothing is buffered that need not be. A reader gets each piece as it comes in; between two pieces the event loop is
 * free for others.
 */
import { createHash, type Hash } from 'node:crypto'
import {
  BadMessage,
  check,
  defaultLimits,
  type Format,
  type Infer,
  type Limits,
  maxFaults,
  Pim,
  schemaVersion,
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
  readonly accepted?: readonly Format[]
  readonly sink?: Sink
  /** Awaited after every piece, with its length: the place to write away what the sink collected. */
  readonly drain?: (bytes: number) => Promise<void>
  /** Fed with the body, for an idempotency digest. */
  readonly digest?: Hash | undefined
}

export const limitsOf = (config: Config): Limits => ({
  ...defaultLimits,
  depth: config.maxDepth,
  text: config.maxText,
  attributes: config.maxAttributes,
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
    return reader.end()
  } catch (error) {
    throw error instanceof BadMessage ? toProblem(error) : error
  }
}

/** Reads a body that is a JSON list of objects of one type. */
export async function readList(request: FastifyRequest, type: Type, options: ReadOptions): Promise<object[]> {
  if (!hasBody(request)) throw new Problem('invalid', `the body is missing; send a list of ${type.name}`)
  bodyFormat(request, options.accepted)
  const chunks: Buffer[] = []
  for await (const chunk of bodyOf(request, options.maxBytes)) {
    options.digest?.update(chunk)
    chunks.push(chunk)
  }
  const list = parseList(Buffer.concat(chunks).toString(), type)
  const judged = list.map((item) => check(type, item, options.limits))
  const faults = judged.flatMap(({ faults }, i) =>
    faults.map(({ path, message }) => ({ path: path.replace(`/${type.name}`, `/${type.name}[${i + 1}]`), message })),
  )
  if (faults.length > 0) throw toProblem(new BadMessage(faults.slice(0, maxFaults)))
  return judged.map(({ value }) => value as object)
}

function parseList(text: string, type: Type): unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {
    // Said below, in our words.
  }
  throw new Problem('invalid', `the body is not a JSON list of ${type.name}`)
}

/** Reads an envelope whose items go to the sink. Any dotted number is a version; what else a sender may mean is unknown. */
export async function readEnvelope(request: FastifyRequest, options: ReadOptions & { sink: Sink }): Promise<void> {
  const shell = (await readMessage(request, Pim, options)) as Infer<typeof Pim> | undefined
  if (shell && !/^\d+(\.\d+)*$/.test(shell.schemaVersion)) {
    throw new Problem('invalid', `/pim/@schemaVersion: expected a version like ${schemaVersion}`)
  }
}

/**
 * The body, piece by piece; one that is too large is refused before or while it arrives.
 *
 * When the reader stops early the rest is passed over, so that the client gets its answer on a connection that can be
 * used again. Left alone, the connection would hang until it is given up.
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
  } finally {
    request.raw.resume()
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

/** A digest of what a request asks for, the same for a repeat of it; only one that may be repeated has it. */
export function requestDigest({ method, url, headers }: FastifyRequest): Hash | undefined {
  if (headers['idempotency-key'] === undefined) return undefined
  const asked = [headers['content-type'], headers['kontor-atomic'], headers['if-match']].map((value) => value ?? '')
  return createHash('sha256').update([`${method} ${url}`, ...asked, ''].join('\n'))
}
