/** Texts about the objects of processes and tasks. */
import { defineTexts } from '../../ui/language.tsx'

export const texts = defineTexts('linked', {
  others: { one: '{count} other', other: '{count} others' },
  product: 'Product',
  file: 'File',
  project: 'Channel',
  peo: 'Channel text',
  glossary: 'Glossary',
})
