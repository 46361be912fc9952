/** Makes a method from a route of the contract. */
import { decode, encode, formats, type Route } from '@kontor/contract'
import { bytesOf, chunksOf, crypto, URLSearchParams } from './runtime.ts'
import type { Transport } from './transport.ts'

interface RouteArguments {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly idempotencyKey?: string
}

export function routeCall(transport: Transport, base: string, route: Route) {
  const format = route.formats === 'json' ? formats.json : transport.format
  return async ({
    params = {},
    query = {},
    body,
    idempotencyKey = crypto.randomUUID(),
  }: RouteArguments = {}): Promise<unknown> => {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const search = new URLSearchParams({ ...query }).toString()
    const reply = await transport.send({
      method: route.method,
      path: base + path.replace('*', params['*'] ?? '') + (search && `?${search}`),
      headers: { accept: format.mediaType, ...(body !== undefined && { 'content-type': format.contentType }) },
      ...(body !== undefined && { body: route.request ? encode(format, route.request, body) : JSON.stringify(body) }),
      ...(route.method !== 'GET' && { idempotencyKey }),
    })
    if (route.replyList) return reply.json()
    if (route.reply === undefined) return undefined
    if (route.reply === 'bytes') return chunksOf(reply.body)
    if (route.reply === 'text') return reply.text()
    if (typeof route.reply === 'string') return reply.json()
    return decode(format, route.reply, await bytesOf(reply))
  }
}
