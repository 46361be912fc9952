/**
 * Servers that Kontor uses, each behind a proxy, for scenarios that cut these connections: S3, OpenSearch, a mail server and
 * an OpenID provider. The last is a fake, and so is S3 unless KONTOR_TEST_S3 names a real one.
 */
import { randomUUID } from 'node:crypto'
import { type FakeProvider, startFakeProvider } from '../../server/test/fake-openid-provider.ts'
import { type MailServer, openMailServer } from '../../server/test/mail.ts'
import { removeIndexes } from '../../server/test/opensearch.ts'
import { s3Servers } from '../../server/test/s3.ts'
import { type Line, openLine } from './line.ts'

export type PlaceName = 'files' | 'search' | 'mail' | 'identity'
export interface Place {
  readonly line: Line
  readonly env: Record<string, string>
  /** The keys of all stored files. */
  keys?(): Promise<string[]>
  /** The mails that arrived, as they are. */
  readonly mails?: MailServer['mails']
  /** Replaces the provider of Kontor. */
  readonly provider?: FakeProvider
  close(): Promise<void>
}

const portOf = (url: string) => Number(new URL(url).port)
/** A real one, if there is one; else the fake. */
const [, openS3] = s3Servers.at(-1)!
const node = process.env.KONTOR_TEST_OPENSEARCH?.replace(/\/+$/, '')

const openers: Readonly<Record<PlaceName, (() => Promise<Place>) | undefined>> = {
  async files() {
    const place = await openS3()
    const url = new URL(place.url)
    const endpoint = url.searchParams.get('endpoint')!
    const line = await openLine(portOf(endpoint))
    url.searchParams.set('endpoint', line.through(endpoint))
    url.searchParams.set('public', 'none')
    const close = async () => {
      await line.close()
      await place.close()
    }
    return { line, env: { KONTOR_BLOBS: url.href }, keys: place.keys, close }
  },
  search:
    node === undefined
      ? undefined
      : async () => {
          const prefix = `faults-${randomUUID()}`
          const line = await openLine(portOf(node))
          const close = async () => {
            await line.close()
            await removeIndexes(`${node}/${prefix}`)
          }
          return { line, env: { KONTOR_SEARCH: `${line.through(node).replace(/\/$/, '')}/${prefix}` }, close }
        },
  async mail() {
    const server = await openMailServer()
    const line = await openLine(server.port)
    const close = async () => {
      await line.close()
      await server.close()
    }
    return {
      line,
      env: { KONTOR_SMTP_URL: line.through(`smtp://127.0.0.1:${server.port}`) },
      mails: server.mails,
      close,
    }
  },
  async identity() {
    let line: Line | undefined
    const provider = await startFakeProvider(async (address) => {
      line = await openLine(portOf(address))
      return line.through(address)
    })
    const close = async () => {
      await line!.close()
      await provider.stop()
    }
    return { line: line!, env: { KONTOR_OIDC_ISSUER: provider.issuer }, provider, close }
  },
}

/** The setting that names the server of a place; the others run in the harness. */
export const settingOf: Readonly<Partial<Record<PlaceName, string>>> = {
  search: 'KONTOR_TEST_OPENSEARCH',
}
export const isInstalled = (name: PlaceName) => openers[name] !== undefined

export async function openPlaces(names: readonly PlaceName[]): Promise<ReadonlyMap<PlaceName, Place>> {
  const opened = new Map<PlaceName, Place>()
  for (const name of names) opened.set(name, await openers[name]!())
  return opened
}

/** A token of the fake provider for an administrator, signed with its newest key. */
export function tokenOf({ sign, issuer: iss }: FakeProvider, name: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const times = { iat: now, exp: now + 3600 }
  const user = { sub: `sub-${name}`, preferred_username: name, realm_access: { roles: ['admin'] } }
  return sign({ iss, aud: 'kontor-api', ...times, ...user }, { typ: 'at+jwt' })
}
