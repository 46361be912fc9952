/**
 * The units that Kontor knows from the start, by family, and the conversion of amounts. Administrators can add further
 * units and families; currencies are never converted.
 */

/** `factor` and `offset` convert to the base unit of the family: base = amount × factor + offset. */
export interface UnitSize {
  readonly code: string
  readonly factor: number
  readonly offset?: number
  /** Other spellings that are accepted. */
  readonly synonyms?: readonly string[]
}

type Size = number | readonly [factor: number, offset: number]

/** The code of each unit, with other spellings after a bar. The base unit has the size 1. */
// prettier-ignore
const families: Readonly<Record<string, Readonly<Record<string, Size>>>> = {
  mass:        { 'kg|kilo|kilogramm|kilogram|kilograms': 1, 'mg': 1e-6, 'g|gr|gramm|gram|grams': 1e-3, 't|tonne|tonnen': 1000, 'oz|ounce|ounces': 0.028349523125, 'lb|lbs|pound|pounds': 0.45359237 },
  length:      { 'm|meter|metre|meters|metres': 1, 'µm|μm|um': 1e-6, 'mm|millimeter': 1e-3, 'cm|centimeter|zentimeter': 1e-2, 'dm': 0.1, 'km': 1000, 'in|inch|zoll|"|″': 0.0254, 'ft|foot|feet|\'|′': 0.3048, 'yd': 0.9144, 'mi': 1609.344 },
  area:        { 'm²|m2|qm': 1, 'mm²|mm2|qmm': 1e-6, 'cm²|cm2|qcm': 1e-4, 'ha': 10_000, 'ft²|ft2|sqft': 0.09290304 },
  volume:      { 'l|liter|litre|ltr': 1, 'ml|milliliter': 1e-3, 'cl': 1e-2, 'dl': 0.1, 'hl': 100, 'cm³|cm3|ccm': 1e-3, 'dm³|dm3': 1, 'm³|m3|cbm': 1000, 'gal': 3.785411784 },
  time:        { 's|sec|sek': 1, 'ms': 1e-3, 'min': 60, 'h|std': 3600, 'd': 86_400, 'wk': 604_800, 'mo': 2_629_746, 'yr': 31_556_952 },
  temperature: { '°C|celsius': 1, 'K|kelvin': [1, -273.15], '°F|fahrenheit': [5 / 9, -160 / 9] },
  power:       { 'W|watt': 1, 'mW': 1e-3, 'kW': 1000, 'MW': 1e6, 'PS': 735.49875, 'hp': 745.6998715822702 },
  energy:      { 'J|joule': 1, 'kJ': 1000, 'MJ': 1e6, 'Wh': 3600, 'kWh': 3.6e6, 'cal': 4.184, 'kcal': 4184 },
  pressure:    { 'Pa|pascal': 1, 'hPa': 100, 'mbar': 100, 'kPa': 1000, 'MPa': 1e6, 'bar': 100_000, 'psi': 6894.757293168361 },
  voltage:     { 'V|volt': 1, 'mV': 1e-3, 'kV': 1000 },
  current:     { 'A|ampere': 1, 'mA': 1e-3 },
  charge:      { 'Ah': 1, 'mAh': 1e-3 },
  resistance:  { 'Ω|ohm': 1, 'kΩ': 1000, 'MΩ': 1e6 },
  frequency:   { 'Hz|hertz': 1, 'kHz': 1e3, 'MHz': 1e6, 'GHz': 1e9 },
  data:        { 'B|byte|bytes': 1, 'kB': 1e3, 'MB': 1e6, 'GB': 1e9, 'TB': 1e12, 'KiB': 1024, 'MiB': 1024 ** 2, 'GiB': 1024 ** 3, 'TiB': 1024 ** 4 },
  speed:       { 'm/s': 1, 'km/h|kmh': 1 / 3.6, 'mph': 0.44704, 'kn': 1852 / 3600 },
  force:       { 'N|newton': 1, 'kN': 1000 },
  torque:      { 'Nm': 1 },
  grammage:    { 'g/m²|g/m2|gsm': 1 },
  brightness:  { 'lm|lumen': 1 },
  loudness:    { 'dB': 1 },
  angle:       { '°|deg': 1 },
  ratio:       { '%|percent|prozent': 1, '‰': 0.1 },
  count:       { 'pcs|pc|stk|stück|st|pce|pièces': 1 },
}

/** Currencies with their signs. They are not converted: rates change. */
// prettier-ignore
const currencyNames = ['EUR|€|euro', 'USD|$|us$', 'GBP|£', 'CHF|fr|sfr', 'JPY|¥', 'PLN|zł', 'CZK|kč', 'SEK', 'DKK', 'NOK', 'HUF|ft.', 'CAD|c$', 'AUD|a$']
export const currencySigns: ReadonlyMap<string, readonly string[]> = new Map(
  currencyNames.map((names) => {
    const [code = '', ...signs] = names.split('|')
    return [code, signs]
  }),
)

function sizesOf(units: Readonly<Record<string, Size>>): UnitSize[] {
  return Object.entries(units).map(([names, size]) => {
    const [code = '', ...synonyms] = names.split('|')
    const [factor, offset] = typeof size === 'number' ? [size] : size
    return { code, factor, ...(offset !== undefined && { offset }), ...(synonyms.length > 0 && { synonyms }) }
  })
}

/** The units of each family, the base unit first. */
export const unitFamilies: ReadonlyMap<string, readonly UnitSize[]> = new Map(
  Object.entries(families).map(([family, units]) => [family, sizesOf(units)]),
)

const keyOf = (text: string) => text.trim().toLowerCase().replace(/\.$/, '')

/**
 * Finds a unit by its code, or by a synonym; case matters only where two units differ by nothing else (mW and MW).
 * Undefined if there is none, or more than one.
 */
export function unitFinder<U extends Pick<UnitSize, 'code' | 'synonyms'>>(
  units: readonly U[],
): (text: string) => U | undefined {
  const byCode = new Map(units.map((unit) => [unit.code, unit]))
  const byKey = Map.groupBy(
    units.flatMap((unit) =>
      [...new Set([unit.code, ...(unit.synonyms ?? [])].map(keyOf))].map((key) => ({ key, unit })),
    ),
    ({ key }) => key,
  )
  return (text) => {
    const exact = byCode.get(text.trim())
    if (exact) return exact
    const found = byKey.get(keyOf(text)) ?? []
    return found.length === 1 ? found[0]!.unit : undefined
  }
}

/** An amount in the base unit of the family. Without the last digits, which conversions make wrong. */
export const toBase = (amount: number, { factor, offset = 0 }: UnitSize): number =>
  rounded(amount * factor + offset, offset !== 0)

/** An amount in another unit of the same family. */
export function convert(amount: number, from: UnitSize, to: UnitSize): number {
  if (from.code === to.code) return amount
  const { offset = 0, factor } = to
  const base = amount * from.factor + (from.offset ?? 0)
  return rounded((base - offset) / factor, offset !== 0 || (from.offset ?? 0) !== 0)
}

/** Differences near zero lose all their digits, so that amounts with an offset are rounded by decimals. */
const rounded = (number: number, hasOffset: boolean) =>
  hasOffset && Math.abs(number) < 1e6 ? Math.round(number * 1e9) / 1e9 + 0 : withoutError(number)

/** The digits of a result without the error of binary fractions, as in 0.1 + 0.2. Whole numbers keep all their digits. */
export function withoutError(number: number): number {
  if (Number.isSafeInteger(number) || !Number.isFinite(number)) return number
  const whole = Math.floor(Math.log10(Math.abs(number))) + 1
  return Number(number.toPrecision(Math.min(Math.max(whole + 2, 12), 15)))
}

/** The amounts of a text such as `19.99 EUR; 21.5 USD`. */
export const amountsOfPrice = (text: string): string[] =>
  text.split(';').flatMap((amount) => (amount.trim() === '' ? [] : [amount.trim()]))

const measure = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*(\D.*)$/s

/** The number and the unit of a text such as `12.5 kg`. */
export function partsOfMeasure(text: string): { readonly number: string; readonly unit: string } | undefined {
  const [, number, unit] = (text.length <= 200 && measure.exec(text.trim())) || []
  return number === undefined || unit === undefined ? undefined : { number, unit: unit.trim() }
}
