/** What runs in the process that works on passwords: takes orders, answers them, and ends with the server. */
import { argon2Hasher } from './argon2.ts'

export interface Order {
  readonly number: number
  readonly password: string
  /** To compare with; without one the password is hashed. */
  readonly hash?: string
}
export interface Answer {
  readonly number: number
  readonly hash?: string
  readonly matches?: boolean
  /** Why there is neither. */
  readonly problem?: string
}

async function answer({ number, password, hash }: Order): Promise<Answer> {
  if (hash === undefined) return { number, hash: await argon2Hasher.hash(password) }
  return { number, matches: await argon2Hasher.verify(hash, password) }
}

process.on('message', (order: Order) => {
  void answer(order)
    .catch((error: Error): Answer => ({ number: order.number, problem: error.message }))
    .then((told) => process.send!(told))
})
process.on('disconnect', () => process.exit())
