/**
 * The parameters of a URL, by the same rule as the fields of a body: an unknown or missing one, one that is given twice, a
 * value that the contract does not allow and a text that no message can contain are refused with their place.
 *
 * Routes of an area declare their query parameters. Other routes (the console, the identity provider, probes) ignore
 * unknown ones, as OpenID Connect demands.
 */
import { illegalTextFault, type QueryParameter, type QueryParameters } from '@kontor/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The query parameters; every name is allowed when absent. */
    query?: QueryParameters
  }
}

/** Proxies and browsers cut longer URLs; longer requests have a body. */
const maxUrl = 8 * 1024

export function checkParameters(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ url }) => {
    if (url.length > maxUrl)
      throw new Problem('invalid', `the URL has ${url.length} characters; at most ${maxUrl} are allowed`)
  })
  // After the access check, so that a caller without rights learns nothing of the route.
  app.addHook('preValidation', async (request) => {
    const { query } = request.routeOptions.config
    if (query === undefined || request.is404) return
    const faults = [...pathFaults(request), ...queryFaults(request, query)]
    if (faults.length > 0) throw new Problem('invalid', faults)
  })
}

function* pathFaults({ params }: FastifyRequest): Generator<string> {
  for (const [name, value] of Object.entries(params as Record<string, string>)) {
    const fault = illegalTextFault(value)
    if (fault !== undefined) yield `path parameter ${name}: ${fault}`
  }
}

function* queryFaults({ url }: FastifyRequest, parameters: QueryParameters): Generator<string> {
  const allowed = Object.keys(parameters)
  const at = url.indexOf('?')
  const given = new Set<string>()
  for (const pair of at < 0 ? [] : url.slice(at + 1).split('&')) {
    if (pair === '') continue
    const [name, value] = [pair.split('=', 1)[0]!, pair.slice(pair.indexOf('=') + 1)].map(decoded)
    const place = `query parameter ${name?.slice(0, 100) ?? pair.slice(0, 100)}`
    if (name === undefined || value === undefined) yield `${place}: is not percent-encoded UTF-8`
    else if (!allowed.includes(name)) yield `${place}: unknown; ${allowedNames(allowed)}`
    else if (given.has(name)) yield `${place}: is given twice`
    else {
      const fault = illegalTextFault(value) ?? valueFault(parameters[name]!, value)
      if (fault !== undefined) yield `${place}: ${fault}`
    }
    if (name !== undefined) given.add(name)
  }
  for (const [name, parameter] of Object.entries(parameters))
    if (typeof parameter === 'object' && parameter.required && !given.has(name))
      yield `query parameter ${name}: is missing`
}

function valueFault(parameter: QueryParameter, value: string): string | undefined {
  if (typeof parameter === 'string') return undefined
  const { whole, words = parameter.flag && ['true', 'false'] } = parameter
  const found = `found ${value === '' ? 'nothing' : value.slice(0, 50)}`
  if (words && !words.includes(value)) return `expected ${words.join(' or ')}, ${found}`
  if (!whole) return undefined
  const [min, max] = whole
  const isWithin = /^\d{1,16}$/.test(value) && Number(value) >= min && Number(value) <= max
  return isWithin ? undefined : `expected a whole number from ${min} to ${max}, ${found}`
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const allowedNames = (allowed: readonly string[]) =>
  allowed.length === 0 ? 'this call has none' : `allowed here: ${allowed.join(', ')}`
