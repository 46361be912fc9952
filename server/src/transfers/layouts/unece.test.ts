import { unitFamilies, unitFinder } from '@kontor/contract'
import { expect, test } from 'vitest'
import { tradeCodeOf, unitOfTrade } from './unece.ts'

test('every unit has a code of its own in trade documents, and is found by it', () => {
  const units = [...unitFamilies.values()].flat()
  const written = units.map(({ code }) => tradeCodeOf(code))
  expect(written.filter((code) => !/^[A-Z0-9]{2,3}$/.test(code))).toEqual([])
  expect(new Set(written).size).toBe(units.length)
  for (const own of unitFamilies.values())
    for (const { code } of own) expect(unitFinder(own)(unitOfTrade(tradeCodeOf(code), own))?.code).toBe(code)
})

test('a metric horsepower is not the code PS, which means a pressure', () => {
  expect([tradeCodeOf('PS'), unitOfTrade('HJ', unitFamilies.get('power'))]).toEqual(['HJ', 'PS'])
  expect([tradeCodeOf('psi'), unitOfTrade('PS', unitFamilies.get('pressure'))]).toEqual(['PS', 'psi'])
})

test.each([
  ['C62', 'count', 'pcs'],
  ['EA', 'count', 'pcs'],
  ['D35', 'energy', 'cal'],
  ['K53', 'energy', 'kcal'],
])('documents of others can have the code %s for a unit of the family %s', (code, family, unit) => {
  expect(unitOfTrade(code, unitFamilies.get(family))).toBe(unit)
})
