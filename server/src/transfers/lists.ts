/**
 * Several values in one cell, separated by | or the separator of the profile.
 *
 * A separator within a value is written with a backslash before it: `S|M\|L` are the values `S` and `M|L`. Backslashes
 * have a meaning only directly before a separator, where each one of the value is doubled; elsewhere they are themselves.
 * Of a separator of several characters, the first one is escaped.
 *
 * Spaces around values do not count. A value that begins or ends with a space has a backslash there, between the space and
 * the separator: `\ M` and `M \` are the values ` M` and `M `.
 */
const backslash = '\\'

/** The number of backslashes directly before a position, not before `from`. */
function backslashesBefore(text: string, at: number, from = 0): number {
  let count = 0
  while (at - count > from && text[at - count - 1] === backslash) count++
  return count
}

export function joinList(values: readonly string[], separator: string): string {
  const sign = separator[0]!
  const escaped = values.map(withEdges).map((value) => {
    let text = ''
    let from = 0
    for (let at = value.indexOf(sign); at >= 0; at = value.indexOf(sign, from)) {
      text += value.slice(from, at) + backslash.repeat(backslashesBefore(value, at, from) + 1) + sign
      from = at + 1
    }
    return text + value.slice(from)
  })
  return escaped
    .map((text, i) => (i === escaped.length - 1 ? text : text + backslash.repeat(backslashesBefore(text, text.length))))
    .join(separator)
}

/** A backslash protects white space at the beginning and end of a value. */
const withEdges = (value: string) => value.replace(/^(?=\\*\s)/, backslash).replace(/\s\\*$/, (end) => end + backslash)
const withoutEdges = (text: string) =>
  text
    .trim()
    .replace(/^\\(?=\\*\s)/, '')
    .replace(/(\s\\*)\\$/, '$1')

/** Without the spaces around values, and with empty ones. */
export function splitList(cell: string, separator: string): string[] {
  const sign = separator[0]!
  const parts: string[] = []
  let part = ''
  let from = 0
  for (let at = cell.indexOf(sign); at >= 0; at = cell.indexOf(sign, from)) {
    const run = backslashesBefore(cell, at, from)
    const isEscaped = run % 2 === 1
    const isSeparator = !isEscaped && cell.startsWith(separator, at)
    part += cell.slice(from, at - run) + backslash.repeat(isEscaped || isSeparator ? Math.floor(run / 2) : run)
    if (isSeparator) parts.push(part)
    part = isSeparator ? '' : part + sign
    from = at + (isSeparator ? separator.length : 1)
  }
  return [...parts, part + cell.slice(from)].map(withoutEdges)
}
