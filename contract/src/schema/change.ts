/** Changes of many objects at once. A Kontor extension, JSON only. */
import {
  atMost,
  child,
  children,
  expects,
  keepsEmpty,
  leaf,
  leaves,
  needsExactlyOneOf,
  required,
  safe,
  type,
} from './describe.ts'
import { Search } from './search.ts'

export const changeKinds = ['product', 'asset'] as const
export const changeOperations = ['set', 'clear', 'append', 'remove', 'replace', 'findReplace', 'copy', 'concatenate', 'calculate', 'move', 'link', 'unlink'] as const // prettier-ignore
export const changeStates = ['ready', 'previewing', 'previewed', 'running', 'finished', 'failed', 'cancelled', 'undoing', 'undone'] as const // prettier-ignore
export const changeOutcomes = ['changed', 'unchanged', 'refused'] as const
const linkedTypes = ['project', 'asset', 'product', 'keyword'] as const

export const ChangeOperation = type('changeOperation', 'One operation of a change. Operations run in their order.', {
  type: required(
    leaf(
      changeOperations,
      'set and clear a value; append to it; remove one value from a list; replace values that are equal to find; findReplace parts of texts; copy another attribute; concatenate a template; calculate an expression; move to another category; link and unlink.',
    ),
  ),
  attribute: leaf('string', 'For operations on values: the attribute. Columns of tables cannot be changed.'),
  locale: leaf('string', 'For localized attributes.'),
  values: leaves('string', 'For set, append and remove. Domain values by their key or label.'),
  find: leaf('string', 'For replace: the whole value. For findReplace: a part of the text, in upper or lower case.'),
  replacement: leaf('string', 'For replace and findReplace. Default: nothing.'),
  from: leaf('string', 'For copy: the attribute to copy. Without a value there, the operation is left out.'),
  fromLocale: leaf('string', 'For copy from a localized attribute. Default: locale.'),
  template: expects(
    leaf(
      'string',
      'For concatenate: a text with {attribute}, {attribute@locale}, {$name} and {$tid}. Without a locale, that of the operation. If all attributes are empty, the operation is left out.',
    ),
    1,
    2000,
  ),
  expression: expects(
    leaf(
      'string',
      'For calculate: an expression of the Common Expression Language such as round(amount("price", "EUR") * 1.19, 2). Functions: number, text, amount, measure, filled, round, floor, ceil, abs, min, max, lower, upper, replace. If a value is missing, the operation is left out.',
    ),
    1,
    2000,
  ),
  unit: leaf('string', 'For calculate of a measure or a price: the unit or currency of the result. Other currencies keep their amounts.'), // prettier-ignore
  to: leaf('string', 'For move: the path of the node. For link and unlink: the tid of the other object, or the path of a keyword.'), // prettier-ignore
  dataType: leaf(linkedTypes, 'For link and unlink: the kind of the other object. project means a channel.'),
  linkType: leaf('string', 'For link and unlink: the type of the link.'),
})

export const ChangeSelection = needsExactlyOneOf(
  type('changeSelection', 'The objects to change.', {
    tids: atMost(100_000, leaves('string')),
    nodePaths: leaves('string', 'Only products: categories with everything below them.'),
    search: child(() => Search, 'Everything that a search finds now. An article or a variation counts as its product.'),
    storedSearch: safe(leaf('long', 'Id of one of your stored searches.')),
  }),
  'tids',
  'nodePaths',
  'search',
  'storedSearch',
)

export const ChangeRequest = type('changeRequest', 'A change of many objects.', {
  kind: leaf(changeKinds, 'Default product.'),
  name: leaf('string', 'A name to find it again.'),
  selection: required(child(() => ChangeSelection)),
  operations: required(
    expects(
      children(() => ChangeOperation),
      1,
      100,
    ),
  ),
})

export const ChangeReason = type('changeReason', 'A reason for which objects were refused.', {
  reason: leaf('string'),
  count: leaf('long'),
})

export const Change = type('change', 'A change of many objects.', {
  id: leaf('string'),
  kind: leaf(changeKinds),
  name: leaf('string'),
  rule: leaf('string', 'The rule that made it.'),
  state: leaf(changeStates),
  operations: children(() => ChangeOperation),
  total: leaf('long', 'The number of selected objects.'),
  processed: leaf('long'),
  changed: leaf('long', 'For a preview: objects that would be changed.'),
  unchanged: leaf('long', 'Objects that were as wanted already.'),
  refused: leaf('long'),
  undone: leaf('long', 'Objects with their former values again.'),
  undoRefused: leaf('long', 'Objects that the last undo left as they are, because they were changed since.'),
  undoable: leaf('boolean', 'Whether undo is possible now.'),
  reasons: children(() => ChangeReason, 'The most frequent reasons of refusals. Only for a single change.'),
  problem: leaf('string', 'The reason for a failure.'),
  user: leaf('string'),
  createdAt: leaf('date'),
  startedAt: leaf('date'),
  endedAt: leaf('date'),
})
export const ChangeList = type('changeList', 'Changes, newest first.', { changes: children(() => Change) })

export const ChangedValue = type('changedValue', 'A value before and after the change.', {
  attribute: leaf('string', 'Absent for the category and for links.'),
  locale: leaf('string'),
  dataType: leaf([...linkedTypes, 'node'], 'For a link: the kind of the other object. For the category: node.'),
  linkType: leaf('string'),
  before: keepsEmpty(leaves('string', 'Empty: no value. For a link: the other object, if the link existed.')),
  after: keepsEmpty(leaves('string')),
})
export const ChangeItem = type('changeItem', 'The outcome of a change for one object.', {
  number: leaf('long'),
  tid: leaf('string'),
  name: leaf('string'),
  status: leaf(changeOutcomes),
  reason: leaf('string', 'For a refused object.'),
  changes: children(() => ChangedValue, 'Absent if your rights have changed since.'),
  undo: leaf(['undone', 'refused'], 'The outcome of the last undo.'),
  undoReason: leaf('string'),
})
export const ChangeItemList = type('changeItemList', 'Objects in the order of the change.', {
  items: children(() => ChangeItem),
})
