/** Texts about relation types. Keys that equal a field label that field. */
import { defineTexts } from '../../ui/language.tsx'

export const relationTexts = defineTexts('relationTypes', {
  relationTypes: 'Relation types',
  newType: 'New relation type',
  none: 'No relation types yet',
  noneHint: 'A relation type says how products belong together: accessories, spare parts, successors.',
  tid: 'ID',
  tidHint: 'Imports and searches use it. Made from the name if you leave it empty.',
  label: 'Name, as the product shows it',
  inverse: 'Name, as the related product shows it',
  sources: 'Can have such relations',
  targets: 'Can be related',
  product: 'Products',
  article: 'Articles',
  variant: 'Variations',
  quantity: 'With a quantity',
  pos: 'Place in lists',
  uses: 'Relations',
  deleteType: 'Delete “{name}”?',
  deleteBody: 'The relation type can no longer be chosen.',
})
