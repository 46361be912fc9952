/** Families of measurements and units of Akeneo, by their codes. Others stay numbers with an attribute for the unit. */

/** Akeneo's family: Kontor's, and the units by Akeneo's code. */
// prettier-ignore
const families: Readonly<Record<string, readonly [family: string, units: Readonly<Record<string, string>>]>> = {
  Weight:         ['mass', { KILOGRAM: 'kg', GRAM: 'g', MILLIGRAM: 'mg', TON: 't', OUNCE: 'oz', POUND: 'lb' }],
  Length:         ['length', { METER: 'm', MILLIMETER: 'mm', CENTIMETER: 'cm', DECIMETER: 'dm', KILOMETER: 'km', MICROMETER: 'µm', INCH: 'in', FEET: 'ft', YARD: 'yd', MILE: 'mi' }],
  Area:           ['area', { SQUARE_METER: 'm²', SQUARE_MILLIMETER: 'mm²', SQUARE_CENTIMETER: 'cm²', HECTARE: 'ha', SQUARE_FOOT: 'ft²' }],
  Volume:         ['volume', { LITER: 'l', MILLILITER: 'ml', CENTILITER: 'cl', DECILITER: 'dl', CUBIC_CENTIMETER: 'cm³', CUBIC_DECIMETER: 'dm³', CUBIC_METER: 'm³' }],
  Duration:       ['time', { SECOND: 's', MILLISECOND: 'ms', MINUTE: 'min', HOUR: 'h', DAY: 'd', WEEK: 'wk', MONTH: 'mo', YEAR: 'yr' }],
  Temperature:    ['temperature', { CELSIUS: '°C', KELVIN: 'K', FAHRENHEIT: '°F' }],
  Power:          ['power', { WATT: 'W', MILLIWATT: 'mW', KILOWATT: 'kW', MEGAWATT: 'MW' }],
  Energy:         ['energy', { JOULE: 'J', KILOJOULE: 'kJ', CALORIE: 'cal', KILOCALORIE: 'kcal' }],
  Pressure:       ['pressure', { PASCAL: 'Pa', HECTOPASCAL: 'hPa', KILOPASCAL: 'kPa', MEGAPASCAL: 'MPa', BAR: 'bar', MILLIBAR: 'mbar', PSI: 'psi' }],
  Voltage:        ['voltage', { VOLT: 'V', MILLIVOLT: 'mV', KILOVOLT: 'kV' }],
  Intensity:      ['current', { AMPERE: 'A', MILLIAMPERE: 'mA' }],
  ElectricCharge: ['charge', { AMPEREHOUR: 'Ah', MILLIAMPEREHOUR: 'mAh' }],
  Resistance:     ['resistance', { OHM: 'Ω', KILOHM: 'kΩ', MEGOHM: 'MΩ' }],
  Frequency:      ['frequency', { HERTZ: 'Hz', KILOHERTZ: 'kHz', MEGAHERTZ: 'MHz', GIGAHERTZ: 'GHz' }],
  Binary:         ['data', { BYTE: 'B', KILOBYTE: 'KiB', MEGABYTE: 'MiB', GIGABYTE: 'GiB', TERABYTE: 'TiB' }],
  Speed:          ['speed', { METER_PER_SECOND: 'm/s', KILOMETER_PER_HOUR: 'km/h', MILE_PER_HOUR: 'mph' }],
  Force:          ['force', { NEWTON: 'N', KILONEWTON: 'kN' }],
  Brightness:     ['brightness', { LUMEN: 'lm' }],
  Decibel:        ['loudness', { DECIBEL: 'dB' }],
  Angle:          ['angle', { DEGREE: '°' }],
}
const units = new Map(Object.values(families).flatMap(([, known]) => Object.entries(known)))

export const familyOf = (code: string): string | undefined => families[code]?.[0]

/** A unit that Kontor does not know stands for itself, and is refused by name. */
export const unitOf = (code: string): string => units.get(code) ?? code
