/** Requests that must select objects by exactly one of several fields. */
import { Problem } from '../errors.ts'

export function onlyOne<Request extends object>(
  where: string,
  request: Request,
  keys: readonly (keyof Request)[],
): void {
  const given = keys.filter((key) => request[key] !== undefined)
  if (given.length === 1) return
  const fault = given.length === 0 ? 'names nothing' : `names ${given.join(' and ')}`
  throw new Problem('invalid', `${where}: ${fault}; send exactly one of ${keys.join(', ')}`)
}
