/** What a command is: its words, what it takes, what it does. Help and completion are made from the same rows. */
import type { ParseArgsConfig } from 'node:util'
import type { Client } from '@kontor/sdk'
import type { Session } from './session.ts'
import type { Output } from './output.ts'

export type Options = NonNullable<ParseArgsConfig['options']>
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

export interface Call {
  readonly args: readonly string[]
  readonly values: Values
  readonly out: Output
  readonly session: Session
  readonly env: Readonly<Record<string, string | undefined>>
  /** The server one is signed in to; signs in again when the token has ended. */
  client(): Client
}

export interface Command {
  /** `products retrieve` */
  readonly name: string
  /** What follows the name, for people: `<file> [--profile <name>]`. */
  readonly usage: string
  readonly doc: string
  readonly options?: Options
  /** How many words may follow the name; none, unless said. More would be dropped in silence. */
  readonly words?: number
  /** Returns the exit code; 0 when it returns nothing. */
  run(call: Call): Promise<number | void>
}

export const exitCodes = { fine: 0, refused: 1, usage: 2, signIn: 3, unreachable: 4 } as const

/** What was typed cannot be meant. */
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
export function toNumber(text: string, what: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${what}: expected a number, found ${text}`)
  return Number(text)
}
export function demand(text: string | undefined, what: string): string {
  if (text === undefined || text === '') throw new UsageError(`${what} is missing`)
  return text
}
