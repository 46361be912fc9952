/** Additions of Kontor to the Common area, JSON only: units, currencies, and which locales are in use. */
import { Name } from './blocks.ts'
import { child, children, expects, leaf, required, type } from './describe.ts'

export const unitKinds = ['measure', 'currency'] as const

export const Unit = type(
  'unit',
  'A unit of measurement or a currency, in which the numbers of an attribute are given.',
  {
    code: leaf('string', 'As it is written beside a number: kg, mm, EUR.'),
    kind: leaf(unitKinds),
    name: child(() => Name, 'Its name per locale.'),
    uses: leaf('integer', 'Number of attributes in this unit. Only for administrators.'),
  },
)
export const UnitList = type('unitList', 'Units of measurement and currencies, by kind and code.', {
  units: children(() => Unit),
})
export const UnitChange = type('unitChange', 'The new state of a unit.', {
  kind: required(leaf(unitKinds)),
  name: child(() => Name, 'Its name per locale.'),
})

export const LocaleChange = type(
  'localeChange',
  'Changes to a locale. Fields that are not sent remain unchanged; a new locale is used for content.',
  {
    name: expects(leaf('string', 'Default: the name of the language in that language.'), 1, 100),
    content: leaf('boolean', 'Whether products, files and other objects have texts in this locale.'),
    frontend: leaf('boolean', 'Whether user interfaces offer it.'),
  },
)
