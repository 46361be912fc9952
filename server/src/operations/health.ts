/**
 * /livez: the process answers. /readyz: it can do its work; if not, the reply names the missing dependency. Both are cheap: a
 * result is cached for a second.
 *
 * Without the database nothing works, and the answer is 503. Without the files or the search engine the rest still works, and
 * no other process would do better: the answer is 200, with the status `degraded` and the name of what is missing.
 */
import type { FastifyInstance } from 'fastify'

/** Resolves when the dependency is available; otherwise rejects with a readable reason. */
export type Check = () => Promise<void>
export interface Health {
  /** Also checks dependencies without which a part of the work is still done. */
  watch(partial: Readonly<Record<string, Check>>): void
  /** From now on /readyz reports that the server is stopping. */
  stopping(): void
}

const keepFor = 1000
const timeoutMs = 2000

export function mountHealth(app: FastifyInstance, checks: Readonly<Record<string, Check>>): Health {
  const partial: Record<string, Check> = {}
  let stopping = false
  let last = { at: -Infinity, finding: Promise.resolve<Record<string, string>>({}) }
  const find = () => {
    const all = { ...checks, ...partial }
    if (performance.now() - last.at > keepFor) last = { at: performance.now(), finding: runAll(all) }
    return last.finding
  }
  const options = { config: { access: 'public', probe: true }, logLevel: 'warn' } as const
  app.get('/livez', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async (_request, reply) => {
    const finding = await find()
    const has = (name: string) => finding[name] === 'ok'
    const ready = !stopping && Object.keys(checks).every(has)
    const working = Object.keys(partial).every(has) ? 'ok' : 'degraded'
    return reply
      .status(ready ? 200 : 503)
      .send({ status: stopping ? 'stopping' : ready ? working : 'not ready', checks: finding })
  })
  return {
    watch: (more) => void Object.assign(partial, more),
    stopping: () => void (stopping = true),
  }
}

async function runAll(checks: Readonly<Record<string, Check>>): Promise<Record<string, string>> {
  const states = Object.entries(checks).map(async ([name, check]) => {
    const late = new Promise<string>((resolve) => setTimeout(resolve, timeoutMs, 'no answer').unref())
    return [
      name,
      await Promise.race([
        check().then(
          () => 'ok',
          () => 'missing',
        ),
        late,
      ]),
    ]
  })
  return Object.fromEntries(await Promise.all(states)) as Record<string, string>
}
