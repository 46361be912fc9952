/** Access tokens for tests: issued directly, which is fast, or requested from the token endpoint like any client. */
import { randomUUID } from 'node:crypto'
import type { Identity } from '../src/identity/module.ts'

/** A real access token of a new user. */
export async function tokenFor(
  identity: Pick<Identity, 'users' | 'issueTokens'>,
  { roles = ['user'], name = `user-${randomUUID()}` }: { roles?: readonly string[]; name?: string } = {},
): Promise<string> {
  const user = await identity.users.create({ name, roles })
  return (await identity.issueTokens(user)).access_token
}

export interface TokenReply {
  status: number
  headers: Headers
  body: Record<string, string> & { expires_in?: number; refresh_expires_in?: number }
}

/** Posts a form to the token endpoint of the issuer ({base}/auth/realms/{realm}). */
export async function requestToken(issuer: string, fields: Record<string, string>): Promise<TokenReply> {
  return postForm(`${issuer}/protocol/openid-connect/token`, { client_id: 'kontor-ui', ...fields })
}

/** The password grant. */
export const signIn = (issuer: string, username: string, password: string, scope = 'openid') =>
  requestToken(issuer, { grant_type: 'password', username, password, scope })

export async function postForm(
  url: string,
  fields: Record<string, string>,
  authorization?: string,
): Promise<TokenReply> {
  const headers = authorization === undefined ? {} : { authorization }
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text === '' ? {} : JSON.parse(text) }
}
