/** The number of letters to insert, remove, replace or exchange with their neighbour; more than `most` is not counted. */
export function distance(one: string, other: string, most: number): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1))
      next.push(isSwapped ? Math.min(cost, before[j - 2]! + 1) : cost)
    }
    if (Math.min(...next) > most) return most + 1
    before = row
    row = next
  }
  return row.at(-1)!
}
