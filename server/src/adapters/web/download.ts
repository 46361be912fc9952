/**
 * Downloads a file from a URL that a user entered. The rules of post.ts apply to the URL and to each address to which it
 * redirects: public hosts, and the connection goes to the address that was checked.
 */
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { checkUrl, guardedLookup, type PostOptions } from './post.ts'

/** The host did not send the file. */
export class DownloadFailed extends Error {}

export interface Download {
  readonly type: string | undefined
  readonly bytes: AsyncIterable<Buffer>
}

const maxRedirects = 5

/** Unlike webhooks, which carry data of ours, files may be read by http. */
export function checkDownload(address: string, allowPrivate: boolean): URL {
  checkUrl(address.replace(/^http:/i, 'https:'), allowPrivate)
  return new URL(address)
}

/** `milliseconds`: until the whole file has arrived. The bytes have to be read, or the signal aborted. */
export async function download(address: string, options: PostOptions): Promise<Download> {
  const signal = AbortSignal.timeout(options.milliseconds)
  let url = checkDownload(address, options.allowPrivate)
  for (let redirects = 0; ; redirects++) {
    const reply = await get(url, options.allowPrivate, signal)
    const status = reply.statusCode ?? 0
    if (status === 200) return { type: reply.headers['content-type']?.split(';')[0]?.trim(), bytes: reply }
    reply.destroy()
    const next = reply.headers.location
    if (status < 300 || status >= 400 || next === undefined) throw new DownloadFailed(`the host answered ${status}`)
    if (redirects >= maxRedirects) throw new DownloadFailed(`more than ${maxRedirects} redirects`)
    url = checkDownload(URL.parse(next, url.href)?.href ?? next, options.allowPrivate)
  }
}

function get(url: URL, allowPrivate: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  const options: RequestOptions = {
    headers: { 'user-agent': 'Kontor-Imports', accept: '*/*' },
    signal,
    agent: false,
    ...(!allowPrivate && { lookup: guardedLookup() }),
  }
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    request(url, options, resolve).once('error', reject).end()
  })
}
