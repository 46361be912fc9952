/**
 * /livez: the process answers. /readyz: it can do its work; if not, the reply names the missing dependency. Both are cheap: a
 * result is cached for a second.
 */
import type { FastifyInstance } from 'fastify'

/** Resolves when the dependency is available; otherwise rejects with a readable reason. */
export type Check = () => Promise<void>
export interface Health {
  /** From now on /readyz reports that the server is stopping. */
  stopping(): void
}

const keepFor = 1000
const timeoutMs = 2000

export function mountHealth(app: FastifyInstance, checks: Readonly<Record<string, Check>>): Health {
  let stopping = false
  let last = { at: -Infinity, finding: Promise.resolve<Record<string, string>>({}) }
  const find = () => {
    if (performance.now() - last.at > keepFor) last = { at: performance.now(), finding: runAll(checks) }
    return last.finding
  }
  const options = { config: { access: 'public', probe: true }, logLevel: 'warn' } as const
  app.get('/livez', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async (_request, reply) => {
    const finding = await find()
    const ready = !stopping && Object.values(finding).every((state) => state === 'ok')
    return reply
      .status(ready ? 200 : 503)
      .send({ status: stopping ? 'stopping' : ready ? 'ok' : 'not ready', checks: finding })
  })
  return { stopping: () => void (stopping = true) }
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
