/** The words of the assets and of one asset. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Assets', directories: 'Directories', keywords: 'Keywords', storage: 'Storage', newDirectory: 'New directory', directoryName: 'Name of the directory',
    renameDirectory: 'Rename directory', deleteDirectory: 'Delete directory “{name}”?', deleteDirectoryBody: 'It goes to the trash with everything in it, and can be restored from there.',
    emptyTitle: 'No files here yet', emptyBody: 'Drop files anywhere on this page, or choose them.', chooseDirectory: 'Choose a directory to see its files.',
    nothingFound: 'Nothing matches the filter', filter: 'Filter by name', kinds: 'Kinds of file', wall: 'Files', found: 'one file|{count} files', dropHere: 'Drop to upload into {path}',
    chooseFiles: 'Choose files', deleteAssets: 'Delete one file?|Delete {count} files?', deleteAssetsBody: 'They go to the trash and can be restored from there. What is in use is not deleted.',
    deleted: 'One file is in the trash|{count} files are in the trash', restored: 'Restored', moved: 'Moved to {path}', zip: 'Download as zip', openDetails: 'Open details', enlarge: 'Enlarge',
    locked: 'Checked out by {user}', noPreview: 'No preview', previewComing: 'The preview is being made', trash: 'Trash', restore: 'Restore', deletedAt: 'Deleted', trashEmpty: 'The trash is empty',
    trashEmptyBody: 'What is deleted waits here until it is gone for good.', tagged: 'Files with the keyword {name}', sort: 'Order', sortAdded: 'As they came', sortName: 'Name', sortNewest: 'Newest first', sortLargest: 'Largest first',
    clearSelection: 'Clear selection', zoomIn: 'Zoom in', zoomOut: 'Zoom out', fit: 'Fit', previousFile: 'Previous file', nextFile: 'Next file', ofFiles: '{index} of {count}',
    uploads: 'Uploads', uploading: '{done} of {count} uploaded', pause: 'Pause', resume: 'Go on', cancelUpload: 'Cancel', clearDone: 'Clear finished', resumed: 'One upload goes on where it stopped|{count} uploads go on where they stopped',
    duplicate: 'Already here: {path}', uploadAnyway: 'Upload anyway', skip: 'Skip', waiting: 'Waiting', checking: 'Comparing', sending: 'Sending', done: 'Done', paused: 'Paused', refusedUpload: 'Refused', skipped: 'Skipped',
    exists: 'A file of this name is here already', overwrite: 'Replace it',
  },
  de: {
    title: 'Medien', directories: 'Verzeichnisse', keywords: 'Schlagworte', storage: 'Speicher', newDirectory: 'Neues Verzeichnis', directoryName: 'Name des Verzeichnisses',
    renameDirectory: 'Verzeichnis umbenennen', deleteDirectory: 'Verzeichnis „{name}“ löschen?', deleteDirectoryBody: 'Es kommt mit allem, was darin ist, in den Papierkorb und kann von dort zurückgeholt werden.',
    emptyTitle: 'Hier sind noch keine Dateien', emptyBody: 'Ziehen Sie Dateien auf diese Seite, oder wählen Sie welche aus.', chooseDirectory: 'Wählen Sie ein Verzeichnis, um seine Dateien zu sehen.',
    nothingFound: 'Nichts passt zum Filter', filter: 'Nach Namen filtern', kinds: 'Arten von Dateien', wall: 'Dateien', found: 'eine Datei|{count} Dateien', dropHere: 'Loslassen, um nach {path} hochzuladen',
    chooseFiles: 'Dateien auswählen', deleteAssets: 'Eine Datei löschen?|{count} Dateien löschen?', deleteAssetsBody: 'Sie kommen in den Papierkorb und können von dort zurückgeholt werden. Was verwendet wird, wird nicht gelöscht.',
    deleted: 'Eine Datei ist im Papierkorb|{count} Dateien sind im Papierkorb', restored: 'Zurückgeholt', moved: 'Verschoben nach {path}', zip: 'Als Zip herunterladen', openDetails: 'Einzelheiten öffnen', enlarge: 'Vergrößern',
    locked: 'Ausgecheckt von {user}', noPreview: 'Keine Vorschau', previewComing: 'Die Vorschau entsteht gerade', trash: 'Papierkorb', restore: 'Zurückholen', deletedAt: 'Gelöscht', trashEmpty: 'Der Papierkorb ist leer',
    trashEmptyBody: 'Was gelöscht wurde, wartet hier, bis es endgültig verschwindet.', tagged: 'Dateien mit dem Schlagwort {name}', sort: 'Reihenfolge', sortAdded: 'Wie sie kamen', sortName: 'Name', sortNewest: 'Neueste zuerst', sortLargest: 'Größte zuerst',
    clearSelection: 'Auswahl aufheben', zoomIn: 'Vergrößern', zoomOut: 'Verkleinern', fit: 'Einpassen', previousFile: 'Vorige Datei', nextFile: 'Nächste Datei', ofFiles: '{index} von {count}',
    uploads: 'Uploads', uploading: '{done} von {count} hochgeladen', pause: 'Anhalten', resume: 'Weiter', cancelUpload: 'Abbrechen', clearDone: 'Fertige ausblenden', resumed: 'Ein Upload geht weiter, wo er stand|{count} Uploads gehen weiter, wo sie standen',
    duplicate: 'Schon hier: {path}', uploadAnyway: 'Trotzdem hochladen', skip: 'Auslassen', waiting: 'Wartet', checking: 'Vergleicht', sending: 'Überträgt', done: 'Fertig', paused: 'Angehalten', refusedUpload: 'Abgelehnt', skipped: 'Ausgelassen',
    exists: 'Eine Datei dieses Namens ist schon hier', overwrite: 'Ersetzen',
  },
})
