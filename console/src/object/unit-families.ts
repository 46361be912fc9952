/** Names of the families of units that Kontor knows; others are named by themselves. */
import { defineTexts, useTexts } from '../ui/language.tsx'

const familyTexts = defineTexts({
  en: {
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
  },
  de: {
    mass: 'Masse',
    length: 'Länge',
    area: 'Fläche',
    volume: 'Volumen',
    time: 'Zeit',
    temperature: 'Temperatur',
    power: 'Leistung',
    energy: 'Energie',
    pressure: 'Druck',
    voltage: 'Spannung',
    current: 'Stromstärke',
    charge: 'Akkukapazität',
    resistance: 'Widerstand',
    frequency: 'Frequenz',
    data: 'Daten',
    speed: 'Geschwindigkeit',
    force: 'Kraft',
    torque: 'Drehmoment',
    grammage: 'Flächengewicht',
    brightness: 'Helligkeit',
    loudness: 'Lautstärke',
    angle: 'Winkel',
    ratio: 'Anteil',
    count: 'Stückzahl',
  },
})

export function useFamilyName(): (family: string) => string {
  const t = useTexts(familyTexts)
  return (family) => (family in familyTexts.en ? t(family as keyof typeof familyTexts.en) : family)
}
