/** Translations of the texts of products (JSON only, Kontor extension). */
import { children, expects, leaf, required, type } from './describe.ts'

/** The largest number of texts of one call. */
export const maxConfirmed = 1000

const levels = ['product', 'article', 'variant'] as const
const levelDoc = 'What has the text. Default: product.'

export const TranslationRequest = type('translationRequest', 'Selects a product with its articles and variations.', {
  tid: required(leaf('string', 'The product.')),
})
export const StaleText = type('staleText', 'A translated text whose source text has changed since.', {
  level: required(leaf(levels)),
  tid: required(leaf('string', 'Of the product, article or variation that has the text.')),
  attribute: required(leaf('string')),
  locale: required(leaf('string')),
  source: required(leaf('string', 'The locale whose text changed.')),
  since: required(leaf('date', 'When it changed last.')),
})
export const TranslationState = type('translationState', 'The stale texts of a product, its articles and variations.', {
  source: required(leaf('string', 'The locale that texts are translated from.')),
  stale: children(() => StaleText),
})
export const ConfirmedText = type('confirmedText', 'A text that is still right although its source text changed.', {
  level: leaf(levels, levelDoc),
  tid: leaf('string', 'Of the product, article or variation. Default: the product.'),
  attribute: required(leaf('string')),
  locale: required(leaf('string')),
  since: leaf('date', 'As it was read. Refused if the source text changed again after that.'),
})
export const TextConfirmation = type('textConfirmation', 'Removes the marks of stale texts.', {
  tid: required(leaf('string', 'The product.')),
  texts: required(
    expects(
      children(() => ConfirmedText),
      1,
      maxConfirmed,
    ),
  ),
})
