import { unitFamilies } from '@kontor/contract'
import { describe, expect, test } from 'vitest'
import { inSystem } from './reader-units.ts'

const units = (family: string) => unitFamilies.get(family)!

describe('a measure in the units of the reader', () => {
  test.each([
    ['12.5 kg', 'mass', 'imperial', '27.56 lb'],
    ['100 g', 'mass', 'imperial', '3.527 oz'],
    ['10 lb', 'mass', 'metric', '4.536 kg'],
    ['1 in', 'length', 'metric', '2.54 cm'],
    ['180 cm', 'length', 'imperial', '5.906 ft'],
    ['-40 °F', 'temperature', 'metric', '-40 °C'],
    ['20 °C', 'temperature', 'imperial', '68 °F'],
    ['0.001 g', 'mass', 'imperial', '0.00003527 oz'],
  ] as const)('%s is shown with a unit of the system', (text, family, system, shown) =>
    expect(inSystem(text, units(family), system, 'en')).toBe(shown),
  )

  test.each([
    ['a unit of the system', '12.5 kg', 'mass', 'metric'],
    ['what the reader wants', '12.5 kg', 'mass', 'entered'],
    ['a unit for which the system has none', '12 V', 'voltage', 'imperial'],
    ['no unit', 'about 3', 'mass', 'imperial'],
    ['an unknown unit', '3 parsec', 'length', 'imperial'],
  ] as const)('is left alone if it has %s', (...[, text, family, system]) =>
    expect(inSystem(text, units(family), system, 'en')).toBeUndefined(),
  )

  test('has the decimal sign of the language', () =>
    expect(inSystem('12.5 kg', units('mass'), 'imperial', 'de')).toBe('27,56 lb'))

  test('only has units that the attribute offers', () =>
    expect(inSystem('1 in', units('length').filter(({ code }) => code !== 'cm'), 'metric', 'en')).toBe('25.4 mm')) // prettier-ignore
})
