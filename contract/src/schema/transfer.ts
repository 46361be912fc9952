/** Shapes of import and export of files. All ours, JSON only. */
import { anything, children, leaf, leaves, required, type } from './describe.ts'
import { productTypes } from './words.ts'

export const transferFormats = ['csv', 'xlsx', 'xml', 'jsonl', 'zip'] as const
export const transferStates = ['received', 'validating', 'validated', 'running', 'paused', 'finished', 'failed', 'cancelled'] as const // prettier-ignore
export const transferFields = ['tid', 'name', 'node', 'asset', 'ignore'] as const
export const transferLevels = productTypes

export const TransferColumn = type('transferColumn', 'What a column of a table means.', {
  column: required(leaf('string', 'Its heading.')),
  field: leaf(
    transferFields,
    'A part of the object itself; asset names files of the same zip, or of the DAM by their paths.',
  ),
  linkType: leaf('string', 'Of asset: the type of the link.'),
  attr: leaf('string', 'Or an attribute; a column of a table attribute as table/column.'),
  locale: leaf('string', 'Of a localized attribute.'),
  position: leaf('integer', 'Of a list: which of its values, from 0; all of them, separated, when absent.'),
  level: leaf(transferLevels, 'Default product.'),
})
export const TransferProfile = type('transferProfile', 'How tables are read and written.', {
  name: leaf('string'),
  description: leaf('string'),
  delimiter: leaf('string', 'Between the cells of CSV; found out when absent.'),
  separator: leaf('string', 'Between values of a list in one cell; | by default.'),
  emptyClears: leaf('boolean', 'Whether an empty cell removes the value; it is left alone by default.'),
  mediaPath: leaf('string', 'Directory for the files of a zip; /MAM/Import by default.'),
  columns: children(() => TransferColumn, 'Columns that are not named here are read by their headings.'),
})
export const TransferProfileList = type('transferProfileList', 'Profiles by name.', {
  profiles: children(() => TransferProfile),
})

export const Transfer = type('transfer', 'An import or export.', {
  id: leaf('string'),
  direction: leaf('string', 'import or export.'),
  name: leaf('string', 'Name of the file.'),
  format: leaf(transferFormats),
  state: leaf(transferStates),
  total: leaf('long', 'Rows or objects in all, as far as known.'),
  processed: leaf('long'),
  share: leaf('number', 'How much of it is done, from 0 to 1; of an import by the bytes that were read.'),
  created: leaf('long'),
  updated: leaf('long'),
  refused: leaf('long'),
  size: leaf('long', 'Bytes of the file.'),
  problem: leaf('string', 'What ended it.'),
  user: leaf('string'),
  createdAt: leaf('date'),
  endedAt: leaf('date'),
})
export const TransferList = type('transferList', 'Imports and exports, newest first.', {
  transfers: children(() => Transfer),
})

export const TransferFault = type('transferFault', 'What is wrong with a row.', {
  column: leaf('string', 'Absent where it concerns the whole row.'),
  reason: leaf('string'),
})
export const TransferRow = type('transferRow', 'What became of a row.', {
  row: leaf('long', 'Its number in the file, the first one after the heading is 1.'),
  status: leaf('string', 'created, updated or refused.'),
  tid: leaf('string'),
  faults: children(() => TransferFault),
})
export const TransferRowList = type('transferRowList', 'Rows in order.', { rows: children(() => TransferRow) })

export const TransferPreviewRow = type('transferPreviewRow', 'A row as it is understood.', {
  row: leaf('long'),
  item: anything('The object as persist would get it.'),
  faults: children(() => TransferFault),
})
export const TransferPreviewColumn = type('transferPreviewColumn', 'How a column is understood.', {
  column: leaf('string'),
  meaning: leaf('string', 'Like article:COLOUR or TITLE@de_DE; absent where it is not understood.'),
  fault: leaf('string'),
})
export const TransferPreview = type('transferPreview', 'The first rows of an import.', {
  columns: children(() => TransferPreviewColumn),
  rows: children(() => TransferPreviewRow),
})

export const ExportRequest = type(
  'exportRequest',
  'What to export: products of nodes, by tid, or of a stored search. A zip has the files that are linked to them.',
  {
    format: required(leaf(transferFormats)),
    name: leaf('string', 'Name of the file.'),
    profile: leaf('string', 'Which columns; all when absent.'),
    columns: leaves('string', 'Or the columns as headings: TITLE@de_DE.'),
    nodePaths: leaves('string'),
    tids: leaves('string'),
    storedSearch: leaf('long', 'Id of a stored search of the caller.'),
    series: leaf('string', 'A name under which the next export of it contains only what changed, and what went away.'),
  },
)
