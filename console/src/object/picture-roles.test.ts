import { expect, test } from 'vitest'
import { commonTexts } from '../ui/common-texts.ts'
import { pictureRoles } from './picture-roles.ts'

const inEnglish = pictureRoles((key) => String(commonTexts.en[key]))
const german: Readonly<Record<string, string>> = { roleFront: 'Vorderseite', roleBack: 'Rückseite' }
const inGerman = pictureRoles((key) => german[key] ?? String(commonTexts.en[key]))

test('the usual roles are stored by one word and shown in the language of the reader', () => {
  expect(inGerman.roleOf('Vorderseite')).toBe(inEnglish.roleOf('Front'))
  expect(inGerman.nameOf('Front')).toBe('Vorderseite')
  expect(inGerman.nameOf('front')).toBe('Vorderseite')
  expect(inGerman.names.map(inGerman.roleOf).map(inEnglish.nameOf)).toEqual(inEnglish.names)
})

test('a role that people typed stays as it is', () => {
  expect(inGerman.roleOf('360° ')).toBe('360° ')
  expect(inGerman.nameOf('360°')).toBe('360°')
})
