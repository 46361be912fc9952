/** Additions of Kontor to the Common area, JSON only: units, currencies, and which locales are in use. */
import { Name } from './blocks.ts'
import { child, children, expects, leaf, leaves, required, type } from './describe.ts'

export const unitKinds = ['measure', 'currency'] as const

export const Unit = type(
  'unit',
  'A unit of measurement or a currency, in which the numbers of an attribute are given.',
  {
    code: leaf('string', 'As it is written beside a number: kg, mm, EUR.'),
    kind: leaf(unitKinds),
    name: child(() => Name, 'Its name per locale.'),
    family: leaf('string', 'The family of a unit of measurement. Amounts in units of one family can be converted.'),
    factor: leaf('number', 'Base unit of the family = amount × factor + offset.'),
    offset: leaf('number', 'Of temperatures. Default 0.'),
    synonyms: leaves('string', 'Other spellings that imports and values may use.'),
    builtIn: leaf('boolean', 'Whether family, factor and synonyms are part of Kontor and cannot be changed.'),
    uses: leaf('integer', 'Number of attributes in this unit. Only for administrators.'),
  },
)
export const UnitList = type('unitList', 'Units of measurement and currencies, by kind and code.', {
  units: children(() => Unit),
})
export const UnitChange = type('unitChange', 'The new state of a unit.', {
  kind: required(leaf(unitKinds)),
  name: child(() => Name, 'Its name per locale.'),
  family: expects(leaf('string', 'An existing or a new family. Only for units of measurement.'), 1, 50),
  factor: leaf('number', 'Its size in the base unit of the family. Default 1: it is the base unit.'),
  offset: leaf('number', 'Is added after the multiplication. Default 0.'),
  synonyms: expects(leaves('string', 'Other spellings.'), 0, 20),
})

export const LocaleChange = type(
  'localeChange',
  'Changes to a locale. Fields that are not sent remain unchanged; a new locale is used for content.',
  {
    name: expects(leaf('string', 'Default: the name of the language in that language.'), 1, 100),
    content: leaf('boolean', 'Whether products, files and other objects have texts in this locale.'),
    frontend: leaf('boolean', 'Whether user interfaces offer it.'),
    source: leaf(
      'boolean',
      'true: texts are translated from this locale, and from no other. Without one, it is the first locale of content.',
    ),
  },
)
