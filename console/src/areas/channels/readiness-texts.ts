/** Texts about what a channel requires and what is missing in it. */
import { defineTexts } from '../../ui/language.tsx'

export const readinessTexts = defineTexts('readiness', {
  locale: 'Language',
  required: 'Required',
  missing: 'Missing',
  complete: 'Complete',
  completeProducts: 'Complete products',
  ofProducts: '{complete} of {products}',
  missingIn: 'Missing in {locale}',
  nothingMissing: 'Nothing is missing in {locale}.',
  attribute: 'Attribute',
  product: 'Product',
  channelText: 'channel text “{name}”',
  firstMissing: 'Showing the first {count}.',
  showMissing: '{count} missing in {locale}',
  noLocales: 'No content languages are set up.',
  emptyChannel: 'No products in this channel yet',
  emptyChannelBody:
    'Add products on the Contents tab, here or in a subchannel. Then this page shows which required values they lack.',
  nothingRequired: 'Nothing is required yet',
  nothingRequiredBody:
    'Choose the attributes that this channel requires, or mark attributes as required in the data model.',
  allAttributes: 'All',
  byAttribute: 'Attributes with missing values',
  toContents: 'Show contents',
  requirements: 'Requirements',
  requirementsOf: 'Requirements of “{name}”',
  requiredLocales: 'Required languages',
  requiredAttributes: 'Required attributes',
  localesHint: 'Only these languages count. Leave the field empty to use: {inherited}.',
  attributesHint:
    'A product needs those of them that its category has. Leave the field empty to use: {inherited}. Templates of channel texts can require more.',
  allLocales: 'all content languages',
  ofModel: 'attributes that the data model marks as required',
  counted: 'Counts {locales}; {attributes}.',
  countedAttributes: { one: '{count} chosen attribute', other: '{count} chosen attributes' },
  requirementsSaved: 'Requirements saved',
})
