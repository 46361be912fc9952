/**
 * Sets a real Keycloak up as docs/how-to/keycloak.md says: the tables of the page are read and filled in through the admin
 * interface, so a test follows the page and not a copy of it. A field that is not in `fields` fails.
 */
import { readFileSync } from 'node:fs'

const pageFile = new URL('../docs/how-to/keycloak.md', import.meta.url)

/** The rows of a table of the page, by the heading of its first column. */
type Row = readonly [field: string, value: string]

export class HowToPage {
  readonly #text: string
  /** Replaces the addresses of the page by those of the test. */
  constructor(addresses: Readonly<Record<string, string>>) {
    const text = readFileSync(pageFile, 'utf8')
    this.#text = Object.entries(addresses).reduce((all, [from, to]) => all.replaceAll(from, to), text)
  }
  table(heading: string): Row[] {
    const lines = this.#text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    const start = lines.findIndex(([, first, second]) => first === heading && second === 'value')
    if (start < 0) throw new Error(`the page has no table ${heading}`)
    const rows = lines.slice(start + 2)
    return rows
      .slice(
        0,
        rows.findIndex(({ length }) => length < 3),
      )
      .map(([, field = '', value = '']) => [field, value])
  }
  value(heading: string, field: string): string {
    const row = this.table(heading).find(([name]) => name === field)
    if (!row) throw new Error(`the table ${heading} has no field ${field}`)
    return row[1]
  }
  /** The environment variables that the page exports. */
  settings(): Record<string, string> {
    return Object.fromEntries(
      [...this.#text.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
    )
  }
}

const isOn = (value: string) => ({ On: true, Off: false })[value]
const attribute = (name: string) => (value: string) => ({ attributes: { [name]: String(isOn(value) ?? value) } })
const config = (name: string) => (value: string) => ({ config: { [name]: String(isOn(value) ?? value) } })

/** The labels of Keycloak's pages, and what they mean in its admin interface. */
const fields: Readonly<Record<string, (value: string) => Record<string, unknown>>> = {
  'Realm name': (realm) => ({ realm }),
  'SSL required': (value) => ({ sslRequired: value.toLowerCase() }),
  Name: (name) => ({ name }),
  'Role name': (name) => ({ name }),
  Type: () => ({}), // `None` is the default of the admin interface
  'Included Custom Audience': config('included.custom.audience'),
  'Token Claim Name': config('claim.name'),
  'Full group path': config('full.path'),
  'Add to ID token': config('id.token.claim'),
  'Add to access token': config('access.token.claim'),
  'Client ID': (clientId) => ({ clientId }),
  'Client authentication': (value) => ({ publicClient: !isOn(value) }),
  'Standard flow': (value) => ({ standardFlowEnabled: isOn(value) }),
  'Direct access grants': (value) => ({ directAccessGrantsEnabled: isOn(value) }),
  'Service accounts roles': (value) => ({ serviceAccountsEnabled: isOn(value) }),
  'PKCE Method': attribute('pkce.code.challenge.method'),
  'Valid redirect URIs': (value) => ({ redirectUris: [value] }),
  'Valid post logout redirect URIs': attribute('post.logout.redirect.uris'),
  'Web origins': (value) => ({ webOrigins: [value] }),
  'Front channel logout': (value) => ({ frontchannelLogout: isOn(value) }),
  'Backchannel logout URL': attribute('backchannel.logout.url'),
  'Backchannel logout session required': attribute('backchannel.logout.session.required'),
  'Assigned client scope': () => ({}), // assigned afterwards
  'Assigned role': () => ({}),
}

function toBody(rows: readonly Row[]): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [field, value] of rows) {
    const toPart = fields[field]
    if (!toPart) throw new Error(`the page has the field ${field}, which the test does not know`)
    for (const [key, part] of Object.entries(toPart(value))) {
      body[key] = typeof part === 'object' && !Array.isArray(part) ? { ...(body[key] as object), ...part } : part
    }
  }
  return body
}

interface TokenReply {
  readonly access_token: string
  readonly refresh_token?: string
  readonly id_token?: string
}
interface Named {
  readonly id: string
  readonly name: string
}
export interface NewPerson {
  readonly username: string
  readonly password: string
  readonly roles?: readonly string[]
  readonly groups?: readonly string[]
}

export class Keycloak {
  readonly origin: string
  readonly #credentials: Record<string, string>
  readonly #realm: string
  /** The address may contain the name and the password of the administrator; admin and admin by default. */
  constructor(address: string, realm: string) {
    const { origin, username, password } = new URL(address)
    this.origin = origin
    this.#realm = realm
    this.#credentials = { username: username || 'admin', password: decodeURIComponent(password) || 'admin' }
  }

  get issuer(): string {
    return `${this.origin}/realms/${this.#realm}`
  }

  async token(fields: Record<string, string>, realm = this.#realm): Promise<TokenReply> {
    const url = `${this.origin}/realms/${realm}/protocol/openid-connect/token`
    const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
    if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as TokenReply
  }

  /** A call of the admin interface, below the realm of the test. */
  async admin<T = undefined>(method: string, path: string, body?: unknown): Promise<T> {
    const login = { client_id: 'admin-cli', grant_type: 'password', ...this.#credentials }
    const { access_token: token } = await this.token(login, 'master')
    const reply = await fetch(`${this.origin}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  readonly #in = <T = undefined>(method: string, path: string, body?: unknown) =>
    this.admin<T>(method, `/${this.#realm}${path}`, body)

  /** Everything on the page but the settings of Kontor. `realm` is added to its first table. */
  async followPage(page: HowToPage, realm: Record<string, unknown> = {}): Promise<void> {
    await this.admin('POST', '', { enabled: true, ...toBody(page.table('realm')), ...realm })
    const mappers = [
      { protocolMapper: 'oidc-audience-mapper', ...toBody(page.table('mapper Audience')) },
      { protocolMapper: 'oidc-group-membership-mapper', ...toBody(page.table('mapper Group Membership')) },
    ].map((mapper) => ({ ...mapper, protocol: 'openid-connect' }))
    const scope = { protocol: 'openid-connect', ...toBody(page.table('client scope')), protocolMappers: mappers }
    await this.#in('POST', '/client-scopes', scope)
    for (const row of page.table('realm role')) await this.#in('POST', '/roles', toBody([row]))
    for (const row of page.table('group')) await this.#in('POST', '/groups', toBody([row]))
    for (const heading of ['client', 'service account']) {
      await this.createClient(toBody(page.table(heading)), page.value(heading, 'Assigned client scope'))
    }
    const account = await this.#in<Named>('GET', `${await this.clientPath('kontor-sync')}/service-account-user`)
    await this.assignRoles(account.id, [page.value('service account', 'Assigned role')])
  }

  async createClient(client: Record<string, unknown>, scope?: string): Promise<void> {
    await this.#in('POST', '/clients', client)
    if (scope === undefined) return
    const { id } = (await this.#in<Named[]>('GET', '/client-scopes')).find(({ name }) => name === scope)!
    await this.#in('PUT', `${await this.clientPath(String(client.clientId))}/default-client-scopes/${id}`)
  }

  async clientPath(clientId: string): Promise<string> {
    const [found] = await this.#in<Named[]>('GET', `/clients?clientId=${clientId}`)
    return `/clients/${found!.id}`
  }

  async changeClient(clientId: string, change: (client: Record<string, unknown>) => object): Promise<void> {
    const path = await this.clientPath(clientId)
    await this.#in('PUT', path, change(await this.#in<Record<string, unknown>>('GET', path)))
  }

  async secretOf(clientId: string): Promise<string> {
    return (await this.#in<{ value: string }>('GET', `${await this.clientPath(clientId)}/client-secret`)).value
  }

  async assignRoles(userId: string, roles: readonly string[]): Promise<void> {
    const found = await Promise.all(roles.map((role) => this.#in('GET', `/roles/${role}`)))
    await this.#in('POST', `/users/${userId}/role-mappings/realm`, found)
  }

  /** Creates a user; returns the id. */
  async createUser({ username, password, roles = [], groups = [] }: NewPerson): Promise<string> {
    const names = { firstName: username, lastName: 'Example', email: `${username}@example.com`, emailVerified: true }
    const credentials = [{ type: 'password', value: password, temporary: false }]
    await this.#in('POST', '/users', { username, enabled: true, ...names, credentials, groups })
    const [user] = await this.#in<Named[]>('GET', `/users?username=${username}&exact=true`)
    if (roles.length > 0) await this.assignRoles(user!.id, roles)
    return user!.id
  }

  /** Ends all sessions of a user, as an administrator does. */
  async endSessions(userId: string): Promise<void> {
    await this.#in('POST', `/users/${userId}/logout`)
  }

  /** Signs with a new key from now on. */
  async rotateKeys(): Promise<void> {
    const { id: parentId } = await this.admin<Named>('GET', `/${this.#realm}`)
    await this.#in('POST', '/components', {
      name: 'newer key',
      parentId,
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['200'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
    })
  }

  async remove(): Promise<void> {
    await this.admin('DELETE', `/${this.#realm}`)
  }
}
