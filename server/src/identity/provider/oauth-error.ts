/**
 * An error in the format of RFC 6749. It has the properties that the provider's error handling reads, so that the
 * provider's endpoints and our own can throw the same class.
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

/** The Retry-After of throttled sign-ins, in seconds. */
export const retryAfter = '5'

const codes: Partial<Record<ProblemKind, string>> = {
  unauthorized: 'invalid_token',
  tooMany: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
}

/** Converts a Problem to an error of RFC 6749; returns other errors unchanged. */
export function toOAuthError(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const code = codes[error.kind] ?? 'invalid_request'
  return new OAuthError(problems[error.kind].status, code, error.message, { cause: error })
}
