/** Import and export of files. A Kontor extension, JSON only. */
import { anything, children, leaf, leaves, required, safe, type } from './describe.ts'
import { productTypes } from './words.ts'

export const transferFormats = ['csv', 'xlsx', 'xml', 'jsonl', 'zip'] as const
const transferStates = ['received', 'validating', 'validated', 'running', 'paused', 'finished', 'failed', 'cancelled'] as const // prettier-ignore
const transferFields = ['tid', 'name', 'node', 'asset', 'ignore'] as const
const transferLevels = productTypes

export const TransferColumn = type('transferColumn', 'The mapping of a table column.', {
  column: required(leaf('string', 'The heading of the column.')),
  field: leaf(transferFields, 'A field of the object. asset names files in the same zip, or DAM files by path.'),
  linkType: leaf('string', 'For asset: the link type.'),
  attr: leaf('string', 'An attribute, instead of a field. For a column of a table attribute: table/column.'),
  locale: leaf('string', 'For localized attributes.'),
  position: leaf('integer', 'For lists: the position of one value, from 0. Default: all values, separated.'),
  level: leaf(transferLevels, 'Default product.'),
})
const formulaRules = ['escape', 'keep'] as const
const formulasDoc =
  'CSV cells that a spreadsheet would run as formulas: escape (default) puts an apostrophe before them, and imports remove it; keep leaves them as they are.'

export const TransferProfile = type('transferProfile', 'A mapping profile: how to read and write tables.', {
  name: leaf('string'),
  description: leaf('string'),
  delimiter: leaf('string', 'Delimiter between CSV cells. Default: detected.'),
  separator: leaf('string', 'Separator between list values in one cell. Default |.'),
  formulas: leaf(formulaRules, formulasDoc),
  emptyClears: leaf('boolean', 'Whether an empty cell clears the value. Default false.'),
  mediaPath: leaf('string', 'Directory for the files of a zip. Default /MAM/Import.'),
  columns: children(() => TransferColumn, 'Columns that are not listed here are mapped by their headings.'),
})
export const TransferProfileList = type('transferProfileList', 'Mapping profiles by name.', {
  profiles: children(() => TransferProfile),
})

export const Transfer = type('transfer', 'An import or an export.', {
  id: leaf('string'),
  direction: leaf('string', 'import or export.'),
  name: leaf('string', 'File name.'),
  format: leaf(transferFormats),
  state: leaf(transferStates),
  total: leaf('long', 'Total number of rows or objects, if known.'),
  processed: leaf('long'),
  share: leaf('number', 'Progress from 0 to 1. For imports: the share of bytes read.'),
  created: leaf('long'),
  updated: leaf('long'),
  refused: leaf('long'),
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
  status: leaf('string', 'created, updated or refused.'),
  tid: leaf('string'),
  faults: children(() => TransferFault),
})
export const TransferRowList = type('transferRowList', 'Rows in file order.', { rows: children(() => TransferRow) })

export const TransferPreviewRow = type('transferPreviewRow', 'A row as interpreted by the import.', {
  row: leaf('long'),
  item: anything('The object as it would be sent to persist.'),
  faults: children(() => TransferFault),
})
export const TransferPreviewColumn = type('transferPreviewColumn', 'A column as interpreted by the import.', {
  column: leaf('string'),
  meaning: leaf('string', 'For example article:COLOUR or TITLE@de_DE. Absent if the column cannot be mapped.'),
  fault: leaf('string'),
})
export const TransferPreview = type('transferPreview', 'A preview of an import: its columns and first rows.', {
  columns: children(() => TransferPreviewColumn),
  rows: children(() => TransferPreviewRow),
})

export const ExportRequest = type(
  'exportRequest',
  'The products to export: by node, by tid or by stored search. A zip includes their linked files.',
  {
    format: required(leaf(transferFormats)),
    name: leaf('string', 'File name.'),
    profile: leaf('string', 'A mapping profile that defines the columns. Default: all columns.'),
    columns: leaves('string', 'The columns as headings, instead of a profile: TITLE@de_DE.'),
    formulas: leaf(formulaRules, formulasDoc),
    nodePaths: leaves('string'),
    tids: leaves('string'),
    storedSearch: safe(leaf('long', 'Id of one of your stored searches.')),
    series: leaf(
      'string',
      'A name for incremental exports. The next export of the same series contains only changed and removed products.',
    ),
  },
)
