/**
 * Amounts with a unit or a currency, such as `500 g` or `€ 12,50`, as numbers in the unit of the attribute. Units of the same
 * kind are converted; currencies are not.
 */
import {
  because,
  amountsOfPrice,
  convert,
  currencySigns,
  type FormatUnit,
  type Infer,
  unitFamilies,
  unitFinder,
  type UnitSize,
} from '@kontor/contract'
import { Problem } from '../errors.ts'

/** How the cells of a column write its values. */
export interface Notation {
  /** The value of a cell; throws a Problem if the cell is not in this notation. */
  read(cell: string): string
  write(value: string): string
}

/** Each currency is a family of its own. */
const currencies = [...currencySigns].map(([code, synonyms]) => [{ code, factor: 1, synonyms }])
const families: readonly (readonly UnitSize[])[] = [...currencies, ...unitFamilies.values()]
const finders = families.map((units) => unitFinder(units))

export const isUnit = (text: string) => finders.some((find) => find(text) !== undefined)

/** The units in the definition of a measure, those that administrators have made among them. */
export const sizesOf = (units: readonly Infer<typeof FormatUnit>[]): UnitSize[] =>
  units.map(({ code, synonym, factor = '1', offset }) => ({
    code,
    factor: Number(factor),
    ...(offset !== undefined && { offset: Number(offset) }),
    ...(synonym && { synonyms: synonym }),
  }))

type Conversion = (amount: number) => number
/** Of a unit to itself. */
export const unchanged: Conversion = (amount) => amount

/** How amounts in one unit become amounts in another; undefined if they do not belong together. `own`: of the attribute. */
export function conversionOf(from: string, to: string, own?: readonly UnitSize[]): Conversion | undefined {
  if (from.trim().toLowerCase() === to.trim().toLowerCase()) return unchanged
  for (const find of own ? [unitFinder(own)] : finders) {
    const [one, other] = [find(from), find(to)]
    if (one && other) return one === other ? unchanged : (amount) => convert(amount, one, other)
  }
  return undefined
}

/** A unit behind the number may contain digits: m3. */
const amount =
  /^([^\d+\-.,]*)([+-]?(?:\d[\d.,'’\s\u00a0\u2009\u202f]*)?\d(?:[eE][+-]?\d+)?)([^\d]*|\s*[^\d\s.,'’+-]\S*)$/

/** The number and the unit of a cell. */
export function amountOf(cell: string): { number: string; unit: string } | undefined {
  const text = cell.trim()
  const [, before = '', number, after = ''] = (text.length <= 100 && amount.exec(text)) || []
  if (number === undefined || (before.trim() !== '' && after.trim() !== '')) return undefined
  return { number: number.trim(), unit: (before + after).trim() }
}

const converted = (value: string, conversion: Conversion) => {
  if (conversion === unchanged) return value
  const number = conversion(Number(value))
  return Number.isFinite(number) ? plain(number) : value
}

/** Numbers in a unit. `cellUnit`: of cells without a unit. */
export function inUnit(unit: string, cellUnit: string, numbers: Notation | undefined): Notation {
  return {
    read(cell) {
      if (cell.trim() === '') return ''
      const found = amountOf(cell)
      if (!found) return numbers?.read(cell) ?? cell
      const conversion = conversionOf(found.unit === '' ? cellUnit : found.unit, unit)
      if (conversion === undefined)
        throw new Problem('invalid', because('cellUnit', { cell: cell.trim().slice(0, 50), unit })) // prettier-ignore
      return converted(numbers?.read(found.number) ?? found.number, conversion)
    },
    write(value) {
      const cell = converted(value, conversionOf(unit, cellUnit) ?? unchanged)
      return numbers?.write(cell) ?? cell
    },
  }
}

/** Measures, which are stored with their unit. `cellUnit`: of cells without a unit; exports then write numbers in it. */
export function withUnits(
  cellUnit: string | undefined,
  numbers: Notation | undefined,
  own?: readonly UnitSize[],
): Notation {
  return {
    read(cell) {
      const found = amountOf(cell)
      if (!found) return cell
      const unit = found.unit === '' ? cellUnit : found.unit
      const number = numbers?.read(found.number) ?? found.number
      return unit === undefined ? number : `${number} ${unit}`
    },
    write(value) {
      const at = value.indexOf(' ')
      const [number, unit] = [value.slice(0, at), value.slice(at + 1)]
      const conversion = cellUnit === undefined ? undefined : conversionOf(unit, cellUnit, own)
      const amount = converted(number, conversion ?? unchanged)
      const written = numbers?.write(amount) ?? amount
      return conversion === undefined ? `${written} ${unit}` : written
    },
  }
}

/** Prices: amounts with their currencies. `currency`: of cells without one; exports then write the amount in it alone. */
export function withCurrencies(currency: string | undefined, numbers: Notation | undefined): Notation {
  const { read, write } = withUnits(currency, numbers)
  return {
    read: (cell) => amountsOfPrice(cell).map(read).join('; '),
    write(value) {
      const amounts = amountsOfPrice(value)
      if (currency === undefined) return amounts.map(write).join('; ')
      const amount = amounts.find((one) => conversionOf(one.slice(one.indexOf(' ') + 1), currency) === unchanged)
      return amount === undefined ? '' : write(amount)
    },
  }
}

/** Without an exponent. */
const plain = (number: number) => number.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
