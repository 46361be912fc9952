/** Replaced values as lines of text that people edit and paste, such as `rot = red`. */

export type Values = Readonly<Record<string, string>>

const sign = ' = '
const quoted = /^\s*("(?:[^"\\]|\\.)*")\s*=\s*(.*)$/

export const linesOf = (values: Values): string =>
  Object.entries(values)
    .map((pair) => (pair.every(isPlain) ? pair : pair.map((text) => JSON.stringify(text))).join(sign))
    .join('\n')

export const valuesIn = (lines: string): Values =>
  Object.fromEntries(
    lines.split('\n').flatMap((line) => {
      const [, first, rest = ''] = quoted.exec(line) ?? []
      const cell = first === undefined ? undefined : unquoted(first)
      if (cell !== undefined) return [[cell, toValue(rest)]]
      // The equals sign between spaces has priority: `rot = a=b`.
      const spaced = `${line} `.lastIndexOf(sign)
      const at = spaced >= 0 ? spaced + 1 : line.lastIndexOf('=')
      return at < 0 ? [] : [[line.slice(0, at).trim(), toValue(line.slice(at + 1))]]
    }),
  )

/** Others are put in quotes, with the escapes of JSON, because the line would be read in another way. */
const isPlain = (text: string) =>
  text !== '' && text === text.trim() && !text.includes(sign) && !/^["=]|=$|[\n\r\u2028\u2029]/.test(text)

const toValue = (text: string) => unquoted(text.trim()) ?? text.trim()

function unquoted(text: string): string | undefined {
  try {
    const found: unknown = text.startsWith('"') ? JSON.parse(text) : undefined
    return typeof found === 'string' ? found : undefined
  } catch {
    return undefined
  }
}
