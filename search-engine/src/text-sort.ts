/**
 * Sorts texts by their code units, a few characters at a time, as integers: several times faster than comparing strings. Each
 * integer has the index of its text in the lower half, so that no string is moved.
 *
 *   0 naseb  1 maseb  2 nase     ->   mase|1  nase|0  nase|2     then those with nase     ....|2  b...|0     ->   1  2  0
 *
 * An integer holds four characters if all are below 256, otherwise two. Texts must not contain NUL, which marks their end.
 */

/** So few texts are sorted by comparison. */
const maxCompared = 12

/** Returns the indexes of the texts in sorted order; equal texts keep their order. */
export function sortedIndexes(texts: readonly string[]): Uint32Array {
  if (isInOrder(texts)) return Uint32Array.from(texts.keys())
  const numbers = new BigUint64Array(texts.length)
  const halves = new Uint32Array(numbers.buffer)
  for (let i = 0; i < texts.length; i++) halves[2 * i] = i
  const pending = [{ from: 0, to: texts.length, letter: 0 }]
  for (let range = pending.pop(); range; range = pending.pop()) {
    const { from, to, letter } = range
    if (to - from <= maxCompared) {
      sortFew(texts, halves, from, to)
      continue
    }
    const taken = putFour(texts, halves, range) ? 4 : putTwo(texts, halves, range)
    const last = taken === 4 ? 0xff : 0xffff
    numbers.subarray(from, to).sort()
    for (let i = from, end = from; i < to; i = end) {
      while (end < to && halves[2 * end + 1] === halves[2 * i + 1]) end++
      if (end - i > 1 && (halves[2 * i + 1]! & last) !== 0) pending.push({ from: i, to: end, letter: letter + taken })
    }
  }
  return Uint32Array.from(texts, (_, i) => halves[2 * i]!)
}

function isInOrder(texts: readonly string[]): boolean {
  for (let i = 1; i < texts.length; i++) if (texts[i - 1]! > texts[i]!) return false
  return true
}

interface Range {
  readonly from: number
  readonly to: number
  readonly letter: number
}

/** After the end of a text charCodeAt returns NaN, which becomes 0. Returns false if a character does not fit. */
function putFour(texts: readonly string[], halves: Uint32Array, { from, to, letter }: Range): boolean {
  for (let i = from; i < to; i++) {
    const text = texts[halves[2 * i]!]!
    const first = text.charCodeAt(letter)
    const second = text.charCodeAt(letter + 1)
    const third = text.charCodeAt(letter + 2)
    const fourth = text.charCodeAt(letter + 3)
    if ((first | second | third | fourth) > 0xff) return false
    halves[2 * i + 1] = (first << 24) | (second << 16) | (third << 8) | fourth
  }
  return true
}
function putTwo(texts: readonly string[], halves: Uint32Array, { from, to, letter }: Range): 2 {
  for (let i = from; i < to; i++) {
    const text = texts[halves[2 * i]!]!
    halves[2 * i + 1] = (text.charCodeAt(letter) << 16) | text.charCodeAt(letter + 1)
  }
  return 2
}

function sortFew(texts: readonly string[], halves: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const index = halves[2 * i]!
    let at = i
    for (; at > from && texts[halves[2 * at - 2]!]! > texts[index]!; at--) halves[2 * at] = halves[2 * at - 2]!
    halves[2 * at] = index
  }
}
