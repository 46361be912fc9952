/**
 * Whether the text matches a pattern in which `*` stands for any letters. Each piece between two stars is found at its
 * first place after the previous one, so nothing is ever tried twice.
 */
export function matches(pattern: string, text: string): boolean {
  const [head = '', ...pieces] = pattern.split('*')
  const tail = pieces.pop()
  if (tail === undefined) return pattern === text
  if (!text.startsWith(head)) return false
  let at = head.length
  for (const piece of pieces) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at + tail.length <= text.length && text.endsWith(tail)
}
