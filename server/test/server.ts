/**
 * A whole Kontor for a test file: the application on a database of its own, a user and an administrator signed in.
 *
 *   const api = withServer()
 *   await api.post('/api/core/v1/common/keywords/persist', { schemaVersion: '5.6.0', kwds: … })
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { connect, type Database } from '../src/adapters/postgres/db.ts'
import { openReplica } from '../src/adapters/postgres/replica.ts'
import { type App, createApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { type Jobs, startJobs } from '../src/process/jobs.ts'
import { placeOfSearch, removeIndexes } from './opensearch.ts'
import { createDatabase, withDatabase } from './database.ts'
import { checkEffect } from './declared-effect.ts'
import { cheapCost } from './passwords.ts'
import { placeOfFiles } from './s3.ts'
import { tokenFor } from './token.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** The body as parsed JSON, untyped: a test knows what it requested. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined
  /** The token of the user by default; null sends none. */
  token?: string | null | undefined
  headers?: Record<string, string>
  type?: string
  accept?: string
}

export interface TestServer {
  app: App
  db: Database
  config: Config
  /** Every statement sent so far for a call or a test. */
  statements: string[]
  /** The lines of the log so far; empty unless KONTOR_LOG_LEVEL is set. */
  log: LogLine[]
  token: string
  adminToken: string
  /** Posts a value as JSON, or text as it is. */
  post(path: string, body?: unknown, options?: CallOptions): Promise<Reply>
  get(path: string, options?: CallOptions): Promise<Reply>
  /** A token of another user. */
  tokenFor(who: { roles?: string[]; name?: string }): Promise<string>
  startWorker(): Promise<Jobs>
  /** Listens on a free port and returns its URL, for tests that need a real connection. */
  listen(): Promise<string>
}
type LogLine = Record<string, unknown>

/** Not counted: look-ups of the caller once a second, and notifications for many commits at once. */
const uncounted = /from user_session|from role_grant|pg_notify/

/** Set for background work of the server, such as feeding search, which is not counted either. */
const inBackground = new AsyncLocalStorage<true>()

/** Generous, because sixty calls at once on five connections may wait for long on a slow machine. */
const poolOptions = { max: 5, connectionTimeoutMillis: 60_000 }

export function withServer(env: Record<string, string> = {}): TestServer {
  const test = {} as TestServer
  const cleanUp: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const { poolConfig, drop } = await createDatabase()
    cleanUp.push(drop)
    const statements: string[] = []
    const db = connect({ ...poolConfig, ...poolOptions }, (text, effect) => {
      checkEffect(text, effect)
      if (!inBackground.getStore() && !uncounted.test(text)) statements.push(text)
    })
    cleanUp.push(db.close)
    const data = await mkdtemp(join(tmpdir(), 'kontor-data-'))
    cleanUp.push(() => rm(data, { recursive: true, force: true }))
    const place = placeOfSearch()
    if (place.KONTOR_SEARCH !== undefined) cleanUp.push(() => removeIndexes(place.KONTOR_SEARCH!))
    const settings = readConfig({
      KONTOR_LOG_LEVEL: 'silent',
      KONTOR_SEARCH_THREADS: '0',
      KONTOR_MAX_WAIT: '60000', // tests send many requests at once on busy machines
      KONTOR_BASE_URL: 'http://localhost:8080',
      KONTOR_DATA: data,
      KONTOR_MASTER_KEY: 'of a test, which need not be secret',
      ...(await placeOfFiles()),
      ...place,
      ...env,
    })
    const config = { ...settings, passwordCost: cheapCost }
    const log: LogLine[] = []
    const write = (line: string) => void log.push(JSON.parse(line))
    const app = await inBackground.run(true, () => {
      const replica = config.databaseUrlRead === undefined ? undefined : replicaOf(db, config.databaseUrlRead)
      if (replica) cleanUp.push(replica.close)
      return createApp(db, config, { log: { write }, replica })
    })
    cleanUp.push(() => app.http.close())
    const startWorker = async () => {
      const worker = await startJobs(app, poolConfig)
      cleanUp.push(() => worker.stop())
      return worker
    }
    Object.assign(test, {
      app,
      db,
      config,
      statements,
      log,
      // an external provider issues the tokens
      token: config.oidcIssuer ? '' : await tokenFor(app.identity, { name: 'kim' }),
      adminToken: config.oidcIssuer ? '' : await tokenFor(app.identity, { name: 'ada', roles: ['user', 'admin'] }),
      post: (path: string, body?: unknown, options?: CallOptions) => call(test, path, body, options),
      get: (path: string, options?: CallOptions) => call(test, path, undefined, { method: 'GET', ...options }),
      tokenFor: (who: object) => tokenFor(app.identity, who),
      startWorker,
      listen: () => app.http.listen({ host: '127.0.0.1', port: 0 }),
    } satisfies TestServer)
  })
  afterAll(async () => {
    for (const clean of cleanUp.toReversed()) await clean()
  })
  return test
}

/** The database of the test on a replica of the server that all tests use. */
function replicaOf(primary: Database, server: string) {
  const { pathname } = new URL(primary.pool.options.connectionString!)
  return openReplica({ connectionString: withDatabase(server, pathname.slice(1)) }, { primary, report: () => {} })
}

async function call(test: TestServer, path: string, body: unknown, options: CallOptions = {}): Promise<Reply> {
  const { method = 'POST', token = test.token, headers = {}, type = 'application/json', accept } = options
  const reply = await test.app.http.inject({
    method,
    url: path,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...(accept !== undefined && { accept }),
      ...headers,
    },
    ...(body !== undefined && {
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  })
  const isJson = String(reply.headers['content-type']).startsWith('application/json') && reply.body !== ''
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text: reply.body,
    json: isJson ? JSON.parse(reply.body) : undefined,
  }
}
