/** A table as CSV for spreadsheets. */

/** Cells that begin like a formula get an apostrophe, so that no spreadsheet runs them. */
const cellOf = (text: string) => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** With a byte order mark, by which Excel recognises UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  `\u{feff}${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`
