/** The care of stored files, for administrators. */
import { area, nextPage, whole } from '../endpoint.ts'
import {
  ArchiveOrder,
  ArchiveRequest,
  CareOutcomes,
  CareState,
  FileStatistics,
  HeldFiles,
  QuarantineDecision,
  ScrubRun,
  ScrubRuns,
} from '../schema/care.ts'

const admin = { access: 'admin', formats: 'json', own: true } as const

// prettier-ignore
export const care = area({
  base: '/api/v1/care',
  doc: 'The care of stored files: check for viruses, quarantine, damage, the archive and statistics. For administrators.',
  resources: {},
  routes: {
    getCare:          { ...admin, doc: 'Returns the state of the virus scanner and of the regular read of all files.', method: 'GET', path: '', reply: CareState, statuses: [200, 401, 403] },
    listHeld:         { ...admin, doc: 'Lists the files that nobody gets: not checked, in quarantine, too large to be checked, or damaged.', method: 'GET', path: '/held', reply: HeldFiles, statuses: [200, 400, 401, 403],
                        query: { after: nextPage.id, count: whole('Page size. Default 100.', 1, 500) } },
    decideHeld:       { ...admin, doc: 'Releases or deletes held files. Each file is decided on its own.', method: 'POST', path: '/held', request: QuarantineDecision, reply: CareOutcomes, statuses: [200, 400, 401, 403] },
    rescan:           { ...admin, doc: 'Checks all files for viruses again, in the background. Released files keep their release.', method: 'POST', path: '/scans', statuses: [200, 401, 403, 409] },
    archiveFolder:    { ...admin, doc: 'Moves the files of a folder to the archive, or back, in the background. Content that an asset outside of the selection has too stays where it is.', method: 'POST', path: '/archive', request: ArchiveRequest, reply: ArchiveOrder, statuses: [200, 400, 401, 403, 404, 409] },
    getStatistics:    { ...admin, doc: 'Counts files by folder, type and age. Computed at every call.', method: 'GET', path: '/statistics', query: { folder: 'The path of a folder; folders below it are included. Default: all.' }, reply: FileStatistics, statuses: [200, 400, 401, 403, 404] },
    listScrubs:       { ...admin, doc: 'Lists the passes over all stored files, newest first.', method: 'GET', path: '/scrubs', reply: ScrubRuns, statuses: [200, 400, 401, 403],
                        query: { after: nextPage.whole, count: whole('Page size. Default 20.', 1, 100) } },
    startScrub:       { ...admin, doc: 'Starts a pass over all stored files in the background. 409 while one is running.', method: 'POST', path: '/scrubs', reply: ScrubRun, statuses: [200, 401, 403, 409] },
    getScrub:         { ...admin, doc: 'Returns a pass with the files that are not whole and the assets that use them.', method: 'GET', path: '/scrubs/{id}', params: { id: whole('The id of the pass.', 1) }, reply: ScrubRun, statuses: [200, 400, 401, 403, 404],
                        query: { after: nextPage.id, count: whole('Page size of the findings. Default 100.', 1, 500) } },
  },
})
