/** Import and export of files. A Kontor extension, JSON only. */
import { usageMedia } from './dam.ts'
import { anything, child, children, expects, leaf, leaves, map, matches, required, safe, type } from './describe.ts'
import { productTypes } from './words.ts'

export const transferFormats = ['csv', 'xlsx', 'xml', 'jsonl', 'zip'] as const
const transferStates = ['received', 'validating', 'validated', 'running', 'paused', 'finished', 'failed', 'cancelled'] as const // prettier-ignore
/** Encodings of CSV files. Imports detect those in the first line; the others have to be given. */
export const transferEncodings = [
  'utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15', 'macintosh',
  'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1257', 'koi8-r', 'shift_jis', 'gb18030', 'big5', 'euc-kr',
] as const // prettier-ignore
/** Layouts of files of other systems; plain is Kontor's own. */
export const transferLayouts = [
  'plain',
  'akeneo',
  'shopify',
  'shopware',
  'woocommerce',
  'google',
  'bmecat',
  'gs1',
  'xliff',
] as const
const layoutDoc = 'The layout of the file, such as that of another system.'
const transferFields = ['tid', 'name', 'node', 'asset', 'relation', 'quantity', 'ignore'] as const
const transferLevels = productTypes

export const TransferColumn = type('transferColumn', 'The mapping of a table column.', {
  column: required(leaf('string', 'The heading of the column.')),
  field: leaf(
    transferFields,
    'A field of the object. node: a category by path, by tid or by names such as Men > Shoes. asset: files in the same zip, files of the DAM by path, or https addresses, which are downloaded. relation: related products by tid, or article:TID and variant:TID. quantity: of these relations, in the same order.',
  ),
  linkType: leaf('string', 'For asset, relation and quantity: the link type.'),
  attr: leaf('string', 'An attribute, instead of a field. For a column of a table attribute: table/column.'),
  locale: leaf('string', 'For localized attributes.'),
  position: leaf('integer', 'For lists: the position of one value, from 0. Default: all values, separated.'),
  level: leaf(transferLevels, 'Default product.'),
  template: leaf(
    'string',
    'A text with headings in braces, such as {Brand} {Model}. It fills the column if the file does not have it.',
  ),
  split: leaf('string', 'The sign between the parts of a cell. For lists: between their values.'),
  part: leaf('integer', 'Only this part of the cell, from 0. Exports leave the column out.'),
  join: leaf('string', 'The text between the parts, for values that are not lists. Exports leave the column out.'),
  unit: leaf(
    'string',
    'The unit or currency of the stored numbers, such as kg or EUR. Cells may have amounts such as 500 g; units of the same kind are converted.',
  ),
  cellUnit: leaf('string', 'The unit of cells that are numbers alone. Default: unit.'),
  values: map(
    'Values by what the cells contain, such as SHOES and /Shop/Shoes for a node. Other cells are read as they are.',
  ),
})
const decimalSigns = ['.', ','] as const
const thousandsSigns = ['.', ',', ' ', "'"] as const
const formulaRules = ['escape', 'keep'] as const
const deletionRules = ['refuse', 'delete'] as const
const formulasDoc =
  'CSV cells that a spreadsheet would run as formulas: escape (default) puts an apostrophe before them, and imports remove it; keep leaves them as they are.'

export const TransferCatalog = type('transferCatalog', 'The head of a catalogue in exports as BMEcat.', {
  id: matches(leaf('string', 'CATALOG_ID. Default KONTOR.'), '^.{1,20}$'),
  version: matches(leaf('string', 'CATALOG_VERSION, such as 1.0. Default 1.0.'), '^[0-9]{1,3}\\.[0-9]{1,3}$'),
  name: matches(leaf('string', 'CATALOG_NAME.'), '^.{1,100}$'),
  supplier: matches(leaf('string', 'SUPPLIER_NAME. Default Kontor.'), '^.{1,50}$'),
  supplierId: matches(leaf('string', 'SUPPLIER_ID, such as a GLN.'), '^.{1,250}$'),
  buyer: matches(leaf('string', 'BUYER_NAME.'), '^.{1,50}$'),
  currency: matches(leaf('string', 'Currency of prices without one, as in ISO 4217. Default EUR.'), '^[A-Z]{3}$'),
  orderUnit: matches(
    leaf('string', 'ORDER_UNIT of products without one, as in UN/ECE Recommendation 20. Default C62 (piece).'),
    '^[A-Z0-9]{2,3}$',
  ),
  language: matches(
    leaf('string', 'The locale of the catalogue, such as de_DE. Default: the first one of the export.'),
    '^[a-z]{2,3}_[A-Z]{2,3}$',
  ),
  etim: matches(leaf('string', 'The version of ETIM. Default 9.0.'), '^[0-9A-Za-z_.]{1,20}$'),
  eclass: matches(leaf('string', 'The version of ECLASS. Default 13.0.'), '^[0-9A-Za-z_.]{1,20}$'),
})

export const TransferProfile = type('transferProfile', 'A mapping profile: how to read and write tables.', {
  name: leaf('string'),
  description: leaf('string'),
  layout: leaf(
    transferLayouts,
    `${layoutDoc} Default: detected in imports, if the profile has no columns; plain in exports.`,
  ),
  encoding: leaf(
    transferEncodings,
    'Encoding of CSV files in imports. Default: detected. A byte order mark has priority.',
  ),
  delimiter: leaf('string', 'Delimiter between CSV cells. Default: detected.'),
  headerRow: expects(leaf('integer', 'The row with the headings. The rows above it are skipped. Default 1.'), 1, 1000),
  sheet: matches(
    leaf('string', 'For workbooks: the name of the sheet. Default: the first visible one.'),
    '^[^[\\]:*?/\\\\]{1,31}$',
  ),
  separator: leaf('string', 'Separator between list values in one cell. Default |.'),
  decimal: leaf(decimalSigns, 'Decimal sign of numbers. Default: a point.'),
  thousands: leaf(
    thousandsSigns,
    'Sign between groups of three digits. Default: none. A space includes protected and narrow ones.',
  ),
  dateFormat: leaf(
    'string',
    'Notation of dates, such as DD.MM.YYYY, M/D/YYYY or YYYY-MM-DD HH:mm, in UTC. MM and DD have two digits, M and D one or two. Default: ISO 8601.',
  ),
  trueWords: leaves('string', 'Words for true, such as yes. Case does not matter. Exports write the first one.'),
  falseWords: leaves('string', 'Words for false.'),
  formulas: leaf(formulaRules, formulasDoc),
  trim: leaf('boolean', 'Whether spaces around values are removed. Default false.'),
  emptyClears: leaf('boolean', 'Whether an empty cell clears the value. Default false.'),
  deletions: leaf(
    deletionRules,
    'Products that a catalogue of another system asks to delete: refuse (default) refuses the row, delete deletes the product.',
  ),
  mediaPath: leaf('string', 'Directory for the files of a zip, and for downloaded files. Default /MAM/Import.'),
  constants: map(
    'Values of all rows of an import that no column has, by heading, such as node or TITLE@de_DE. They are not in the notation of the profile.',
  ),
  catalog: child(() => TransferCatalog, 'The head of a catalogue in exports as BMEcat.'),
  columns: children(() => TransferColumn, 'Columns that are not listed here are mapped by their headings.'),
})
export const TransferProfileList = type('transferProfileList', 'Mapping profiles by name.', {
  profiles: children(() => TransferProfile),
})

export const TransferProfileVersion = type('transferProfileVersion', 'A version of a mapping profile.', {
  version: leaf('integer', 'From 1. The highest one is the current version.'),
  modifiedAt: leaf('date'),
  modifiedBy: leaf('string'),
  profile: child(() => TransferProfile),
})
export const TransferProfileVersionList = type('transferProfileVersionList', 'Versions of a profile, newest first.', {
  versions: children(() => TransferProfileVersion),
})

export const TransferCounts = type('transferCounts', 'Numbers of objects by outcome.', {
  created: leaf('long'),
  updated: leaf('long'),
  unchanged: leaf('long'),
  refused: leaf('long'),
  deleted: leaf('long'),
})

export const TransferNote = type(
  'transferNote',
  'Content of a file that is not imported, or a file that is not exported.',
  {
    place: leaf('string', 'The element or column, such as FEATURE/VARIANTS or EF000001.'),
    reason: leaf('string'),
    count: leaf('long', 'How often it occurs in the file.'),
  },
)

export const Transfer = type('transfer', 'An import or an export.', {
  id: leaf('string'),
  direction: leaf('string', 'import or export.'),
  name: leaf('string', 'File name.'),
  format: leaf(transferFormats),
  encoding: leaf(transferEncodings, 'For CSV imports: the encoding in which the file is read, given or detected.'),
  layout: leaf(transferLayouts, `${layoutDoc} For imports: given or detected, once the file has been read.`),
  createModel: leaf('boolean', 'For imports: whether attributes and categories that the file needs are created.'),
  state: leaf(transferStates),
  total: leaf('long', 'Total number of rows or objects, if known.'),
  processed: leaf('long'),
  share: leaf('number', 'Progress from 0 to 1. For imports: the share of bytes read.'),
  created: leaf('long', 'For imports: rows that created an object.'),
  updated: leaf('long', 'For imports: rows of objects that were changed.'),
  unchanged: leaf('long', 'For imports: rows without a change.'),
  refused: leaf('long', 'For imports: refused rows.'),
  objects: child(
    () => TransferCounts,
    'For an import that has ended: products and other objects, which may have several rows each.',
  ),
  notes: children(
    () => TransferNote,
    'For an import with a layout: content of the file that is not imported, and pictures that could not be downloaded. For an export: files that were left out because of their usage rights, 100 at most.',
  ),
  profile: child(() => TransferProfile, 'For an import: the mapping profile with which it is read. Not in lists.'),
  series: leaf('string', 'For an export: the name of its series.'),
  deleted: leaf(
    'long',
    'For an export of a series: the number of deletions in it. For an import: the number of products that it has deleted.',
  ),
  size: leaf('long', 'Size of the file in bytes.'),
  problem: leaf('string', 'The reason for a failure.'),
  user: leaf('string'),
  createdAt: leaf('date'),
  endedAt: leaf('date'),
})
export const TransferList = type('transferList', 'Imports and exports, newest first.', {
  transfers: children(() => Transfer),
})

export const TransferFault = type('transferFault', 'An error in a row.', {
  column: leaf('string', 'Absent if the error concerns the whole row.'),
  reason: leaf('string'),
})
export const TransferRow = type('transferRow', 'The result of a row.', {
  row: leaf('long', 'Row number in the file. The first row after the heading is 1.'),
  status: leaf('string', 'created, updated, unchanged, refused or deleted.'),
  tid: leaf('string'),
  faults: children(() => TransferFault),
  warnings: children(
    () => TransferFault,
    'Pictures of a shop that could not be downloaded, without which the row is imported; and texts that are stored although a glossary warns of them.',
  ),
  cells: leaves('string', 'With cells=true: the cells of the row, in the order of the headings.'),
})
export const TransferRowList = type('transferRowList', 'Rows in file order.', {
  rows: children(() => TransferRow),
  headings: leaves('string', 'With cells=true: the headings of the file.'),
})
export const CorrectedRow = type('correctedRow', 'A row with its corrected cells.', {
  row: required(safe(leaf('long', 'Row number in the file.'))),
  cells: leaves('string', 'All cells, in the order of the headings.'),
})
export const TransferCorrections = type('transferCorrections', 'Rows of an import to import again.', {
  rows: children(() => CorrectedRow),
})

export const TransferPreviewRow = type('transferPreviewRow', 'A row as interpreted by the import.', {
  row: leaf('long'),
  item: anything('The object as it would be sent to persist.'),
  faults: children(() => TransferFault),
  warnings: children(() => TransferFault, 'As the results of rows have them.'),
})
export const TransferPreviewColumn = type('transferPreviewColumn', 'A column as interpreted by the import.', {
  column: leaf('string'),
  meaning: leaf('string', 'For example article:COLOUR or TITLE@de_DE. Absent if the column cannot be mapped.'),
  fault: leaf('string'),
})
export const TransferPreview = type('transferPreview', 'A preview of an import: its columns and first rows.', {
  columns: children(() => TransferPreviewColumn),
  rows: children(() => TransferPreviewRow),
  notes: children(() => TransferNote, 'With a layout: content of the whole file that is not imported.'),
})

export const guessReasons = ['heading', 'tid', 'label', 'word', 'similar', 'profile', 'none'] as const
export const TransferSample = type('transferSample', 'A cell of the file and the value that it becomes.', {
  cell: leaf('string', 'As the file has it.'),
  value: leaf('string', 'As it would be stored. Absent if the cell cannot be read.'),
  fault: leaf('string', 'Why the cell cannot be read.'),
})
export const TransferMappedColumn = type('transferMappedColumn', 'A column of a file, with its target and samples.', {
  column: leaf('string', 'The heading.'),
  target: child(() => TransferColumn, 'The target. Absent if it is not known.'),
  meaning: leaf('string', 'The target as a heading, such as article:COLOUR or TITLE@de_DE.'),
  confidence: leaf('number', 'How sure the guess is, from 0 to 1.'),
  reason: leaf(
    guessReasons,
    'Why the target was chosen: the heading is one of Kontor, a tid, a label, a well-known word, or similar to one of these. profile: the profile names it. none: no target was found.',
  ),
  samples: children(() => TransferSample, 'Some different cells.'),
  fault: leaf('string', 'Why the column cannot be imported.'),
})
export const TransferMapping = type('transferMapping', 'How a file is read with a profile.', {
  profile: child(() => TransferProfile),
  columns: children(() => TransferMappedColumn, 'In the order of the file; columns that only the profile has follow.'),
  sheets: leaves('string', 'For workbooks: the visible sheets.'),
  rows: children(() => TransferPreviewRow, 'The first rows as they would be imported. Nothing is stored.'),
})

export const translationStates = ['open', 'missing', 'stale', 'all'] as const
export const TranslationOrder = type('translationOrder', 'The texts of an export for translators, as XLIFF 2.1.', {
  source: leaf(
    'string',
    'The locale to translate from. Default: the one that an administrator has chosen for all texts.',
  ),
  target: required(leaf('string', 'The locale to translate into.')),
  state: leaf(
    translationStates,
    'missing: texts without a translation. stale: texts whose source has changed since they were translated. open (default): both. all: also those that are translated.',
  ),
  memory: leaf(
    'boolean',
    'Whether missing texts have the translation of the same text of another product, as a target in the state initial. Default false.',
  ),
})

/** The largest number of texts of one call. */
export const maxSuggestions = 50
export const SuggestionRequest = type('suggestionRequest', 'Texts to look up in the translation memory.', {
  source: leaf('string', 'The locale of the texts. Default: the one that an administrator has chosen for all texts.'),
  target: required(leaf('string', 'The locale to translate into.')),
  texts: expects(leaves('string', 'The texts to translate.'), 1, maxSuggestions),
  richtext: leaf('boolean', 'Whether these are formatted texts (HTML). Default false.'),
  tid: leaf('string', 'Instead of texts: a product, whose missing and stale texts are looked up. Lists are left out.'),
})
export const TranslationMatch = type('translationMatch', 'A translation that products have.', {
  source: leaf('string', 'The text that was translated.'),
  target: leaf('string', 'Its translation.'),
  score: leaf('integer', 'How similar the source is to the text, from 60 to 100. 100 is the same text.'),
  product: leaf('string', 'The tid of a product that has it.'),
  name: leaf('string', 'The name of the product.'),
  attribute: leaf('string'),
})
export const SuggestedText = type('suggestedText', 'A text and its best translations.', {
  level: leaf(productTypes, 'Of a text of a product.'),
  tid: leaf('string', 'Of the product, article or variation.'),
  attribute: leaf('string'),
  text: leaf('string'),
  matches: children(() => TranslationMatch, 'Best first, at most three.'),
})
export const SuggestionList = type('suggestionList', 'What the translation memory knows.', {
  source: leaf('string', 'The locale of the texts.'),
  suggestions: children(() => SuggestedText, 'Of a product: only texts with a match.'),
})

export const ExportRequest = type(
  'exportRequest',
  'The products to export: by node, by tid or by stored search. A zip includes their linked files.',
  {
    format: required(leaf(transferFormats)),
    name: leaf('string', 'File name.'),
    profile: leaf('string', 'A mapping profile that defines the columns. Default: all columns.'),
    layout: leaf(transferLayouts, `${layoutDoc} Default: that of the profile, otherwise plain.`),
    columns: leaves(
      'string',
      'The columns as headings, instead of a profile: TITLE@de_DE. TITLE alone means all languages, and group:TID the attributes of a group. Articles and variations have rows of their own only if columns name them: article:tid.',
    ),
    pictures: leaf(
      'string',
      'The tid of a rendition profile. A zip then includes pictures as renditions; CSV, workbooks and layouts have their public addresses, which are valid for a year. Default: the files and paths of the assets.',
    ),
    inherited: leaf(
      'boolean',
      'Whether cells of plain tables have the values that products, articles and variations inherit, from their category or the level above. An import stores them as own values. Default: false. Layouts of shops and BMEcat, JSON lines and XML always have them.',
    ),
    channelTid: leaf(
      'string',
      'The channel for which the file is made: the tid of a channel. Linked files that are not cleared for it are left out.',
    ),
    medium: leaf(usageMedia, 'The medium. Linked files that are not cleared for it are left out.'),
    territory: matches(
      leaf('string', 'The country, such as DE. Linked files that are not cleared for it are left out.'),
      '^[A-Z]{2}$',
    ),
    locales: leaves('string', 'The languages of localized values: de_DE. Default: all.'),
    translation: child(() => TranslationOrder, 'Only with the layout xliff, which needs it.'),
    formulas: leaf(formulaRules, formulasDoc),
    nodePaths: leaves(
      'string',
      'Categories with everything below them: by technical path, or by the names that the console shows.',
    ),
    tids: leaves('string'),
    storedSearch: safe(leaf('long', 'Id of one of your stored searches.')),
    series: leaf(
      'string',
      'A name for incremental exports. Each export of the series contains the products that changed since the last finished one, and a deletion for each that no longer exists, is no longer selected or may no longer be read. Every user has their own series.',
    ),
  },
)
