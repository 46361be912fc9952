/**
 * Tokens of another OpenID provider, whose keys change: a token of a key that the process knows always works, a forged one
 * never.
 */
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { call } from '../client.ts'
import { tokenOf } from '../places.ts'
import { late } from '../world.ts'
import type { OpenArea } from './area.ts'

export const tokenArea: OpenArea = (world) => {
  const { provider } = world.places.get('identity')!
  const faults: string[] = []
  /** The keys of tokens that each process has accepted. */
  const known = new Map(world.urls.map((at) => [at, new Set<string>()]))
  const forger = generateKeyPair('ES256')
  const me = (token: string, at: string) => call(world, '/api/v1/identity/me', { token, at })
  /** Claims the key of the provider, and is signed with another one. */
  const forge = async (token: string) =>
    new SignJWT(decodeJwt(token)).setProtectedHeader(headerOf(token)).sign((await forger).privateKey)
  return {
    async step(client) {
      const at = client.random.pick(world.urls)
      if (client.random.chance(0.03)) await provider!.rotate()
      const token = await tokenOf(provider!, 'admin')
      const { kid } = headerOf(token)
      const isKnown = known.get(at)!.has(kid)
      const { kind, status, bytes } = await me(token, at)
      if (kind === 'ok') known.get(at)!.add(kid)
      else if (isKnown && (status === 401 || status === 503))
        faults.push(`a token of a known key was answered with ${status}: ${bytes.toString()}`)
      if ((await me(await forge(token), at)).kind === 'ok') faults.push('a forged token was accepted')
    },
    async *check() {
      yield* faults
      for (const at of world.urls) {
        const works = async () => (await me(await tokenOf(provider!, 'admin'), at)).kind === 'ok'
        yield* late(works, world, `a token of the newest key works at ${at}`)
      }
    },
  }
}

const headerOf = (token: string) => decodeProtectedHeader(token) as { alg: string; kid: string }
