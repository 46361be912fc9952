/** Codes of units in trade documents (UN/ECE recommendation 20). */
import { unitFinder, type UnitSize } from '@kontor/contract'

/** The code by the unit of Kontor. */
// prettier-ignore
const codes: Readonly<Record<string, string>> = {
  'kg': 'KGM', 'mg': 'MGM', 'g': 'GRM', 't': 'TNE', 'oz': 'ONZ', 'lb': 'LBR',
  'm': 'MTR', 'µm': '4H', 'mm': 'MMT', 'cm': 'CMT', 'dm': 'DMT', 'km': 'KMT', 'in': 'INH', 'ft': 'FOT', 'yd': 'YRD', 'mi': 'SMI',
  'm²': 'MTK', 'mm²': 'MMK', 'cm²': 'CMK', 'ha': 'HAR', 'ft²': 'FTK',
  'l': 'LTR', 'ml': 'MLT', 'cl': 'CLT', 'dl': 'DLT', 'hl': 'HLT', 'cm³': 'CMQ', 'dm³': 'DMQ', 'm³': 'MTQ', 'gal': 'GLL',
  's': 'SEC', 'ms': 'C26', 'min': 'MIN', 'h': 'HUR', 'd': 'DAY', 'wk': 'WEE', 'mo': 'MON', 'yr': 'ANN',
  '°C': 'CEL', 'K': 'KEL', '°F': 'FAH',
  'W': 'WTT', 'mW': 'C31', 'kW': 'KWT', 'MW': 'MAW', 'PS': 'HJ', 'hp': 'BHP', 'J': 'JOU', 'kJ': 'KJO', 'MJ': '3B', 'Wh': 'WHR', 'kWh': 'KWH', 'cal': 'D70', 'kcal': 'E14',
  'Pa': 'PAL', 'hPa': 'A97', 'mbar': 'MBR', 'kPa': 'KPA', 'MPa': 'MPA', 'bar': 'BAR', 'psi': 'PS',
  'V': 'VLT', 'mV': '2Z', 'kV': 'KVT', 'A': 'AMP', 'mA': '4K', 'Ah': 'AMH', 'mAh': 'E09', 'Ω': 'OHM', 'kΩ': 'B49', 'MΩ': 'B75',
  'Hz': 'HTZ', 'kHz': 'KHZ', 'MHz': 'MHZ', 'GHz': 'A86', 'B': 'AD', 'kB': '2P', 'MB': '4L', 'GB': 'E34', 'TB': 'E35', 'KiB': 'E64', 'MiB': 'E63', 'GiB': 'E62', 'TiB': 'E61',
  'm/s': 'MTS', 'km/h': 'KMH', 'mph': 'HM', 'kn': 'KNT', 'N': 'NEW', 'kN': 'B47', 'Nm': 'NU', 'g/m²': 'GM', 'lm': 'LUM', 'dB': '2N',
  '°': 'DD', '%': 'P1', '‰': 'NX', 'pcs': 'H87',
}
/** Further codes in documents of others. */
const readOnly = [['C62', 'pcs'], ['EA', 'pcs'], ['D35', 'cal'], ['K53', 'kcal']] as const // prettier-ignore
const units = new Map([...Object.entries(codes).map(([unit, code]) => [code, unit] as const), ...readOnly])

/** A unit without a code stands for itself. */
export const tradeCodeOf = (unit: string): string => codes[unit] ?? unit

/** The unit that a document means. An attribute may have a unit with the same name as a code. */
export const unitOfTrade = (code: string, own: readonly UnitSize[] = []): string =>
  unitFinder(own)(code) ? code : (units.get(code) ?? code)
