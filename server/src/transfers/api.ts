/** Functions of transfers that feeds may call. */
export { exportJob } from './exports.ts'
export { readFile, withCopy } from './files.ts'
export { importJob } from './imports.ts'
export type { TransferNeeds } from './needs.ts'
export { formatOf } from './open.ts'
export { seriesOf } from './selection.ts'
export { demandStoredProfile, mediaTypes, orderExport, receiveFile, startImport } from './transfers.ts'
export { findTransfer, type TransferRow } from './transfers.sql.ts'
