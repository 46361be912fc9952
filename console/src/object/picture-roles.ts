/**
 * The roles of pictures, such as the front. They are texts in the interface, so that the usual ones are stored by one word
 * and shown in the language of the reader: what a German requires is what an Englishman delivers.
 */
import { commonTexts } from '../ui/common-texts.ts'
import { type Translate, useTexts } from '../ui/language.tsx'

const usual = { Front: 'roleFront', Back: 'roleBack', Detail: 'roleDetail', 'In use': 'roleScene', Manual: 'roleManual' } as const // prettier-ignore
type Usual = keyof typeof usual
const words = Object.keys(usual) as Usual[]

const isSame = (a: string, b: string) => a.toLocaleLowerCase() === b.toLocaleLowerCase()

export function pictureRoles(t: Translate<keyof typeof commonTexts.en>) {
  return {
    /** The roles on offer; people may type others. */
    names: words.map((word) => t(usual[word])),
    nameOf(role: string): string {
      const known = words.find((word) => isSame(word, role))
      return known ? t(usual[known]) : role
    },
    /** The stored role of a name. */
    roleOf: (name: string): string => words.find((word) => isSame(t(usual[word]), name.trim())) ?? name,
  }
}

export const usePictureRoles = () => pictureRoles(useTexts(commonTexts))
