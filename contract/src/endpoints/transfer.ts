/** Import and export of files: CSV, XLSX, XML, JSON lines, and zip with media. */
import { area, flag, nextPage, whole, word } from '../endpoint.ts'
import {
  ExportRequest,
  SuggestionList,
  SuggestionRequest,
  Transfer,
  TransferCorrections,
  TransferList,
  TransferMapping,
  TransferPreview,
  TransferProfile,
  TransferProfileList,
  TransferProfileVersionList,
  TransferRowList,
  transferLayouts,
} from '../schema/transfer.ts'

const read = { access: 'user', formats: 'json', own: true, needs: { action: 'read' } } as const
const write = { access: 'user', formats: 'json', own: true, needs: { action: 'update' } } as const
const one = [200, 400, 401, 404, 409] as const

// prettier-ignore
export const transfer = area({
  base: '/api/v1/transfers',
  doc: 'Imports and exports as background jobs: preview, validation, a result per row, progress, pause and resume.',
  resources: {},
  routes: {
    listProfiles:   { ...read, doc: 'Lists all mapping profiles by name, with the parts that you may see.', method: 'GET', path: '/profiles', reply: TransferProfileList, statuses: [200, 400, 401],
                      query: { after: nextPage.id, count: whole('Page size. Default 500.', 1, 1000) } },
    getProfile:     { ...read, doc: 'Returns a mapping profile, with the parts that you may see.', method: 'GET', path: '/profiles/{name}', reply: TransferProfile, statuses: [200, 401, 404] },
    putProfile:     { ...write, doc: 'Creates a mapping profile, or replaces it. The former one is kept as a version.', method: 'PUT', path: '/profiles/{name}', request: TransferProfile, reply: TransferProfile, statuses: [200, 400, 401, 403] },
    deleteProfile:  { ...write, doc: 'Deletes a mapping profile and its versions.', method: 'DELETE', path: '/profiles/{name}', statuses: [200, 401, 403, 404] },
    listProfileVersions: { ...read, doc: 'Lists the versions of a mapping profile, the current one first. The last 50 are kept.', method: 'GET', path: '/profiles/{name}/versions', reply: TransferProfileVersionList, statuses: [200, 401, 404] },
    restoreProfile: { ...write, doc: 'Makes an earlier version of a mapping profile the current one, as a new version.', method: 'POST', path: '/profiles/{name}/versions/{version}/restore', reply: TransferProfile, statuses: [200, 400, 401, 403, 404] },
    listTransfers:  { ...read, doc: 'Lists your imports and exports, newest first. Administrators see those of all users.', method: 'GET', path: '', reply: TransferList, statuses: [200, 400, 401, 410],
                      query: { after: nextPage.id, count: whole('Page size. Default 500.', 1, 1000) } },
    receiveImport:  { ...write, doc: 'Uploads a file to import. The body is the content of the file. The import begins with the command start.', method: 'POST', path: '/imports', requestBytes: true, reply: Transfer, statuses: [200, 400, 401, 404, 413],
                      query: { format: 'csv, xlsx, xml, jsonl or zip. Default: derived from the file name.', name: 'File name.', profile: 'A mapping profile for tables.', encoding: 'For CSV: the encoding of the file, such as windows-1252. Default: that of the profile, otherwise detected. A byte order mark has priority.', layout: word('The layout of the file, such as that of another system. Default: that of the profile, otherwise detected.', transferLayouts), createModel: flag('Whether to create attributes and categories that the file needs and that do not exist. Needs the right to do so. Default false.') } },
    createExport:   { ...read, doc: 'Starts an export.', method: 'POST', path: '/exports', request: ExportRequest, reply: Transfer, statuses: [200, 400, 401, 404] },
    suggestTranslations: { ...read, doc: 'Looks up texts in the translation memory: the texts of products that you may read, as far as they are translated and their source has not changed since.', method: 'POST', path: '/translations/suggestions', request: SuggestionRequest, reply: SuggestionList, statuses: [200, 400, 401, 404] },
    getTransfer:    { ...read, doc: 'Returns the state and progress of an import or export.', method: 'GET', path: '/{id}', reply: Transfer, statuses: [200, 401, 404] },
    previewImport:  { ...read, doc: 'Previews an import: how its columns and first rows are interpreted.', method: 'GET', path: '/{id}/preview', reply: TransferPreview, statuses: [200, 400, 401, 404],
                      query: { count: whole('Number of rows. Default 10, maximum 100.', 1) } },
    guessProfile:   { ...read, doc: 'Guesses a mapping profile for the table of an import: its layout, its notation, and the target of each column. Headings are compared with the tids and labels of the attributes that you may see. Columns in the profile of the import count for the notation as that profile maps them.', method: 'GET', path: '/{id}/guess', reply: TransferMapping, statuses: [200, 400, 401, 404] },
    tryProfile:     { ...read, doc: 'Reads the beginning of an import with a profile that need not be stored, and shows what its cells become.', method: 'POST', path: '/{id}/mapping', request: TransferProfile, reply: TransferMapping, statuses: [200, 400, 401, 404] },
    setProfile:     { ...write, doc: 'Changes the profile of an import that was not started yet. An earlier check no longer counts.', method: 'PUT', path: '/{id}/profile', request: TransferProfile, reply: Transfer, statuses: one,
                      query: { createModel: flag('Whether to create attributes and categories that the file needs and that do not exist. Default: as before.') } },
    controlTransfer:{ ...write, doc: 'Controls an import or export: validate, start, pause, resume or cancel.', method: 'POST', path: '/{id}/{command}', reply: Transfer, statuses: one },
    listRows:       { ...read, doc: 'Lists the results of the rows.', method: 'GET', path: '/{id}/rows', reply: TransferRowList, statuses: [200, 400, 401, 404],
                      query: { status: word('Only rows with this result; warned: rows with warnings.', ['created', 'updated', 'unchanged', 'refused', 'deleted', 'warned']), after: nextPage.whole, count: whole('Page size. Default 100, maximum 1000.', 1), cells: flag('true also returns the cells of tables.') } },
    correctRows:    { ...write, doc: 'Creates an import of some rows of a table with corrected cells and the same profile. It begins with the command start.', method: 'POST', path: '/{id}/corrections', request: TransferCorrections, reply: Transfer, statuses: one },
    downloadResult: { ...read, doc: 'Downloads the refused rows of an import as CSV, with their errors. Correct the rows and import the file again.', method: 'GET', path: '/{id}/result', reply: 'bytes', media: ['text/csv'], statuses: [200, 401, 404] },
    downloadFile:   { ...read, doc: 'Downloads the file of a finished export, or the imported file.', method: 'GET', path: '/{id}/file', reply: 'bytes', statuses: [200, 401, 404, 409] },
    deleteTransfer: { ...write, doc: 'Deletes a finished import or export and its file.', method: 'DELETE', path: '/{id}', statuses: one },
  },
})
