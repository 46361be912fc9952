/**
 * The output of the server process: for people in a terminal, else as JSON lines for programs (KONTOR_LOG_FORMAT).
 *
 * The start and the end of the server consist of steps. A terminal shows one line per step with a mark, the elapsed time
 * and, where it can be counted, the progress. As JSON, a step is a line when it has ended.
 */
import type { Log } from '../core/http/http.ts'

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
