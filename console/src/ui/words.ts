/** Words that every page uses. */
import { defineTexts } from './language.tsx'

// prettier-ignore
export const words = defineTexts({
  en: {
    save: 'Save', cancel: 'Cancel', close: 'Close', delete: 'Delete', remove: 'Remove', edit: 'Edit', add: 'Add', create: 'Create',
    rename: 'Rename', undo: 'Undo', retry: 'Try again', loading: 'Loading …', search: 'Search', filter: 'Filter', clear: 'Clear',
    name: 'Name', type: 'Type', updated: 'Updated', created: 'Created', by: 'by', all: 'All', none: 'None', more: 'More', open: 'Open',
    saved: 'Saved', copied: 'Copied', copy: 'Copy', yes: 'Yes', no: 'No', back: 'Back', next: 'Next', apply: 'Apply', columns: 'Columns',
    select: 'Select', selectAll: 'Select all', selected: 'one selected|{count} selected', actions: 'Actions', details: 'Details',
    failed: 'That did not work', supportId: 'Support id', history: 'History', locale: 'Content language', nothing: 'Nothing here yet',
    expand: 'Expand', collapse: 'Collapse', error: 'Error', refused: 'one refused|{count} refused', download: 'Download', upload: 'Upload',
    previous: 'Previous', row: 'Row {row}', sortBy: 'Sort by {column}', move: 'Move',
  },
  de: {
    save: 'Speichern', cancel: 'Abbrechen', close: 'Schließen', delete: 'Löschen', remove: 'Entfernen', edit: 'Bearbeiten', add: 'Hinzufügen', create: 'Anlegen',
    rename: 'Umbenennen', undo: 'Rückgängig', retry: 'Noch einmal versuchen', loading: 'Lädt …', search: 'Suchen', filter: 'Filtern', clear: 'Leeren',
    name: 'Name', type: 'Typ', updated: 'Geändert', created: 'Angelegt', by: 'von', all: 'Alle', none: 'Keine', more: 'Mehr', open: 'Öffnen',
    saved: 'Gespeichert', copied: 'Kopiert', copy: 'Kopieren', yes: 'Ja', no: 'Nein', back: 'Zurück', next: 'Weiter', apply: 'Anwenden', columns: 'Spalten',
    select: 'Auswählen', selectAll: 'Alle auswählen', selected: 'eins ausgewählt|{count} ausgewählt', actions: 'Aktionen', details: 'Details',
    failed: 'Das ging nicht', supportId: 'Support-Nummer', history: 'Verlauf', locale: 'Sprache der Inhalte', nothing: 'Hier ist noch nichts',
    expand: 'Aufklappen', collapse: 'Zuklappen', error: 'Fehler', refused: 'eins abgelehnt|{count} abgelehnt', download: 'Herunterladen', upload: 'Hochladen',
    previous: 'Zurück', row: 'Zeile {row}', sortBy: 'Sortieren nach {column}', move: 'Verschieben',
  },
})
