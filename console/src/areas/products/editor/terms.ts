/** Finds the terms of a glossary in a text: whole words, whatever their case. */
export interface Term {
  readonly text: string
  readonly forbidden: boolean
}

export function termsIn(text: string, terms: readonly Term[]): Term[] {
  if (text.trim() === '') return []
  const sought = text.toLocaleLowerCase()
  return terms.filter((term) => hasWord(sought, term.text.toLocaleLowerCase()))
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true
  }
  return false
}
const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
