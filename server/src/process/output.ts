/**
 * The output of the server process: for people in a terminal, else as JSON lines for programs (KONTOR_LOG_FORMAT).
 *
 * The start and the end of the server consist of steps. A terminal shows one line per step with a mark, the elapsed time
 * and, where it can be counted, the progress. As JSON, a step is a line when it has ended.
 */
import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import type { Log } from '../core/http/http.ts'
import { createTerminal } from './terminal.ts'

interface StepReport {
  /** Shows how far the step is; can be called often. */
  progress(text: string): void
  /** A part of a long step begins. */
  part(text: string): void
}

/** The address and the first passwords. */
export interface Greeting {
  readonly version: string
  /** Undefined without an HTTP port. */
  readonly url: string | undefined
  readonly roles: readonly string[]
  readonly admin: { readonly password: string; readonly file: string } | undefined
  readonly demo: { readonly users: string; readonly password: string } | undefined
}

export interface Output {
  /** Receives the lines of the log. */
  readonly log: Log
  step<T>(name: string, work: (report: StepReport) => Promise<T>): Promise<T>
  /** A single line about the process itself. */
  note(text: string): void
  greet(greeting: Greeting): void
}

type Stream = Pick<NodeJS.WriteStream, 'write'>

export function createOutput(
  { logFormat, logLevel }: Pick<Config, 'logFormat' | 'logLevel'>,
  stream: NodeJS.WriteStream = process.stdout,
): Output {
  const isForPeople = logFormat === 'text' || (logFormat === 'auto' && stream.isTTY)
  return isForPeople ? createTerminal(stream, logLevel) : createJsonLines(stream)
}

function createJsonLines(stream: Stream): Output {
  const origin = { pid: process.pid, hostname: hostname() }
  const write = (msg: string, fields: object = {}) =>
    void stream.write(`${JSON.stringify({ level: 30, time: Date.now(), ...origin, ...fields, msg })}\n`)
  return {
    log: stream,
    async step(name, work) {
      const begun = performance.now()
      const result = await work({ progress: () => {}, part: (text) => write(`${name}: ${text}`) })
      write(`${name}: done`, { ms: Math.round(performance.now() - begun) })
      return result
    },
    note: (text) => write(text),
    greet({ url, roles, admin, demo }) {
      if (admin) write(`first administrator: admin, password: ${admin.password}`, { file: admin.file })
      if (demo) write(`demo users: ${demo.users}; password: ${demo.password}`)
      write(`Kontor is ready: ${url ?? `${roles.join(', ')}, without an HTTP port`}`)
    },
  }
}
