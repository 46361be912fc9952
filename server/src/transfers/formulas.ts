/**
 * CSV cells that a spreadsheet would run as formulas.
 *
 * A cell that begins with = + - @ or a control character is written with an apostrophe before it, which spreadsheets show
 * as text. An import removes the apostrophe, so that an export can be imported. A text that begins with apostrophes
 * before such a character gets one more, and loses one. Numbers are no formulas: -5 stays -5, and -5,5 stays -5,5.
 */
import type { TransferOptions } from './options.ts'

const dangerous = /^'*[=+\-@\t\r\n]/
const escaped = /^'+[=+\-@\t\r\n]/
const number = /^[+-]?\d+([.,]\d+)?$/

export const escapeFormula = (cell: string) => (dangerous.test(cell) && !number.test(cell) ? `'${cell}` : cell)
export const unescapeFormula = (cell: string) => (cell.startsWith("'") && escaped.test(cell) ? cell.slice(1) : cell)

/** The call decides, then the profile. */
export const keepsFormulas = ({ request, profile }: TransferOptions): boolean =>
  (request?.formulas ?? profile?.formulas) === 'keep'
