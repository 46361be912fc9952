/**
 * The methods that each path has.
 *
 * Paths overlap: `/tasks/query` has POST, and `/tasks/:id` has GET. A fixed name is never an id, so `GET /tasks/query` is
 * 405 and not a task that does not exist. A route that ends with `*` takes the rest of the path as a name of its own,
 * which may be any; it keeps its method.
 */
import type { FastifyInstance } from 'fastify'

interface Template {
  readonly url: string
  readonly pattern: RegExp
  readonly methods: Set<string>
}

interface PathMethods {
  /** The methods of a path; empty if there is nothing at it. */
  at(path: string): string[]
  /** Whether the path belongs to another route, which has other methods. */
  isShadowed(url: string | undefined, path: string): boolean
}

export function watchMethods(app: FastifyInstance): PathMethods {
  const templates = new Map<string, Template>()
  const shadows = new Map<string, readonly Template[]>()
  app.addHook('onRoute', ({ method, url }) => {
    const template = templates.get(url) ?? { url, pattern: patternOf(url), methods: new Set() }
    templates.set(url, template)
    for (const one of [method].flat()) template.methods.add(one)
    shadows.clear()
  })
  const shadowsOf = (url: string) => {
    const known = shadows.get(url) ?? [...templates.values()].filter((other) => isMoreSpecific(other.url, url))
    shadows.set(url, known)
    return known
  }
  return {
    at(path) {
      const found = [...templates.values()].filter(({ pattern }) => pattern.test(path))
      const own = found.filter(({ url }) => isOpen(url) || !found.some((other) => isMoreSpecific(other.url, url)))
      return [...new Set(own.flatMap(({ methods }) => [...methods]))]
    },
    isShadowed: (url, path) =>
      url !== undefined &&
      url.includes(':') &&
      !isOpen(url) &&
      shadowsOf(url).some(({ pattern }) => pattern.test(path)),
  }
}

const isOpen = (url: string) => url.endsWith('*')

function patternOf(url: string): RegExp {
  const literal = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`)
}

/** Whether two templates of the same length first differ where this one has a name and the other a parameter. */
function isMoreSpecific(url: string, other: string): boolean {
  if (url === other || isOpen(url)) return false
  const [mine, others] = [url.split('/'), other.split('/')]
  if (mine.length !== others.length) return false
  const at = mine.findIndex((part, i) => part.startsWith(':') !== others[i]!.startsWith(':'))
  return at >= 0 && others[at]!.startsWith(':')
}
