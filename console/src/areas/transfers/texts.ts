/** The words of import and export. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Import & export', list: 'Files', import: 'Import a file', export: 'Export products', none: 'No files yet', noneBody: 'Send a table, an XML file or a zip with pictures: you see how it is understood before anything is stored.',
    choose: 'Choose a file to see what became of it.', in: 'Import', out: 'Export', byWhom: '{name}, {when}', processed: '{count} rows', products: '{count} products',
    received: 'Ready to start', validating: 'Being checked', validated: 'Checked', running: 'Running', paused: 'Paused', finished: 'Finished', failed: 'Failed', cancelled: 'Cancelled',
    validate: 'Check', start: 'Start', pause: 'Pause', resume: 'Resume', cancel: 'Stop', download: 'Download', result: 'Refused rows as CSV', original: 'The file',
    created: '{count} created', updated: '{count} updated', refused: '{count} refused', preview: 'How it is understood', column: 'Column', meaning: 'Meaning', row: 'Row', what: 'Object', reason: 'Reason',
    faults: 'Refused rows', unread: 'not understood', profile: 'Mapping profile', byHeadings: 'By the headings', format: 'Format', node: 'Node', nodeHint: 'A path, such as /Shop/Boats. Everything when empty.',
    stored: 'Stored search', everything: 'None', series: 'Series', seriesHint: 'With a name, the next export of it has only what changed and what went away.', deleteTitle: 'Remove this file?', deleteBody: 'What was imported stays; the file and what became of its rows are removed.',
  },
  de: {
    title: 'Import & Export', list: 'Dateien', import: 'Datei importieren', export: 'Produkte exportieren', none: 'Noch keine Dateien', noneBody: 'Senden Sie eine Tabelle, eine XML-Datei oder ein ZIP mit Bildern: Sie sehen, wie sie verstanden wird, bevor etwas gespeichert wird.',
    choose: 'Wählen Sie eine Datei, um zu sehen, was aus ihr geworden ist.', in: 'Import', out: 'Export', byWhom: '{name}, {when}', processed: '{count} Zeilen', products: '{count} Produkte',
    received: 'Bereit', validating: 'Wird geprüft', validated: 'Geprüft', running: 'Läuft', paused: 'Angehalten', finished: 'Fertig', failed: 'Fehlgeschlagen', cancelled: 'Abgebrochen',
    validate: 'Prüfen', start: 'Starten', pause: 'Anhalten', resume: 'Fortsetzen', cancel: 'Abbrechen', download: 'Herunterladen', result: 'Abgelehnte Zeilen als CSV', original: 'Die Datei',
    created: '{count} angelegt', updated: '{count} geändert', refused: '{count} abgelehnt', preview: 'So wird sie verstanden', column: 'Spalte', meaning: 'Bedeutung', row: 'Zeile', what: 'Objekt', reason: 'Grund',
    faults: 'Abgelehnte Zeilen', unread: 'nicht verstanden', profile: 'Zuordnungsprofil', byHeadings: 'Nach den Überschriften', format: 'Format', node: 'Knoten', nodeHint: 'Ein Pfad wie /Shop/Boote. Leer heißt alles.',
    stored: 'Gespeicherte Suche', everything: 'Keine', series: 'Serie', seriesHint: 'Mit einem Namen hat der nächste Export nur, was sich geändert hat und was weg ist.', deleteTitle: 'Diese Datei entfernen?', deleteBody: 'Was importiert wurde, bleibt; die Datei und das Ergebnis ihrer Zeilen werden entfernt.',
  },
})
