/**
 * Passwords: which are accepted, and in which order they are looked at.
 *
 * Hashing is the dearest thing an anonymous caller can ask for, so it stands in a short queue: two at a time and always
 * less than there are cores, sixteen waiting, the next one is told to come back. Comparing against no hash costs the same
 * as against one, so that time does not tell who exists.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Problem } from '../../errors.ts'
import { argon2Hasher, type Hasher } from './argon2.ts'
import { isGuessable } from './guessable.ts'

const length = { min: 12, max: 128 }

export interface Passwords {
  hash(password: string): Promise<string>
  /** Whether the password belongs to the hash; without a hash the answer is no, after the same work. */
  matches(password: string, hash: string | undefined | null): Promise<boolean>
  /** Whether the queue is full: to be asked before any other work is done for an attempt. */
  isBusy(): boolean
}

const limitsHere = { running: Math.min(2, Math.max(1, availableParallelism() - 1)), waiting: 16 }

/** Who hashes: this process unless told otherwise. */
export function createPasswords(hasher: Hasher = argon2Hasher, limits = limitsHere): Passwords {
  const queue = createQueue(limits)
  let nobody: Promise<string> | undefined // the hash of a password nobody knows, made when first needed
  return {
    isBusy: queue.isFull,
    hash: (password) => queue.run(() => hasher.hash(password.normalize('NFC'))),
    matches: (password, hash) =>
      queue.run(async () => {
        nobody ??= hasher.hash(randomBytes(32).toString('base64'))
        nobody.catch(() => (nobody = undefined))
        const found = await hasher.verify(hash ?? (await nobody), password.normalize('NFC'))
        return found && typeof hash === 'string'
      }),
  }
}

/** Refuses a password that is easy to guess, and says why. There are no rules of composition: length is what counts. */
export function checkPassword(password: string, userName: string): void {
  const text = password.normalize('NFC')
  const characters = [...text].length
  const folded = text.toLowerCase()
  const faults = [
    characters < length.min && `it has ${characters} characters, at least ${length.min} are needed`,
    characters > length.max && `it has ${characters} characters, at most ${length.max} are possible`,
    new Set(folded).size < 5 && 'it repeats too few different characters',
    userName.length > 2 && folded.includes(userName.toLowerCase()) && 'it contains the user name',
    folded.includes('kontor') && 'it contains the name of the product',
    isGuessable(folded) && 'it is one of the passwords that are tried first',
    isRun(folded) && 'it is a run of neighbouring characters',
  ].filter((fault) => fault !== false)
  if (faults.length > 0) throw new Problem('invalid', `the password cannot be used: ${faults.join('; ')}`)
}

/** "abcdefghijkl", "123456789012", "zyxwvutsrqpo": every step between neighbours is the same, nines wrapping to nought. */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0)!)
  const steps = new Set(codes.slice(1).map((code, i) => code - codes[i]!))
  return steps.size === 1 || [...steps].every((step) => step === 1 || step === -9)
}

/** A password for a person to type: 24 characters, none of which is mistaken for another. */
export function randomPassword(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
  return Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>
  isFull(): boolean
}

function createQueue({ running, waiting }: { running: number; waiting: number }): Queue {
  let free = running
  const line: (() => void)[] = []
  const isFull = () => free === 0 && line.length >= waiting
  return {
    isFull,
    async run(work) {
      if (isFull()) throw new Problem('tooMany', 'too many people sign in at this moment: try again soon')
      if (free > 0) free--
      else await new Promise<void>((turn) => line.push(turn))
      try {
        return await work()
      } finally {
        const next = line.shift()
        if (next) next()
        else free++
      }
    },
  }
}
