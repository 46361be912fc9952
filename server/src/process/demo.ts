/** Connects the demo to this server, and reads its number of products. */
import { defaultScale, type Host, maxScale } from '@kontor/demo'
import type { App } from '../app.ts'
import { Problem } from '../errors.ts'

export const demoHost = ({ http, identity }: Pick<App, 'http' | 'identity'>): Host => ({
  http,
  users: identity.users,
  async tokenFor(name) {
    const user = await identity.users.find({ name })
    if (!user) throw new Error(`the demo needs the user ${name}, but there is no such user`)
    return (await identity.issueTokens(user)).access_token
  },
})

/** Reads the option --scale: the number of products. */
export function readScale(text = String(defaultScale)): number {
  const scale = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (scale >= 1 && scale <= maxScale) return scale
  throw new Problem('invalid', `--scale: expected a number of products from 1 to ${maxScale}, found ${text}`)
}
