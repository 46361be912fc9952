/** The program of the process that hashes and judges passwords: receives requests, replies, and ends with the server. */
import { createArgon2, type HashCost } from './argon2.ts'
import { isGuessable } from './strength.ts'

export type Work =
  | { readonly kind: 'hash'; readonly password: string }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string }
  | { readonly kind: 'judge'; readonly password: string; readonly personal: readonly string[] }
export type Request = Work & { readonly number: number }
export interface Reply {
  readonly number: number
  readonly result?: string | boolean
  /** The error message, if there is no result. */
  readonly problem?: string
}

const { hash, verify } = createArgon2(JSON.parse(process.argv[2]!) as HashCost)

function work(request: Work): Promise<string | boolean> {
  if (request.kind === 'hash') return hash(request.password)
  if (request.kind === 'verify') return verify(request.hash, request.password)
  return isGuessable(request.password, request.personal)
}

process.on('message', ({ number, ...request }: Request) => {
  void work(request)
    .then(
      (result): Reply => ({ number, result }),
      (error: Error): Reply => ({ number, problem: error.message }),
    )
    .then((reply) => process.send!(reply))
})
process.on('disconnect', () => process.exit())
