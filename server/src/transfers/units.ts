/**
 * Amounts with a unit or a currency, such as `500 g` or `€ 12,50`, as numbers in the unit of the attribute. Units of the same
 * kind are converted; currencies are not.
 */
import { Problem } from '../errors.ts'

/** How the cells of a column write its values. */
export interface Notation {
  /** The value of a cell; throws a Problem if the cell is not in this notation. */
  read(cell: string): string
  write(value: string): string
}

/** By kind: the units and their size. Names after a bar mean the same. */
// prettier-ignore
const kinds: readonly Readonly<Record<string, number>>[] = [
  { 'mg': 1e-6, 'g|gr|gramm|gram|grams': 1e-3, 'kg|kilo|kilogramm|kilogram|kilograms': 1, 't|tonne|tonnen': 1000, 'oz': 0.028349523125, 'lb|lbs': 0.45359237 },
  { 'µm|um': 1e-6, 'mm': 1e-3, 'cm': 1e-2, 'dm': 0.1, 'm|meter|metre': 1, 'km': 1000, 'in|inch|zoll|"|″': 0.0254, 'ft|\'|′': 0.3048, 'yd': 0.9144 },
  { 'mm²|mm2|qmm': 1e-6, 'cm²|cm2|qcm': 1e-4, 'm²|m2|qm': 1, 'ha': 10_000 },
  { 'ml|cm³|cm3|ccm': 1e-3, 'cl': 1e-2, 'dl': 0.1, 'l|liter|litre|ltr|dm³|dm3': 1, 'hl': 100, 'm³|m3|cbm': 1000 },
  { 'ms': 1e-3, 's|sec|sek': 1, 'min': 60, 'h|std': 3600, 'd': 86_400 },
  { 'mw': 1e-3, 'w|watt': 1, 'kw': 1000, 'ps': 735.49875 },
  { 'wh': 1, 'kwh': 1000 },
  { 'j': 1, 'kj': 1000, 'kcal': 4184 },
  { 'mv': 1e-3, 'v|volt': 1, 'kv': 1000 },
  { 'ma': 1e-3, 'a|ampere': 1 },
  { 'pa': 1, 'hpa|mbar': 100, 'kpa': 1000, 'bar': 100_000 },
  { 'hz': 1, 'khz': 1e3, 'mhz': 1e6, 'ghz': 1e9 },
  { '%|percent|prozent': 1 }, { '°c': 1 }, { 'pcs|pc|stk|stück|st|pce|pièces': 1 },
  { 'eur|€|euro': 1 }, { 'usd|$|us$': 1 }, { 'gbp|£': 1 }, { 'chf|fr|sfr': 1 }, { 'jpy|¥': 1 }, { 'pln|zł': 1 }, { 'czk|kč': 1 },
  { 'sek': 1 }, { 'dkk': 1 }, { 'nok': 1 }, { 'huf|ft.': 1 }, { 'cad|c$': 1 }, { 'aud|a$': 1 },
]

interface Unit {
  readonly kind: number
  readonly size: number
}
const units: ReadonlyMap<string, Unit> = new Map(
  kinds.flatMap((sizes, kind) =>
    Object.entries(sizes).flatMap(([names, size]) => names.split('|').map((name) => [name, { kind, size }] as const)),
  ),
)
const keyOf = (unit: string) => unit.trim().toLowerCase().replace(/\.$/, '')
export const isUnit = (text: string) => units.has(keyOf(text))

/** By which amounts of one unit are multiplied for another; undefined if they do not belong together. */
export function factorOf(from: string, to: string): number | undefined {
  const [one, other] = [units.get(keyOf(from)), units.get(keyOf(to))]
  if (keyOf(from) === keyOf(to)) return 1
  return one && other && one.kind === other.kind ? one.size / other.size : undefined
}

const amount = /^([^\d+\-.,]*)([+-]?(?:\d[\d.,'’\s\u00a0\u2009\u202f]*)?\d(?:[eE][+-]?\d+)?)([^\d]*)$/

/** The number and the unit of a cell. */
export function amountOf(cell: string): { number: string; unit: string } | undefined {
  const text = cell.trim()
  const [, before = '', number, after = ''] = (text.length <= 100 && amount.exec(text)) || []
  if (number === undefined || (before.trim() !== '' && after.trim() !== '')) return undefined
  return { number: number.trim(), unit: (before + after).trim() }
}

/** `cellUnit`: of cells without a unit. */
export function inUnit(unit: string, cellUnit: string, numbers: Notation | undefined): Notation {
  const scaled = (value: string, factor: number) => {
    if (factor === 1) return value
    const number = Number(value) * factor
    return Number.isFinite(number) ? plain(number) : value
  }
  return {
    read(cell) {
      if (cell.trim() === '') return ''
      const found = amountOf(cell)
      if (!found) return numbers?.read(cell) ?? cell
      const factor = factorOf(found.unit === '' ? cellUnit : found.unit, unit)
      if (factor === undefined)
        throw new Problem('invalid', `"${cell.trim().slice(0, 50)}" is not in ${unit}; expected a number, or an amount in ${unit} or a unit that can be converted`) // prettier-ignore
      return scaled(numbers?.read(found.number) ?? found.number, factor)
    },
    write(value) {
      const factor = factorOf(unit, cellUnit) ?? 1
      const cell = scaled(value, factor)
      return numbers?.write(cell) ?? cell
    },
  }
}

/** Without the last digits, which conversions make wrong, and without an exponent. */
const plain = (number: number) =>
  Number(number.toPrecision(12)).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
