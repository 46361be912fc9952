/**
 * Renders pictures in a separate process, because the image library takes some 130 MB and does not release them.
 */
import { fork } from 'node:child_process'
import { type Drawing, drawingOf } from './pictures.ts'

export interface Painter {
  toJpeg(drawing: Drawing): Promise<Buffer>
  stop(): void
}
export type Painted = { readonly number: number } & ({ readonly jpeg: Uint8Array } | { readonly problem: string })

export function startPainter(): Painter {
  const child = fork(new URL('./painter-process.ts', import.meta.url), [], {
    execArgv: [],
    serialization: 'advanced',
  })
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>()
  let last = 0
  child.on('message', (painted: Painted) => {
    const { resolve, reject } = waiting.get(painted.number)!
    waiting.delete(painted.number)
    if ('jpeg' in painted) resolve(Buffer.from(painted.jpeg))
    else reject(new Error(`demo: a picture cannot be drawn: ${painted.problem}`))
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`demo: drawing ended (${signal ?? code})`))
  })
  return {
    toJpeg(drawing) {
      const pending = Promise.withResolvers<Buffer>()
      waiting.set(++last, pending)
      child.send({ number: last, svg: drawingOf(drawing) }, (error) => error && pending.reject(error))
      return pending.promise
    },
    stop: () => child.disconnect(),
  }
}
