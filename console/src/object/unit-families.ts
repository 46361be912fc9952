/** Names of the families of units that Kontor knows; others are named by themselves. */
import { defineTexts, useTexts } from '../ui/language.tsx'

export const familyTexts = defineTexts('unitFamilies', {
  mass: 'Mass',
  length: 'Length',
  area: 'Area',
  volume: 'Volume',
  time: 'Time',
  temperature: 'Temperature',
  power: 'Power',
  energy: 'Energy',
  pressure: 'Pressure',
  voltage: 'Voltage',
  current: 'Electric current',
  charge: 'Battery capacity',
  resistance: 'Resistance',
  frequency: 'Frequency',
  data: 'Data',
  speed: 'Speed',
  force: 'Force',
  torque: 'Torque',
  grammage: 'Weight of paper and fabric',
  brightness: 'Brightness',
  loudness: 'Loudness',
  angle: 'Angle',
  ratio: 'Percentage',
  count: 'Pieces',
})

export function useFamilyName(): (family: string) => string {
  const t = useTexts(familyTexts)
  return (family) => (family in familyTexts.en ? t(family as keyof typeof familyTexts.en) : family)
}
