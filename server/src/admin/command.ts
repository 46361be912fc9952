/** What a command on the server's machine is: settings and words in, sentences out; one that answers false has failed. */
import type { ParseArgsConfig } from 'node:util'
import type { Config } from '../config.ts'

export type Out = (line: string) => void
export type Values = Readonly<Record<string, unknown>>
export type Work = (config: Config, args: readonly string[], out: Out, values: Values) => Promise<unknown>

export interface Row {
  readonly name: string
  /** What follows the name, for people: `<name> [role …]`. */
  readonly usage: string
  readonly doc: string
  /** How many words may follow the name; none, unless said. */
  readonly words?: number
  readonly options?: NonNullable<ParseArgsConfig['options']>
  readonly work: Work
}
export type Commands = readonly Row[]
