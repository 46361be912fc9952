/** Sign-in and sign-out: a token works, and after an acknowledged sign-out it never works again. */
import { requestToken, signIn } from '../../../server/test/token.ts'
import { call, createUser } from '../client.ts'
import { issuerAt, password } from '../world.ts'
import type { OpenArea } from './area.ts'

/** Each is renewed at the end. */
const mostLasting = 20
/** Has no other sessions: surplus ones of a user end. */
const user = 'lasting'

export const sessionArea: OpenArea = (world) => {
  const faults: string[] = []
  const ended: string[] = []
  /** Acknowledged sign-ins that go on, and how often the clock had jumped: a session ends with time. */
  const lasting: { readonly refresh: string; readonly jumps: number }[] = []
  const me = (token: string, at: string) => call(world, '/api/v1/identity/me', { token, at })
  return {
    prepare: () => createUser(world, user),
    async step(client) {
      if (!client.random.chance(0.4)) return
      // Other processes hear of it a moment later; the check at the end asks them all.
      const at = client.random.pick(world.urls)
      const issuer = issuerAt(at)
      const isLasting = lasting.length < mostLasting && client.random.chance(0.2)
      const signedIn = await signIn(issuer, isLasting ? user : 'admin', password).catch(() => undefined)
      const { access_token: token, refresh_token: refresh } = signedIn?.body ?? {}
      if (signedIn?.status !== 200 || !token || !refresh) return
      if (isLasting) {
        lasting.push({ refresh, jumps: world.jumps })
        return
      }
      // The token of a renewal ends with the session, too.
      const tokens = [token, ...(client.random.chance(0.5) ? await renew(issuer, refresh) : [])]
      await me(token, at) // its session is in the cache now
      const left = await signOut(issuer, refresh)
      if (left !== 204) return
      ended.push(...tokens)
      const after = await me(token, at)
      if (after.kind === 'ok') faults.push('a token works after an acknowledged sign-out')
    },
    async *check() {
      yield* faults
      for (const token of ended)
        for (const at of world.urls)
          if ((await me(token, at)).kind === 'ok') yield 'a token works long after its sign-out'
      for (const { refresh: refresh_token } of lasting.filter(({ jumps }) => jumps === world.jumps)) {
        const { status } = await requestToken(issuerAt(world.urls[0]!), { grant_type: 'refresh_token', refresh_token })
        if (status !== 200) yield `an acknowledged sign-in is lost: renewing its token is answered with ${status}`
      }
      const { status } = await requestToken(issuerAt(world.urls[0]!), {
        grant_type: 'password',
        username: 'admin',
        password,
      })
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

async function renew(issuer: string, refresh_token: string): Promise<string[]> {
  const reply = await requestToken(issuer, { grant_type: 'refresh_token', refresh_token }).catch(() => undefined)
  return reply?.status === 200 ? [reply.body.access_token!] : []
}
