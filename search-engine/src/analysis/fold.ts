/**
 * Folding: maps spellings that people consider the same word to the same letters.
 *
 *   Größe  Groesse  GROSSE   -> grosse      ü, ue and u are equal (German and neutral; elsewhere ue is two letters)
 *   œuvre  oeuvre            -> oeuvre      ligatures
 *   été    ﬁn    m²    ñ     -> ete fin m2 n
 *
 * Folding is for matching only, never for sorting, where ñ is a letter of its own.
 */

import { lastLetter } from './tokenize.ts'

const letters: Record<string, string> = { ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }
const special = /[ßœæøłđðþı]/g
const marks = /[̀-ͯ]+/g
/** Not after a vowel or q, where the e does not spell an umlaut: neue, Mauer, Quelle. */
const umlauts = /(?<![aeiouq])([aou])e/g
const ascii = /^[\x20-\x7e]*$/

export function fold(text: string, language: string): string {
  return foldUmlauts(foldWritten(text), language)
}

/** Folds case, accents and ligatures only, so that every letter that was written remains: shoe, groesse, but also grosse. */
export function foldWritten(text: string): string {
  const lower = text.toLowerCase()
  return ascii.test(lower) ? lower : foldLetters(lower)
}

/** Folds the spellings ae, oe and ue of umlauts. The text must have been folded by `foldWritten`. */
export function foldUmlauts(written: string, language: string): string {
  return language === 'de' || language === '' ? written.replace(umlauts, '$1') : written
}

function foldLetters(lower: string): string {
  return lower
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(special, (letter) => letters[letter]!)
}

/** By character code, the first letter that the character is folded to. */
export const firstFolded: readonly string[] = Array.from(
  { length: lastLetter + 1 },
  (_, code) => fold(String.fromCharCode(code), '')[0] ?? '',
)
/** The same as small numbers, for use as table indexes. */
export const foldedTo: readonly string[] = [...new Set(firstFolded)]
export const firstFoldedTo = Uint16Array.from(firstFolded, (letter) => foldedTo.indexOf(letter))
