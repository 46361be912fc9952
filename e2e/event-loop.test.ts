/**
 * No request may hold the event loop for longer than 100 ms, whatever its input within the limits.
 *
 * Every route gets the most expensive input that the limits allow, while another client asks for small things. The probe in
 * the server (loop-probe.ts) measures the longest stretch in CPU time, and a fixed piece of work in the same process tells
 * how much slower than a quiet machine this one is. A route that seems slow is measured again: its least figure counts.
 */
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { type Expensive, expensive, model } from './expensive.ts'
import { dataFolder, type Kontor, removeFolder, startKontor, tokenOf } from './kontor.ts'

const KONTOR_DATA = dataFolder()
afterAll(() => removeFolder(KONTOR_DATA))
const KONTOR_ADMIN_PASSWORD = 'a quiet heron by the weir'
const probe = fileURLToPath(new URL('./loop-probe.ts', import.meta.url))

const bound = 100
/** Garbage collection and a first call, which is compiled meanwhile, come on top. */
const tolerance = 3
const attempts = 3

interface Figure {
  readonly route: string
  /** Milliseconds of CPU of a quiet machine. */
  readonly held: number
  /** Milliseconds that another client waited for an answer at most. */
  readonly silence: number
  readonly status: number
  readonly bytes: number
}

test('no route holds the event loop', { timeout: 900_000 }, async () => {
  const kontor = await startKontor({
    KONTOR_DATA,
    KONTOR_ADMIN_PASSWORD,
    NODE_OPTIONS: `--import ${probe}`,
    KONTOR_LOG_LEVEL: 'error',
  })
  const measure = await createMeasure(kontor)
  for (const request of model) expect((await measure(request)).status, request.route).toBe(200)
  const figures = new Map<string, Figure>()
  for (const request of expensive) {
    let figure = await measure(request)
    for (let i = 1; i < attempts && figure.held > bound; i++) {
      const again = await measure(request, i)
      if (again.held < figure.held) figure = again
    }
    const worst = figures.get(request.route)
    if (!worst || worst.held < figure.held) figures.set(request.route, figure)
  }
  const sorted = [...figures.values()].toSorted((a, b) => b.held - a.held)
  const show = ({ held, silence, status, bytes, route }: Figure) =>
    `${held.toFixed(0).padStart(6)} ms held ${silence.toFixed(0).padStart(6)} ms silence  ${status}  ${route} (${bytes} bytes)`
  console.log(`${sorted.length} routes, ${expensive.length} requests\n${sorted.slice(0, 40).map(show).join('\n')}`)
  expect(kontor.output()).not.toContain('"level":50')
  expect(sorted.filter(({ held }) => held > bound * tolerance).map(show)).toEqual([])
})

async function createMeasure(kontor: Kontor) {
  const [, port] = await vi.waitUntil(() => /loop probe: (\d+)/.exec(kontor.output()), { timeout: 20_000 })
  const ask = async (path: string) => Number(await (await fetch(`http://127.0.0.1:${port}${path}`)).text())
  let token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
  let issued = Date.now()
  let measured = 0
  let slowness = 1
  return async ({ route, method, path, body, type, accept }: Expensive, attempt = 0): Promise<Figure> => {
    if (Date.now() - issued > 100_000) {
      token = await tokenOf(kontor, KONTOR_ADMIN_PASSWORD)
      issued = Date.now()
    }
    const other = watch(kontor, token)
    if (measured++ % 20 === 0) slowness = (await ask('/calibrate')) / 100
    await ask('/')
    const headers = {
      authorization: `Bearer ${token}`,
      ...(type && { 'content-type': type }),
      ...(accept && { accept }),
    }
    const content = body?.(attempt)
    const reply = await fetch(`${kontor.url}${path}`, {
      method,
      headers,
      ...(content !== undefined && { body: content }),
    })
    await reply.bytes()
    const held = (await ask('/')) / slowness
    return { route, held, silence: await other.stop(), status: reply.status, bytes: content?.length ?? 0 }
  }
}

/** Another client, which asks for small things one after another. */
function watch({ url }: Kontor, token: string) {
  const stopped = new AbortController()
  let longest = 0
  const ask = async (path: string, options: object) => {
    const began = performance.now()
    await (await fetch(url + path, options)).bytes()
    longest = Math.max(longest, performance.now() - began)
  }
  const asking = (async () => {
    while (!stopped.signal.aborted) {
      await ask('/livez', {})
      await ask('/api/v1/identity/me', { headers: { authorization: `Bearer ${token}` } })
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await asking
      return longest
    },
  }
}
