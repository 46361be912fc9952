/** Mapping profiles: what is refused when they are stored. */
import { Problem } from '../errors.ts'
import { dateFormatFault, wordKey } from './notation.ts'
import type { Profile } from './options.ts'
import { headingsIn } from './parts.ts'
import { columnOf } from './plan.ts'
import { conversionOf } from './units.ts'

type Column = NonNullable<Profile['columns']>[number]
type Rule = (profile: Profile) => string | undefined

const maxHeaderRow = 1000
/** A name that spreadsheet programs accept. */
const sheetName = /^[^[\]:*?/\\]{1,31}$/

/** The limits of BMEcat. */
const catalogRules = [
  ['id', /^.{1,20}$/, 'expected at most 20 characters'],
  ['version', /^\d{1,3}\.\d{1,3}$/, 'expected a version such as 1.0'],
  ['name', /^.{1,100}$/, 'expected at most 100 characters'],
  ['supplier', /^.{1,50}$/, 'expected at most 50 characters'],
  ['supplierId', /^.{1,250}$/, 'expected at most 250 characters'],
  ['buyer', /^.{1,50}$/, 'expected at most 50 characters'],
  ['currency', /^[A-Z]{3}$/, 'expected a currency such as EUR'],
  ['orderUnit', /^[A-Z0-9]{2,3}$/, 'expected a unit such as C62'],
  ['language', /^[a-z]{2,3}_[A-Z]{2,3}$/, 'expected a locale such as de_DE'],
  ['etim', /^[\w.]{1,20}$/, 'expected a version such as 9.0'],
  ['eclass', /^[\w.]{1,20}$/, 'expected a version such as 13.0'],
] as const

/** The reasons to refuse a profile, each with the place and the remedy. */
const rules: readonly Rule[] = [
  ({ separator }) =>
    separator?.startsWith('\\') ? 'separator: a backslash escapes separators; choose another one' : undefined,
  ({ separator }) => (separator === '' ? 'separator: expected a sign such as |' : undefined),
  ({ delimiter = ';' }) =>
    /^[^"\r\n]+$/.test(delimiter)
      ? undefined
      : 'delimiter: expected a sign such as ; other than a quote and a line break',
  ({ columns = [] }) => {
    const twice = columns.find(({ column }, i) => columns.findIndex((one) => one.column === column) < i)
    return twice && `column ${twice.column.slice(0, 50)}: is mapped twice; remove one of them`
  },
  ({ headerRow = 1 }) =>
    headerRow < 1 || headerRow > maxHeaderRow ? `headerRow: expected a row from 1 to ${maxHeaderRow}` : undefined,
  ({ sheet = 'S' }) =>
    sheetName.test(sheet)
      ? undefined
      : 'sheet: expected the name of a sheet, at most 31 characters without [ ] : * ? / \\',
  ({ columns = [] }) => {
    const wrong = columns.find(({ field, attr }) => (field === undefined) === (attr === undefined))
    return wrong && `column ${wrong.column}: give either field or attr`
  },
  ({ columns = [] }) => columns.map(columnFault).find((fault) => fault !== undefined),
  ({ decimal = '.', thousands }) =>
    decimal === thousands
      ? `thousands: ${thousands} is also the decimal sign; give another one for decimal`
      : undefined,
  ({ dateFormat }) => {
    const fault = dateFormat === undefined ? undefined : dateFormatFault(dateFormat)
    return fault && `dateFormat: ${fault}`
  },
  ({ trueWords = [], falseWords = [] }) => {
    const isTrue = new Set(trueWords.map(wordKey))
    const both = falseWords.find((word) => isTrue.has(wordKey(word)))
    if (both !== undefined)
      return `falseWords: ${both.slice(0, 50)} is also one of trueWords; remove it from one of them`
    return [...trueWords, ...falseWords].some((word) => wordKey(word) === '')
      ? 'trueWords, falseWords: an empty word is not possible; leave out the empty one'
      : undefined
  },
  ({ catalog = {} }) => {
    const wrong = catalogRules.find(([name, pattern]) => catalog[name] !== undefined && !pattern.test(catalog[name]))
    return wrong && `catalog/${wrong[0]}: ${wrong[2]}`
  },
  ({ constants = {} }) => {
    const wrong = Object.keys(constants).find((heading) => {
      const column = columnOf(heading)
      return !column || column.field === 'ignore' || column.field === 'deleted'
    })
    return wrong === undefined ? undefined : `constants: ${wrong.slice(0, 50)} is not understood; expected headings such as node, TITLE or TITLE@de_DE` // prettier-ignore
  },
]

const maxTemplate = 1000

function columnFault({ column, template, split, part, join, unit, cellUnit }: Column): string | undefined {
  const at = `column ${column.slice(0, 50)}`
  if (template !== undefined && (template.length > maxTemplate || headingsIn(template).length === 0))
    return `${at}: template: expected a text with headings in braces, such as {Brand} {Model}, of at most ${maxTemplate} characters`
  if (split === '' || split?.startsWith('\\')) return `${at}: split: expected a sign other than a backslash`
  if (split === undefined && (part !== undefined || join !== undefined)) return `${at}: part and join need split`
  if (part !== undefined && join !== undefined) return `${at}: give either part or join`
  if (part !== undefined && (part < 0 || part > 1000)) return `${at}: part: expected a position from 0 to 1000`
  if (cellUnit !== undefined && unit === undefined) return `${at}: cellUnit needs unit`
  if (unit !== undefined && cellUnit !== undefined && conversionOf(cellUnit, unit) === undefined)
    return `${at}: cellUnit: ${cellUnit.slice(0, 20)} cannot be converted to ${unit.slice(0, 20)}`
  return undefined
}

export function demandProfile(profile: Profile): void {
  const faults = rules.flatMap((rule) => rule(profile) ?? [])
  if (faults.length > 0) throw new Problem('invalid', faults)
}
