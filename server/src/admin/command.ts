/** What a command on the server's machine is: settings and words in, sentences out; one that answers false has failed. */
import type { Config } from '../config.ts'

export type Out = (line: string) => void
export type Work = (config: Config, args: readonly string[], out: Out) => Promise<unknown>
export type Commands = readonly (readonly [name: string, work: Work])[]
