/** Variation axes: the attributes that span the articles and variations of products (JSON only, Kontor extension). */
import { Name } from './blocks.ts'
import { atMost, child, children, leaf, leaves, required, type } from './describe.ts'

/** The largest number of axes of a category, and of combinations of one call. */
export const maxAxes = 5
export const maxCombinations = 1000

export const VariationAxesRequest = type('variationAxesRequest', 'Selects the variation axes of a category.', {
  nodePath: required(leaf('string')),
})
const articlesDoc = 'The attributes that span the articles of a product, such as colour.'
const variationsDoc = 'The attributes that span the variations of each article, such as size.'
export const VariationAxes = type('variationAxes', 'The attributes that span the variations of a category.', {
  nodePath: leaf('string'),
  articles: leaves('string', `${articlesDoc} Absent if the category has no axes of its own.`),
  variations: leaves('string', variationsDoc),
  inheritedArticles: leaves('string', 'Those of the nearest category above that has axes.'),
  inheritedVariations: leaves('string'),
  inheritedFrom: leaf('string', 'The path of that category.'),
})
const axisDoc = 'With a list of values, one value per object, not localized.'
export const VariationAxesChange = type(
  'variationAxesChange',
  'The new variation axes of a category. Without any, it has those of the category above.',
  {
    nodePath: required(leaf('string')),
    articles: atMost(maxAxes, leaves('string', `${articlesDoc} ${axisDoc}`)),
    variations: atMost(maxAxes, leaves('string', `${variationsDoc} ${axisDoc}`)),
  },
)

export const AxisValue = type('axisValue', 'A value of an axis.', {
  key: required(leaf('string')),
  label: child(() => Name),
})
export const VariationAxis = type('variationAxis', 'An axis with its values, in the order of the list.', {
  attribute: required(leaf('string')),
  level: required(leaf(['article', 'variant'], 'What has the value: the article, or the variation.')),
  label: child(() => Name),
  values: children(() => AxisValue),
})
export const AxisChoice = type('axisChoice', 'The chosen values of an axis.', {
  attribute: required(leaf('string')),
  values: required(leaves('string', 'Keys of values.')),
})
export const CombinationRequest = type('combinationRequest', 'Combines values of the variation axes of a product.', {
  tid: required(leaf('string', 'The product.')),
  choices: children(() => AxisChoice, 'Default for an axis: all values of its list.'),
})
export const Combination = type('combination', 'An article or a variation with its values on the axes.', {
  level: required(leaf(['article', 'variant'])),
  article: leaf('string', 'Of a variation: the name of its article.'),
  name: required(leaf('string')),
  tid: leaf('string', 'Absent if it is missing.'),
  choices: children(() => AxisChoice, 'One value per axis.'),
})
export const CombinationList = type('combinationList', 'Combinations, in the order of the values.', {
  axes: children(() => VariationAxis),
  combinations: children(() => Combination),
  created: leaf('integer', 'Number of articles and variations that were created.'),
})
