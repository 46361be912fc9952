/** A command on the server's machine: gets settings and arguments, prints lines. A result of false means failure. */
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../config.ts'

export type Out = (line: string) => void
type Values = Readonly<Record<string, unknown>>
export type Work = (config: Config, args: readonly string[], out: Out, values: Values) => Promise<unknown>

export interface Row {
  readonly name: string
  /** The arguments in the usage line: `<name> [role …]`. */
  readonly usage: string
  readonly doc: string
  /** The maximal number of positional arguments; 0 by default. */
  readonly maxArguments?: number
  readonly options?: NonNullable<ParseArgsConfig['options']>
  readonly work: Work
}
export type Commands = readonly Row[]
