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
export const changeOperations = ['set', 'clear', 'append', 'remove', 'replace', 'findReplace', 'copy', 'concatenate', 'calculate', 'move', 'link', 'unlink', 'rename', 'linkByName', 'replaceFile'] as const // prettier-ignore
export const changeStates = ['ready', 'previewing', 'previewed', 'running', 'finished', 'failed', 'cancelled', 'undoing', 'undone'] as const // prettier-ignore
export const changeOutcomes = ['changed', 'unchanged', 'refused'] as const
const linkedTypes = ['project', 'asset', 'product', 'keyword'] as const
export const usageRightFields = ['licence', 'holder', 'creditLine', 'releases', 'territories', 'channels', 'media', 'validFrom', 'validUntil', 'embargoUntil'] as const // prettier-ignore
const productMatches = ['tid', 'name', 'article', 'attribute'] as const

export const ChangeRole = type('changeRole', 'A word of file names that means a type of link.', {
  word: required(expects(leaf('string', 'In upper or lower case, such as front.'), 1, 100)),
  linkType: required(expects(leaf('string', 'The type of the link, such as Front.'), 1, 255)),
})

export const ChangeOperation = type('changeOperation', 'One operation of a change. Operations run in their order.', {
  type: required(
    leaf(
      changeOperations,
      'set and clear a value; append to it; remove one value from a list; replace values that are equal to find; findReplace parts of texts; copy another attribute; concatenate a template; calculate an expression; move to another category or folder; link and unlink; rename files by a pattern; linkByName: link files to the products that their names contain; replaceFile: put another file into all products and channels.',
    ),
  ),
  attribute: leaf(
    'string',
    'For operations on values: the attribute. Columns of tables cannot be changed. For linkByName with matchBy attribute: an identifier of products.',
  ),
  usageRight: leaf(
    usageRightFields,
    'Instead of attribute, for set, clear, append, remove and replace of assets: a part of their usage rights.',
  ),
  locale: leaf('string', 'For localized attributes.'),
  values: leaves('string', 'For set, append and remove. Domain values by their key or label.'),
  find: expects(
    leaf(
      'string',
      'For replace: the whole value. For findReplace and rename: a part of the text, in upper or lower case.',
    ),
    0,
    10_000,
  ),
  replacement: leaf(
    'string',
    'For replace, findReplace and rename. Default: nothing. With isPattern, $1 is the first group.',
  ),
  isPattern: leaf('boolean', 'For rename: find is a regular expression of the RE2 syntax.'),
  from: leaf('string', 'For copy: the attribute to copy. Without a value there, the operation is left out.'),
  fromLocale: leaf('string', 'For copy from a localized attribute. Default: locale.'),
  template: expects(
    leaf(
      'string',
      'For concatenate: a text with {attribute}, {attribute@locale}, {$name} and {$tid}. Without a locale, that of the operation. If all attributes are empty, the operation is left out. For rename: the new name without its extension, with attributes of the file, {$name}, {$part:1}, {$counter:001}, {$number:1}, {$taken:yyyy-MM-dd}, {$created:yyyy-MM-dd}, {$folder}, {$product} and {$productName}. For linkByName: {product}, {role}, {number} and {any}. Of both, a part in [ ] is optional.',
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
  clearIfMissing: leaf(
    'boolean',
    'For copy, concatenate and calculate: if what they depend on is missing, the value is removed, of a price the amount in unit. Default: the operation is left out, and the old value stays.',
  ),
  letterCase: leaf(['lower', 'upper'], 'For rename. Default: as it is.'),
  plainCharacters: leaf(
    'boolean',
    'For rename: only letters from a to z, digits, dot, hyphen and underscore. Others are transliterated or become a hyphen.',
  ),
  onConflict: leaf(
    ['refuse', 'number'],
    'For rename, if a name is taken: refuse the file (default), or append a number.',
  ),
  matchBy: leaf(
    productMatches,
    'For linkByName: what {product} is. A tid of a product (default), its name, the tid of an article or variation, or an identifier, which attribute names.',
  ),
  roles: atMost(
    500,
    children(
      () => ChangeRole,
      'For linkByName: the type of link of each word at {role}. Files without {role} get linkType.',
    ),
  ),
  to: leaf('string', 'For move: the path of the node, of assets that of the folder. For link, unlink and replaceFile: the tid of the other object, or the path of a keyword.'), // prettier-ignore
  dataType: leaf(
    linkedTypes,
    'For link and unlink: the kind of the other object. project means a channel. For set, clear, append, remove and replace: keyword, for all keywords of an asset, by their paths.',
  ),
  linkType: leaf('string', 'For link, unlink and linkByName: the type of the link.'),
})

export const ChangeSelection = needsExactlyOneOf(
  type('changeSelection', 'The objects to change.', {
    tids: atMost(100_000, leaves('string')),
    nodePaths: leaves('string', 'Only products: categories with everything below them.'),
    folderPaths: atMost(1000, leaves('string', 'Only assets: folders with everything below them.')),
    collection: safe(leaf('long', 'Only assets: id of a collection that you may see.')),
    search: child(() => Search, 'Everything that a search finds now. An article or a variation counts as its product.'),
    storedSearch: safe(leaf('long', 'Id of one of your stored searches.')),
  }),
  'tids',
  'nodePaths',
  'folderPaths',
  'collection',
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
  attribute: leaf('string', 'Absent for usage rights, the category and links.'),
  locale: leaf('string'),
  usageRight: leaf(usageRightFields),
  dataType: leaf(
    [...linkedTypes, 'node', 'folder', 'name'],
    'For a link: the kind of the other object. For the category: node. For a file: its folder or its name.',
  ),
  of: leaf('string', 'For a link of another file, to which replaceFile gives it: the tid of that file.'),
  linkType: leaf('string'),
  before: keepsEmpty(leaves('string', 'Empty: no value. For a link: the other object, if the link existed.')),
  after: keepsEmpty(leaves('string')),
})
export const ChangeCandidate = type('changeCandidate', 'A product that a file name may mean.', {
  tid: leaf('string'),
  name: leaf('string'),
})
export const ChangeItem = type('changeItem', 'The outcome of a change for one object.', {
  number: leaf('long'),
  tid: leaf('string'),
  name: leaf('string'),
  status: leaf(changeOutcomes),
  reason: leaf('string', 'For a refused object.'),
  warnings: leaves(
    'string',
    'For an object with texts that a glossary warns of. Absent if your rights have changed since.',
  ),
  changes: children(() => ChangedValue, 'Absent if your rights have changed since.'),
  matched: leaf('string', 'For linkByName: the part of the file name that should name a product.'),
  candidates: children(
    () => ChangeCandidate,
    'For linkByName: the products that it names, or that have a similar name.',
  ),
  undo: leaf(['undone', 'refused'], 'The outcome of the last undo.'),
  undoReason: leaf('string'),
})
export const ChangeItemList = type('changeItemList', 'Objects in the order of the change.', {
  items: children(() => ChangeItem),
})

export const PatternRequest = type('patternRequest', 'Files whose names may contain products.', {
  selection: required(child(() => ChangeSelection)),
})
export const PatternGuess = type('patternGuess', 'A pattern that fits file names, for linkByName.', {
  template: leaf('string'),
  matchBy: leaf(productMatches),
  attribute: leaf('string'),
  matched: leaf('long', 'The number of examined files that name a product.'),
  roles: children(() => ChangeRole, 'The words at {role}, with the types of links that they probably mean.'),
})
export const PatternGuesses = type('patternGuesses', 'Patterns, best first.', {
  examined: leaf('long', 'The number of examined files, at most 500.'),
  guesses: children(() => PatternGuess),
})
