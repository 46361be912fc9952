/**
 * Measures in the units that the reader prefers, shown beside the amounts as they were entered. The choice is kept in the
 * browser, like the language.
 */
import { convert, partsOfMeasure, unitFinder, type UnitSize } from '@kontor/contract'
import { useCallback, useSyncExternalStore } from 'react'
import { useLanguage } from '../../ui/language.tsx'

export const unitSystems = ['entered', 'metric', 'imperial'] as const
type UnitSystem = (typeof unitSystems)[number]

/** The units of each system, small ones first; each line is a family. */
const preferred: Readonly<Record<Exclude<UnitSystem, 'entered'>, readonly (readonly string[])[]>> = {
  metric: [
    ['g', 'kg', 't'],
    ['mm', 'cm', 'm', 'km'],
    ['cm²', 'm²', 'ha'],
    ['ml', 'l', 'm³'],
    ['°C'],
    ['km/h', 'm/s'],
    ['bar', 'kPa', 'hPa'],
    ['kW', 'W'],
  ],
  imperial: [['oz', 'lb'], ['in', 'ft', 'mi'], ['ft²'], ['gal'], ['°F'], ['mph'], ['psi'], ['hp']],
}

/** The amount in a unit of the system; undefined if it has one already, or if the system has no unit for it. */
export function inSystem(text: string, units: readonly UnitSize[], system: UnitSystem, language: string) {
  const parts = system === 'entered' ? undefined : partsOfMeasure(text)
  const find = unitFinder(units)
  const from = parts && find(parts.unit)
  if (!parts || !from || system === 'entered') return undefined
  const codes = new Set(units.map(({ code }) => code))
  const family = preferred[system].find((line) => line.some((code) => codes.has(code))) ?? []
  const targets = family.flatMap((code) => find(code) ?? [])
  if (targets.length === 0 || family.includes(from.code)) return undefined
  const amounts = targets.map((unit) => ({ unit, amount: convert(Number(parts.number), from, unit) }))
  const { amount, unit } = amounts.findLast((one) => Math.abs(one.amount) >= 1) ?? amounts[0]!
  return `${new Intl.NumberFormat(language, { maximumSignificantDigits: 4 }).format(amount)} ${unit.code}`
}

const storageKey = 'kontor.units'
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const stored = (): UnitSystem => unitSystems.find((one) => one === localStorage.getItem(storageKey)) ?? 'entered'

export function chooseUnits(system: UnitSystem): void {
  localStorage.setItem(storageKey, system)
  for (const listener of listeners) listener()
}

export const useUnitSystem = () => useSyncExternalStore(subscribe, stored)

/** Returns a function like `inSystem`, with the units of the reader. */
export function useReaderUnits(): (text: string, units: readonly UnitSize[]) => string | undefined {
  const { language } = useLanguage()
  const system = useUnitSystem()
  return useCallback((text, units) => inSystem(text, units, system, language), [system, language])
}

/** Returns a function that adds the amount in the units of the reader to a text: `2.5 kg (≈ 5.512 lb)`. */
export function useUnitText(): (text: string, units: readonly UnitSize[] | undefined) => string {
  const readerUnits = useReaderUnits()
  return useCallback(
    (text, units) => {
      const own = units && readerUnits(text, units)
      return own === undefined ? text : `${text} (≈ ${own})`
    },
    [readerUnits],
  )
}
