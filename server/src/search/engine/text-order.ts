/**
 * Sorts texts by their code units, two letters at a time, as numbers that the machine sorts: several times as quick as
 * comparing texts one by one. A number has the place of its text in the lower half, so that no text is moved.
 *
 *   0 nab   1 mab   2 na     ->   ma|1  na|0  na|2     and then those with na     ..|2  b.|0     ->   1  2  0
 *
 * Texts have no NUL in them; that is how the end of one counts.
 */

/** So few are compared as they are. */
const fewTexts = 12
const lettersAtOnce = 2

/** The places of texts in their order; equal ones stay as they are. */
export function placesInOrder(texts: readonly string[]): Uint32Array {
  const numbers = new BigUint64Array(texts.length)
  const halves = new Uint32Array(numbers.buffer)
  for (let i = 0; i < texts.length; i++) halves[2 * i] = i
  const pending = [{ from: 0, to: texts.length, letter: 0 }]
  for (let range = pending.pop(); range; range = pending.pop()) {
    const { from, to, letter } = range
    if (to - from <= fewTexts) {
      sortFew(texts, halves, from, to)
      continue
    }
    for (let i = from; i < to; i++) halves[2 * i + 1] = lettersOf(texts[halves[2 * i]!]!, letter)
    numbers.subarray(from, to).sort()
    for (let i = from, end = from; i < to; i = end) {
      while (end < to && halves[2 * end + 1] === halves[2 * i + 1]) end++
      if (end - i > 1 && (halves[2 * i + 1]! & 0xffff) !== 0)
        pending.push({ from: i, to: end, letter: letter + lettersAtOnce })
    }
  }
  return Uint32Array.from(texts, (_, i) => halves[2 * i]!)
}

/** Behind the end of a text there is NaN, which becomes 0. */
function lettersOf(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1)
}

function sortFew(texts: readonly string[], halves: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const place = halves[2 * i]!
    let at = i
    for (; at > from && texts[halves[2 * at - 2]!]! > texts[place]!; at--) halves[2 * at] = halves[2 * at - 2]!
    halves[2 * at] = place
  }
}
