/** Texts of the editor of formatted text. */
import { defineTexts } from '../../ui/language.tsx'

export const richtextTexts = defineTexts({
  en: {
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
  },
  de: {
    bold: 'Fett',
    italic: 'Kursiv',
    underline: 'Unterstrichen',
    clear: 'Formatierung entfernen',
    heading: 'Überschrift',
    subheading: 'Zwischenüberschrift',
    bullets: 'Aufzählung',
    numbers: 'Nummerierte Liste',
    link: 'Link',
    unlink: 'Link entfernen',
    address: 'Adresse',
    newTab: 'In neuem Tab öffnen',
    sameTab: 'Im selben Tab öffnen',
    setLink: 'Speichern',
  },
})
