/** Labels of missing parts of a channel: an attribute, or a picture with its role. */
import { commonTexts } from '../ui/common-texts.ts'
import { useTexts } from '../ui/language.tsx'
import { useAttributes } from './model.ts'
import { usePictureRoles } from './picture-roles.ts'

interface Missing {
  readonly attr?: string
  readonly picture?: string
}

export function useMissingLabel(): (missing: Missing) => string {
  const word = useTexts(commonTexts)
  const attributes = useAttributes()
  const { nameOf } = usePictureRoles()
  return ({ attr = '', picture }) => {
    if (picture === undefined) return attributes.get(attr)?.label ?? attr
    return picture === '*' ? word('pictures') : word('pictureOf', { role: nameOf(picture) })
  }
}

/** The part of the product page where it is added. */
export const placeOfMissing = ({ attr = '', picture }: Missing) => (picture === undefined ? { at: attr } : { tab: 'links' }) // prettier-ignore
