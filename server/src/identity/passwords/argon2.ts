/** argon2id, and how much work it is. The only file that knows the library. */
import { hash, verify } from '@node-rs/argon2'

/** Hashes a password, or compares one with a hash. */
export interface Hasher {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

/** OWASP's minimum for argon2id, which is also this library's default algorithm: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }
const currentHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`

/** Does the work in this process: for a command that hashes one password and ends. */
export const argon2Hasher: Hasher = {
  hash: (password) => hash(password, cost),
  verify: (known, password) => verify(known, password),
}

/** Whether the hash was made with other parameters than today's. */
export const isOutdated = (known: string) => !known.startsWith(currentHash)
