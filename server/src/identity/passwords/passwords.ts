/**
 * Passwords: the rules for new ones, and the queue for hashing.
 *
 * Hashing is the most expensive operation that an anonymous caller can request, so it has a short queue: at most two
 * hashes at a time and always fewer than there are cores, sixteen waiting, the next request is refused. Verifying without
 * a stored hash takes as long as with one, so that the response time does not reveal which users exist.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { because } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { createArgon2, type Hasher } from './argon2.ts'
import { isGuessable } from './strength.ts'

const length = { min: 12, max: 128 }

/** Does the expensive work on passwords. */
export interface PasswordWorker extends Hasher {
  /** `personal` are the user's names and e-mail address. */
  isGuessable(password: string, personal: readonly string[]): Promise<boolean>
  close(): void
}

/** The texts about a user that their password must not be made of. */
interface PasswordOwner {
  readonly name: string
  readonly displayName?: string | null | undefined
  readonly email?: string | null | undefined
}

/** Whether the password belongs to the hash; false without a hash, after the same work. */
type Matches = (password: string, hash: string | undefined | null) => Promise<boolean>

export interface Passwords {
  /** Refuses a password that is easy to guess, with the reason. There are no composition rules. */
  check(password: string, owner: PasswordOwner): Promise<void>
  hash(password: string): Promise<string>
  /** Runs the work when it is its turn; within it, one password can be compared with a hash. */
  inTurn<T>(work: (matches: Matches) => Promise<T>): Promise<T>
  /** Whether the hash should be renewed, because it was created with other parameters. */
  isOutdated(hash: string): boolean
  /** Whether the queue is full; checked before any other work for an attempt. */
  isBusy(): boolean
}

const defaultLimits = { running: Math.min(2, Math.max(1, availableParallelism() - 1)), waiting: 16 }

/** Works in this process: for a command that handles one password and ends. */
export const inProcessWorker: PasswordWorker = { ...createArgon2(), isGuessable, close: () => {} }

export function createPasswords(worker: PasswordWorker = inProcessWorker, limits = defaultLimits): Passwords {
  const queue = createQueue(limits)
  let placeholder: Promise<string> | undefined // the hash of a random password, created on first use
  const matches: Matches = async (password, hash) => {
    placeholder ??= worker.hash(randomBytes(32).toString('base64'))
    placeholder.catch(() => (placeholder = undefined))
    const found = await worker.verify(hash ?? (await placeholder), password.normalize('NFC'))
    return found && typeof hash === 'string'
  }
  return {
    isBusy: queue.isFull,
    isOutdated: worker.isOutdated,
    async check(password, owner) {
      const text = password.normalize('NFC')
      const faults = faultsOf(text, owner.name)
      const personal = [owner.name, owner.displayName, owner.email].filter((known) => typeof known === 'string')
      if (faults.length === 0 && (await worker.isGuessable(text, personal))) {
        faults.push('it is easy to guess; a few unrelated words make a good password')
      }
      if (faults.length > 0) throw new Problem('invalid', because('weakPassword', { faults: faults.join('; ') }))
    },
    hash: (password) => queue.run(() => worker.hash(password.normalize('NFC'))),
    inTurn: (work) => queue.run(() => work(matches)),
  }
}

function faultsOf(text: string, userName: string): string[] {
  const characters = [...text].length
  const folded = text.toLowerCase()
  return [
    characters < length.min && `it has ${characters} characters, at least ${length.min} are needed`,
    characters > length.max && `it has ${characters} characters, at most ${length.max} are possible`,
    new Set(folded).size < 5 && 'it repeats too few different characters',
    userName.length > 2 && folded.includes(userName.toLowerCase()) && 'it contains the user name',
    folded.includes('kontor') && 'it contains the name of the product',
    isRun(folded) && 'it is a run of neighbouring characters',
  ].filter((fault) => fault !== false)
}

/** "abcdefghijkl", "123456789012", "zyxwvutsrqpo": all steps between neighbours are equal; 9 is followed by 0. */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0)!)
  const steps = new Set(codes.slice(1).map((code, i) => code - codes[i]!))
  return steps.size === 1 || [...steps].every((step) => step === 1 || step === -9)
}

/** A generated password that is easy to type: 24 characters that cannot be confused with each other. */
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
      if (isFull()) throw new Problem('tooMany', 'too many people are signing in right now: try again soon')
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
