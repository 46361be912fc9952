/** A cheap password worker for tests whose subject is not passwords: minimal argon2 parameters, no dictionaries. */
import { createArgon2, type HashCost } from '../src/identity/passwords/argon2.ts'
import type { PasswordWorker } from '../src/identity/passwords/passwords.ts'

export const cheapCost: HashCost = { memoryKiB: 8, passes: 1 }

export const cheapPasswordWorker: PasswordWorker = {
  ...createArgon2(cheapCost),
  isGuessable: async () => false,
  close: () => {},
}
