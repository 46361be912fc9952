/** argon2id and its cost. The only file that knows the library. */
import { hash, verify } from '@node-rs/argon2'

export interface HashCost {
  readonly memoryKiB: number
  readonly passes: number
}

/** Hashes a password, or compares one with a hash. */
export interface Hasher {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
  /** Whether the hash was created with other parameters than those of `hash`. */
  isOutdated(hash: string): boolean
}

/** OWASP's minimum for argon2id, which is also this library's default algorithm: 19 MiB, two passes, one thread. */
export const standardCost: HashCost = { memoryKiB: 19_456, passes: 2 }

/** Hashes in this process; the server uses a process of its own instead (hash-process.ts). */
export function createArgon2({ memoryKiB, passes }: HashCost = standardCost): Hasher {
  const parameters = { memoryCost: memoryKiB, timeCost: passes, parallelism: 1, outputLen: 32 }
  return {
    hash: (password) => hash(password, parameters),
    verify: (known, password) => verify(known, password),
    isOutdated: (known) => !known.startsWith(`$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$`),
  }
}
