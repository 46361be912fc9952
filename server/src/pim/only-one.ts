/** Requests that name what they want in one of several ways, and only in one. */
import { Problem } from '../errors.ts'

export function onlyOne<Request extends object>(
  where: string,
  request: Request,
  keys: readonly (keyof Request)[],
): void {
  const given = keys.filter((key) => request[key] !== undefined)
  if (given.length === 1) return
  const said = given.length === 0 ? 'names nothing' : `names ${given.join(' and ')}`
  throw new Problem('invalid', `${where}: ${said}; send exactly one of ${keys.join(', ')}`)
}
