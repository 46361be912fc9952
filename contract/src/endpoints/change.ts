/** Changes of many objects at once, with preview and undo. */
import { area, nextPage, whole, word } from '../endpoint.ts'
import {
  Change,
  ChangeItemList,
  ChangeList,
  changeOutcomes,
  ChangeRequest,
  PatternGuesses,
  PatternRequest,
} from '../schema/change.ts'

const read = { access: 'user', formats: 'json', own: true, needs: { action: 'read' } } as const
const write = { access: 'user', formats: 'json', own: true, needs: { action: 'update' } } as const

// prettier-ignore
export const change = area({
  base: '/api/v1/changes',
  doc: 'Changes of many products or assets as background jobs: preview, result per object, undo.',
  resources: {},
  routes: {
    listChanges:   { ...read, doc: 'Lists your changes, newest first. Administrators see those of all users.', method: 'GET', path: '', reply: ChangeList, statuses: [200, 400, 401, 410],
                     query: { after: nextPage.id, count: whole('Page size. Default 500.', 1, 1000) } },
    createChange:  { ...write, doc: 'Prepares a change: selects the objects and checks the operations. It begins with the command start.', method: 'POST', path: '', request: ChangeRequest, reply: Change, statuses: [200, 400, 401, 404] },
    guessPatterns: { ...read, doc: 'Guesses how file names contain products and roles, for the operation linkByName.', method: 'POST', path: '/patterns', request: PatternRequest, reply: PatternGuesses, statuses: [200, 400, 401, 404] },
    getChange:     { ...read, doc: 'Returns the state, progress and counts of a change.', method: 'GET', path: '/{id}', reply: Change, statuses: [200, 401, 404] },
    controlChange: { ...write, doc: 'Controls a change: preview, start, cancel or undo. Undo restores the former values, except of objects that were changed since.', method: 'POST', path: '/{id}/{command}', reply: Change, statuses: [200, 400, 401, 404, 409] },
    listChangeItems: { ...read, doc: 'Lists the outcome for each object, with values before and after.', method: 'GET', path: '/{id}/items', reply: ChangeItemList, statuses: [200, 400, 401, 404],
                     query: { status: word('Only objects with this outcome.', changeOutcomes), undo: word('Only objects with this outcome of undo.', ['undone', 'refused']), after: nextPage.whole, count: whole('Page size. Default 100, maximum 1000.', 1) } },
    deleteChange:  { ...write, doc: 'Deletes a change that does not run, and with it the values for undo.', method: 'DELETE', path: '/{id}', statuses: [200, 401, 404, 409] },
  },
})
