/**
 * Estimates how easily a password is guessed, with zxcvbn: dictionaries of common passwords, words and names, keyboard
 * patterns, dates, repetitions, and letters replaced by signs. The only file that knows the library.
 *
 * The dictionaries take half a second of CPU and nearly 60 MB of memory, so they are loaded on first use. The server does
 * this in the process that hashes passwords (hash-worker.ts), which ends when it is idle.
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Passwords that take fewer guesses than ten to this power are refused. Zxcvbn's best score, 4, begins at 10. */
const minGuessesLog10 = 10.5

/** Passphrases that everybody knows from examples; the dictionaries contain only their words. */
const examples = ['correct horse battery staple', 'correcthorsebatterystaple']

/** The time of a check grows with the square of the length, so only the beginning of a long password is judged. */
const maxJudgedLength = 64

/** How many spellings with replaced letters are tried. The default of 100 takes seconds for hostile passwords. */
const maxSubstitutions = 2

let factory: Promise<ZxcvbnFactory> | undefined

/** `personal` are texts that an attacker knows of the user: names and e-mail address. */
export async function isGuessable(password: string, personal: readonly string[] = []): Promise<boolean> {
  factory ??= load()
  const judged = [...password.toLowerCase()].slice(0, maxJudgedLength).join('')
  const known = personal.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((text) => text.length > 2)
  return (await factory).check(judged, [...examples, ...known]).guessesLog10 < minGuessesLog10
}

async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: maxSubstitutions,
  })
}
