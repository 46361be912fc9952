/**
 * Sending to URLs that users entered. They must not reach our own network: the host is resolved, every address is checked, and
 * the connection goes to the checked address, so that a name that resolves differently a moment later (DNS rebinding) does
 * not help an attacker. Redirects are not followed, and only the beginning of a reply is read.
 */
import { lookup, type LookupAddress } from 'node:dns'
import { createReadStream } from 'node:fs'
import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { inSpan, traceContext } from '../tracing/tracing.ts'

export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The beginning of the body, for display. */
  readonly text: string
}

export interface PostOptions {
  /** Whether private and local addresses are allowed. */
  readonly allowPrivate: boolean
  readonly milliseconds: number
}

/** The URL must not be called. */
export class ForbiddenAddress extends Error {}

// prettier-ignore
const ranges: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24],
  ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4],
  // unspecified, loopback and compatible IPv4; mapped and translated IPv4, discard, documentation, tunnels, unique local,
  // link local, multicast
  ['::', 96], ['::ffff:0:0', 96], ['::ffff:0:0:0', 96], ['64:ff9b::', 96], ['64:ff9b:1::', 48], ['100::', 64], ['2001::', 23],
  ['2001:db8::', 32], ['2002::', 16], ['fc00::', 7], ['fe80::', 10], ['fec0::', 10], ['ff00::', 8],
]
/** One list per family, because a list with ::ffff:0:0/96 matches every IPv4 address, too. */
const closed = { ipv4: new BlockList(), ipv6: new BlockList() }
const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')
for (const [network, prefix] of ranges) closed[familyOf(network)].addSubnet(network, prefix, familyOf(network))

/** Whether an IP address is public. */
export const isPublic = (address: string) => !closed[familyOf(address)].check(address, familyOf(address))

/** Checks a URL before it is called: its form, and its host if that is an IP address. */
export function checkUrl(text: string, allowPrivate: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new ForbiddenAddress('expected an https address')
  if (url.username !== '' || url.password !== '') throw new ForbiddenAddress('it must not contain a user or password')
  if (allowPrivate) return url
  if (url.protocol !== 'https:') throw new ForbiddenAddress('expected an https address')
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isPublic(host)) throw new ForbiddenAddress(`${host} is not a public address`)
  return url
}

type Resolve = (
  hostname: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Like dns.lookup, but fails if any of the addresses is not public. The connection goes to the addresses it returns. */
export const guardedLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const inside = addresses.find(({ address }) => !isPublic(address))
      if (inside) return done(new ForbiddenAddress(`${hostname} leads to ${inside.address}, which is not public`), '')
      if (options.all) return done(null, addresses)
      done(null, addresses[0]!.address, addresses[0]!.family)
    })

const mostText = 500

/** The span names the host only: paths of such addresses often contain secrets. */
export function post(
  address: string,
  body: string,
  headers: Record<string, string>,
  options: PostOptions,
): Promise<Answer> {
  const url = checkUrl(address, options.allowPrivate)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const attributes = { 'http.request.method': 'POST', 'server.address': url.hostname, 'server.port': port }
  return inSpan('POST', 'client', attributes, async (span) => {
    const length = { 'content-length': String(Buffer.byteLength(body)), 'user-agent': 'Kontor-Webhooks' }
    const sent = { method: 'POST', headers: { ...headers, ...length, ...traceContext() } }
    const signal = AbortSignal.timeout(options.milliseconds)
    const answer = await send(url, { ...sent, signal }, options, (call) => call.end(body))
    span?.set({ 'http.response.status_code': answer.status })
    if (answer.status >= 400) span?.fail(String(answer.status))
    return answer
  })
}

/** Sends a file. The time limit is for pauses, because a large file may take long. */
export function upload(
  address: string,
  method: 'PUT' | 'POST',
  file: { readonly path: string; readonly size: number },
  headers: Record<string, string>,
  options: PostOptions,
): Promise<Answer> {
  const url = checkUrl(address, options.allowPrivate)
  const length = { 'content-length': String(file.size), 'user-agent': 'Kontor-Feeds' }
  return send(url, { method, headers: { ...headers, ...length } }, options, (call) => {
    call.setTimeout(options.milliseconds, () =>
      call.destroy(new Error(`no answer for ${options.milliseconds / 1000} seconds`)),
    )
    const bytes = createReadStream(file.path)
    // A receiver that refuses the file may answer before it has read everything.
    pipeline(bytes, call).catch((error: Error) => call.destroy(error))
  })
}

function send(
  url: URL,
  sent: RequestOptions,
  { allowPrivate }: PostOptions,
  write: (call: ClientRequest) => void,
): Promise<Answer> {
  const options: RequestOptions = { ...sent, agent: false, ...(!allowPrivate && { lookup: guardedLookup() }) }
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const call = request(url, options, (reply) => {
      let text = ''
      const end = () => {
        resolve({ status: reply.statusCode ?? 0, retryAfter: reply.headers['retry-after'], text })
        reply.destroy()
      }
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk.slice(0, mostText - text.length)
        if (text.length >= mostText) end()
      })
      reply.once('end', end).once('error', reject)
    })
    call.on('error', reject) // a second one must not end the process
    write(call)
  })
}
