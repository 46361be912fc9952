/** Import and export of files: CSV, XLSX, XML, JSON lines, and zip with media. */
import { area } from '../endpoint.ts'
import {
  ExportRequest,
  Transfer,
  TransferList,
  TransferPreview,
  TransferProfile,
  TransferProfileList,
  TransferRowList,
} from '../schema/transfer.ts'

const read = { access: 'user', formats: 'json', own: true, needs: { action: 'read' } } as const
const write = { access: 'user', formats: 'json', own: true, needs: { action: 'update' } } as const
const one = [200, 400, 401, 404, 409] as const

// prettier-ignore
export const transfer = area({
  base: '/api/v1/transfers',
  doc: 'Import and export of files as jobs: preview, validation, one outcome per row, progress, pause and resume.',
  resources: {},
  routes: {
    listProfiles:   { ...read, doc: 'All mapping profiles.', method: 'GET', path: '/profiles', reply: TransferProfileList, statuses: [200, 401] },
    putProfile:     { ...write, doc: 'Makes a mapping profile, or makes it so.', method: 'PUT', path: '/profiles/{name}', request: TransferProfile, reply: TransferProfile, statuses: [200, 400, 401] },
    deleteProfile:  { ...write, doc: 'Removes a mapping profile.', method: 'DELETE', path: '/profiles/{name}', statuses: [200, 401, 404] },
    listTransfers:  { ...read, doc: 'Imports and exports of the caller; of everybody for administrators.', method: 'GET', path: '', reply: TransferList, statuses: [200, 401] },
    receiveImport:  { ...write, doc: 'Takes a file: the body is its bytes. It is imported when it is started.', method: 'POST', path: '/imports', requestBytes: true, reply: Transfer, statuses: [200, 400, 401, 413],
                      query: { format: 'csv, xlsx, xml, jsonl or zip; by the name of the file when absent.', name: 'Name of the file.', profile: 'A mapping profile for tables.' } },
    createExport:   { ...read, doc: 'Begins an export.', method: 'POST', path: '/exports', request: ExportRequest, reply: Transfer, statuses: [200, 400, 401, 404] },
    getTransfer:    { ...read, doc: 'State and progress.', method: 'GET', path: '/{id}', reply: Transfer, statuses: [200, 401, 404] },
    previewImport:  { ...read, doc: 'How the columns and first rows of an import are understood.', method: 'GET', path: '/{id}/preview', reply: TransferPreview, statuses: [200, 400, 401, 404],
                      query: { count: 'So many rows; 10 by default, 100 at most.' } },
    controlTransfer:{ ...write, doc: 'validate, start, pause, resume or cancel.', method: 'POST', path: '/{id}/{command}', reply: Transfer, statuses: one },
    listRows:       { ...read, doc: 'What became of the rows.', method: 'GET', path: '/{id}/rows', reply: TransferRowList, statuses: [200, 400, 401, 404],
                      query: { status: 'Only rows that were created, updated or refused.', after: 'Only rows behind this one.', count: 'At most so many; 100 by default, 1000 at most.' } },
    downloadResult: { ...read, doc: 'The refused rows of an import as CSV, with what is wrong: to be corrected and sent again.', method: 'GET', path: '/{id}/result', reply: 'bytes', statuses: [200, 401, 404] },
    downloadFile:   { ...read, doc: 'The file of a finished export, or that was imported.', method: 'GET', path: '/{id}/file', reply: 'bytes', statuses: [200, 401, 404, 409] },
    deleteTransfer: { ...write, doc: 'Removes a transfer that has ended, with its file.', method: 'DELETE', path: '/{id}', statuses: one },
  },
})
