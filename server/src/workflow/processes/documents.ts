/**
 * Processes as search documents: the index FS_TABLE_WFL. A process is found by its starter, by users who have or had
 * one of its tasks, and by administrators.
 */
import { commonFields, type DocumentField, type DocumentSource, plainFields } from '../../core/outbox/documents.ts'
import { withoutTids } from '../linked.ts'
import * as rows from './documents.sql.ts'

// prettier-ignore
const fields: readonly DocumentField[] = [
  ...commonFields,
  { name: 'configIdentifier', type: 'keyword', weight: 1, label: { '': 'Configuration', de_DE: 'Konfiguration', fr_FR: 'Configuration' } },
  { name: 'definition',       type: 'keyword',            label: { '': 'Definition', fr_FR: 'Définition' } },
  { name: 'state',            type: 'keyword',            label: { '': 'State', de_DE: 'Zustand', fr_FR: 'État' } },
  { name: 'starter',          type: 'keyword', weight: 1, label: { '': 'Started by', de_DE: 'Gestartet von', fr_FR: 'Démarré par' } },
  { name: 'endDate',          type: 'date',               label: { '': 'Ended', de_DE: 'Beendet', fr_FR: 'Terminé le' } },
  { name: 'openTasks',        type: 'keyword', weight: 2, label: { '': 'Open tasks', de_DE: 'Offene Aufgaben', fr_FR: 'Tâches ouvertes' } },
  { name: 'assignees',        type: 'keyword', weight: 1, label: { '': 'Assignees', de_DE: 'Bearbeiter', fr_FR: 'Responsables' } },
  { name: 'dueDate',          type: 'date',               label: { '': 'Due', de_DE: 'Fällig', fr_FR: 'Échéance' } },
  { name: 'problem',          type: 'text',    weight: 1, long: true, label: { '': 'Problem', fr_FR: 'Problème' } },
  { name: 'objectType',       type: 'keyword',            label: { '': 'Kind of object', de_DE: 'Art des Objekts', fr_FR: "Genre d'objet" } },
  { name: 'objects',          type: 'keyword', weight: 5, names: '*', label: { '': 'Objects', de_DE: 'Objekte', fr_FR: 'Objets' } },
]

export const processDocuments: DocumentSource = {
  index: 'FS_TABLE_WFL',
  kinds: ['workflow'],
  audience: true,
  dataTypes: new Set(['workflow']),
  fields: async () => fields,
  async read(db, ids) {
    return (await rows.readProcesses(db, ids)).map((row) => ({
      id: row.id,
      fields: plainFields({
        id: row.id,
        tid: row.tid,
        name: row.name,
        itemType: 'workflow',
        creationDate: row.startedAt,
        creationUser: row.starter,
        configIdentifier: row.configIdentifier,
        definition: row.definitionKey,
        state: row.state,
        starter: row.starter,
        endDate: row.endedAt,
        openTasks: row.openTasks.map(withoutTids(new Set(row.objectTids))),
        assignees: row.assignees,
        dueDate: row.nextDue,
        // Other problems are written by jobs and can name objects that a finder of the process may not read.
        problem: row.state === 'cancelled' ? row.problem : null,
        objectType: row.objectTypes,
        objects: row.objectTids,
      }),
      scopes: { user: [...new Set([row.starter, ...row.users])], role: [...new Set(['admin', ...row.roles])] },
      refs: row.objectIds,
    }))
  },
  list: rows.listProcessIds,
  count: rows.countAll,
  find: rows.findByTid,
  // The document holds only tids of other objects, and tids never change.
  referred: async () => [],
}
