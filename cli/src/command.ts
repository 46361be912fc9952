/** The shape of a command: its name, its arguments and options, its work. Help and completion read the same rows. */
import type { ParseArgsConfig } from 'node:util'
import type { Client } from '@kontor/sdk'
import type { Output } from './output.ts'
import type { Session } from './session.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Call {
  readonly args: readonly string[]
  readonly values: Values
  readonly out: Output
  readonly session: Session
  readonly env: Readonly<Record<string, string | undefined>>
  /** A client of the server that the user is signed in to. It renews expired access tokens. */
  client(): Client
}

export interface Command {
  /** `products retrieve` */
  readonly name: string
  /** Arguments and options as help shows them: `<file> [--profile <name>]`. */
  readonly usage: string
  readonly doc: string
  readonly options?: Options
  /** How many arguments the command takes; none by default. More are refused, so that none is ignored silently. */
  readonly maxArguments?: number
  /** Returns the exit code; nothing means 0. */
  run(call: Call): Promise<number | void>
}

export const exitCodes = { ok: 0, refused: 1, usage: 2, signIn: 3, unreachable: 4 } as const

/** The command line is invalid. */
export class UsageError extends Error {}

export const textOf = ({ values }: Pick<Call, 'values'>, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}
export const listOf = ({ values }: Pick<Call, 'values'>, name: string): readonly string[] => {
  const value = values[name]
  return Array.isArray(value) ? (value as string[]) : []
}
export function numberOf(call: Pick<Call, 'values'>, name: string): number | undefined {
  const text = textOf(call, name)
  return text === undefined ? undefined : toNumber(text, `--${name}`)
}
export function toNumber(text: string, name: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${name}: expected a number, found ${text}`)
  return Number(text)
}
export function required(text: string | undefined, name: string): string {
  if (text === undefined || text === '') throw new UsageError(`missing ${name}`)
  return text
}
