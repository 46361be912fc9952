/** The words of the workflows. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Workflow', processes: 'Running and past', workflows: 'Workflows', definitions: 'Definitions', jobs: 'Jobs', start: 'Start', startTitle: 'Start “{name}”', objects: 'Objects (tids, one per process)', together: 'All in one process', objectKind: 'Kind of object', started: 'One process has started|{count} processes have started', parameters: 'Parameters',
    running: 'running', finished: 'finished', cancelled: 'cancelled', failed: 'failed', starter: 'Started by', begun: 'Started', state: 'State', about: 'About', openTasks: 'Open tasks', none: 'Nothing has been started yet', noneHint: 'Choose a workflow and start it for a product, an asset, a channel or a glossary.', cancel: 'Cancel process', cancelTitle: 'Cancel this process?', cancelBody: 'Its open tasks disappear from the inboxes. What it has done already stays.', cancelDone: 'Cancelled',
    version: 'Version {version}', edit: 'Edit', check: 'Check', deploy: 'Deploy', deployed: 'Deployed as a new version', faults: 'one fault|{count} faults', sound: 'This file can be deployed', history: 'Steps', overdue: '{count} overdue', average: 'takes {time} on average', retry: 'Run again', noJobs: 'No failed jobs', attempts: 'Attempts', problem: 'Problem', retried: 'It runs again', diagram: 'Diagram', missing: 'There is no such process', tid: 'Process', object: 'Object',
    hours: '{count} h', minutes: '{count} min',
  },
  de: {
    title: 'Abläufe', processes: 'Laufende und vergangene', workflows: 'Abläufe', definitions: 'Definitionen', jobs: 'Jobs', start: 'Starten', startTitle: '„{name}“ starten', objects: 'Objekte (Tids, je Ablauf eines)', together: 'Alle in einem Ablauf', objectKind: 'Art des Objekts', started: 'Ein Ablauf ist gestartet|{count} Abläufe sind gestartet', parameters: 'Parameter',
    running: 'läuft', finished: 'beendet', cancelled: 'abgebrochen', failed: 'gescheitert', starter: 'Gestartet von', begun: 'Gestartet', state: 'Zustand', about: 'Worum es geht', openTasks: 'Offene Aufgaben', none: 'Es wurde noch nichts gestartet', noneHint: 'Wählen Sie einen Ablauf und starten Sie ihn für ein Produkt, ein Medium, einen Kanal oder ein Glossar.', cancel: 'Ablauf abbrechen', cancelTitle: 'Diesen Ablauf abbrechen?', cancelBody: 'Seine offenen Aufgaben verschwinden. Was er schon getan hat, bleibt.', cancelDone: 'Abgebrochen',
    version: 'Version {version}', edit: 'Bearbeiten', check: 'Prüfen', deploy: 'Einsetzen', deployed: 'Als neue Version eingesetzt', faults: 'ein Fehler|{count} Fehler', sound: 'Diese Datei kann eingesetzt werden', history: 'Schritte', overdue: '{count} überfällig', average: 'dauert im Schnitt {time}', retry: 'Noch einmal', noJobs: 'Keine gescheiterten Jobs', attempts: 'Versuche', problem: 'Problem', retried: 'Läuft noch einmal', diagram: 'Diagramm', missing: 'Diesen Ablauf gibt es nicht', tid: 'Ablauf', object: 'Objekt',
    hours: '{count} Std.', minutes: '{count} Min.',
  },
})
