/**
 * Pictures are made by a process of their own: the library for it takes some 130 MB and gives none of it back, and a server
 * without a demo needs none of it.
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
      const asked = Promise.withResolvers<Buffer>()
      waiting.set(++last, asked)
      child.send({ number: last, svg: drawingOf(drawing) }, (error) => error && asked.reject(error))
      return asked.promise
    },
    stop: () => child.disconnect(),
  }
}
