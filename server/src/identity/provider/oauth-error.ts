/**
 * A refusal in the words of RFC 6749. The properties are those that the provider's error handling reads, so that one kind
 * of error serves its endpoints and our own.
 */
import { Problem, problems, type ProblemKind } from '../../errors.ts'

export class OAuthError extends Error {
  readonly statusCode: number
  readonly error_description: string
  readonly expose = true
  readonly allow_redirect = false
  constructor(statusCode: number, error: string, description: string, options?: ErrorOptions) {
    super(error, options)
    this.name = 'OAuthError'
    this.statusCode = statusCode
    this.error_description = description
  }
}

/** Seconds after which an attempt that met too many others may be made again. */
export const retryAfter = '5'

const codes: Partial<Record<ProblemKind, string>> = {
  unauthorized: 'invalid_token',
  tooMany: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
}

/** What our own rules throw, for a client that expects RFC 6749. */
export function toOAuthError(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const code = codes[error.kind] ?? 'invalid_request'
  return new OAuthError(problems[error.kind].status, code, error.message, { cause: error })
}
