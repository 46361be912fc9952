/** Texts of the editor of formatted text. */
import { defineTexts } from '../../ui/language.tsx'

export const richtextTexts = defineTexts('richtext', {
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  clear: 'Remove formatting',
  heading: 'Heading',
  subheading: 'Subheading',
  bullets: 'Bullet list',
  numbers: 'Numbered list',
  link: 'Link',
  unlink: 'Remove link',
  address: 'Address',
  newTab: 'Open in a new tab',
  sameTab: 'Open in the same tab',
  setLink: 'Save',
})
