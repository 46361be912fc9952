/** The connection to an OpenSearch cluster: requests in, replies out, and one kind of error when it is away. */
import { Client, errors } from '@opensearch-project/opensearch'
import { SearchUnavailable } from '@kontor/search-engine'

interface Request {
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
  /** Lines of a bulk request. */
  readonly lines?: readonly object[]
  /** A reply with status 404 is undefined instead of an error. */
  readonly optional?: boolean
  /** Milliseconds. */
  readonly timeout?: number
}

export interface Cluster {
  /** Throws `SearchUnavailable` if the cluster cannot be reached or has no capacity. */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD', path: string, request?: Request): Promise<T>
  close(): Promise<void>
}

/** Milliseconds. A search of the embedded engine is ended after the same time. */
const requestTimeout = 30_000
const busy = new Set([401, 403, 429, 502, 503, 504])

/** `address` is https://user:password@host:9200/prefix. Each installation on a cluster has its own prefix. */
export function connectCluster(address: string): { readonly cluster: Cluster; readonly prefix: string } {
  const { origin, username, password, pathname } = new URL(address)
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  const client = new Client({ node: origin, maxRetries: 0, requestTimeout, ...(username !== '' && { auth }) })
  const prefix = pathname.split('/').filter(Boolean).join('-').toLowerCase() || 'kontor'
  const cluster: Cluster = {
    async call<T>(method: string, path: string, { query = {}, body, lines, optional, timeout }: Request = {}) {
      try {
        const params = {
          method,
          path,
          querystring: query,
          ...(body !== undefined && { body: body as Record<string, unknown> }),
          ...(lines && { bulkBody: lines as Record<string, unknown>[] }),
        }
        const reply = await client.transport.request(params, { requestTimeout: timeout ?? requestTimeout })
        return reply.body as T
      } catch (error) {
        if (optional && error instanceof errors.ResponseError && error.statusCode === 404) return undefined as T
        throw toFault(error)
      }
    },
    close: () => client.close(),
  }
  return { cluster, prefix }
}

/** The error of a part of a request, such as a document of a bulk request. */
export const partFault = (status: number, message: string): Error =>
  busy.has(status) || status >= 500 ? new SearchUnavailable(message) : new Error(message)

/** Other errors lose their status, so that they are not taken for errors of the caller. */
function toFault(error: unknown): unknown {
  if (!(error instanceof errors.OpenSearchClientError)) return error
  const isAway = !(error instanceof errors.ResponseError) || busy.has(error.statusCode ?? 0)
  return isAway
    ? new SearchUnavailable(`OpenSearch cannot be reached: ${error.message}`, { cause: error })
    : new Error(`OpenSearch refused a request: ${error.message}`, { cause: error })
}
