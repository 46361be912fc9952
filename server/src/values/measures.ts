/**
 * Amounts with a unit, such as `12.5 kg`. They are stored in the unit in which they were entered, and compared, searched
 * and sorted in the base unit of their family.
 */
import { partsOfMeasure, toBase, unitFinder, type FormatUnit, type Infer, type UnitSize } from '@kontor/contract'
import { isWholeNumber, readNumber } from './numbers.ts'

type StoredUnit = Infer<typeof FormatUnit>

export const toUnitSize = ({ code, factor = '1', offset, synonym }: StoredUnit): UnitSize => ({
  code,
  factor: Number(factor),
  ...(offset !== undefined && { offset: Number(offset) }),
  ...(synonym && { synonyms: synonym }),
})

export function measureRules(stored: readonly StoredUnit[]) {
  const units = stored.map(toUnitSize)
  const find = unitFinder(units)
  const byCode = new Map(units.map((unit) => [unit.code, unit]))
  const baseOf = (text: string) => {
    const at = text.indexOf(' ')
    return toBase(Number(text.slice(0, at)), byCode.get(text.slice(at + 1)) ?? units[0]!)
  }
  const codes = units.map(({ code }) => code).join(', ')
  return {
    read(text: string) {
      const parts = partsOfMeasure(text)
      const number = parts && readNumber(parts.number)
      const unit = parts && find(parts.unit)
      return number === undefined || !unit ? undefined : `${number} ${unit.code}`
    },
    expected: `an amount with a unit, such as 12.5 ${units[0]?.code ?? 'kg'}`,
    hint: () => `expected one of the units ${codes}`,
    compare: (a: string, b: string) => baseOf(a) - baseOf(b),
    isWhole: (text: string) => isWholeNumber(text.slice(0, text.indexOf(' '))),
    baseOf,
  }
}
