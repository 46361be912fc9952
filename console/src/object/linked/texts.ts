/** Texts about the objects of processes and tasks. */
import { defineTexts } from '../../ui/language.tsx'

export const texts = defineTexts({
  en: {
    others: { one: '{count} other', other: '{count} others' },
    product: 'Product',
    file: 'File',
    project: 'Channel',
    peo: 'Channel text',
    glossary: 'Glossary',
  },
  de: {
    others: { one: '{count} weiteres', other: '{count} weitere' },
    product: 'Produkt',
    file: 'Datei',
    project: 'Kanal',
    peo: 'Kanaltext',
    glossary: 'Glossar',
  },
})
