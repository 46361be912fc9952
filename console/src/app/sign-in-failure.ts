/** The reasons for which signing in can fail, with their texts. */
import { defineTexts, english, translator } from '../ui/language.tsx'

export const signInTexts = defineTexts('signIn', {
  title: 'You could not be signed in',
  retry: 'Try again',
  noAnswer: '{host}, which signs users in, does not answer. Try again in a moment, or tell your administrator.',
  status: '{host}, which signs users in, answered {status}. Try again in a moment, or tell your administrator.',
  refused: 'The sign-in service refused: {why}. Tell your administrator.',
  insecure: 'Signing in needs a secure connection: use https, or localhost.',
  other: 'Signing in failed: {why}',
})

type Reason = 'noAnswer' | 'status' | 'refused' | 'insecure'

/** The message is in English, for calls that fail later because no token can be had. */
export class SignInFailure extends Error {
  readonly reason: Reason
  readonly fillings: Readonly<Record<string, string>>
  constructor(reason: Reason, fillings: Readonly<Record<string, string>> = {}) {
    super(translator(signInTexts, english)(reason, fillings))
    this.reason = reason
    this.fillings = fillings
  }
}
