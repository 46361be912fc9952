/** Sign-in and sign-out: a token works, and after an acknowledged sign-out it never works again. */
import { requestToken, signIn } from '../../../server/test/token.ts'
import { call } from '../client.ts'
import { password } from '../world.ts'
import type { OpenArea } from './area.ts'

export const sessionArea: OpenArea = (world) => {
  const faults: string[] = []
  const ended: string[] = []
  const issuer = `${world.url}/auth/realms/kontor`
  const me = (token: string) => call(world, '/api/v1/identity/me', { token })
  return {
    async step(client) {
      if (!client.random.chance(0.4)) return
      const signedIn = await signIn(issuer, 'admin', password).catch(() => undefined)
      const { access_token: token, refresh_token: refresh } = signedIn?.body ?? {}
      if (signedIn?.status !== 200 || !token || !refresh) return
      await me(token) // its session is in the cache now
      const left = await signOut(issuer, refresh)
      if (left !== 204) return
      ended.push(token)
      const after = await me(token)
      if (after.kind === 'ok') faults.push('a token works after an acknowledged sign-out')
    },
    async *check() {
      yield* faults
      for (const token of ended) if ((await me(token)).kind === 'ok') yield 'a token works long after its sign-out'
      const { status } = await requestToken(issuer, { grant_type: 'password', username: 'admin', password })
      if (status !== 200) yield `signing in is answered with ${status}`
    },
  }
}

const signOut = (issuer: string, token: string) =>
  fetch(`${issuer}/protocol/openid-connect/logout`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'kontor-ui', refresh_token: token }),
  }).then(
    (reply) => reply.status,
    () => 0,
  )
