/** The words of the page of one asset. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    overview: 'Overview', metadata: 'Metadata', versions: 'Versions', variations: 'Variations', usage: 'Where used', embedded: 'In the file', file: 'File', size: 'Size', dimensions: 'Dimensions', mime: 'Media type', checksum: 'Checksum',
    path: 'Path', keywords: 'Keywords', formats: 'Formats', original: 'Original', thumbnail: 'Thumbnail', preview: 'Preview', fullsize: 'Full size', checkOut: 'Check out', checkIn: 'Check in', breakLock: 'Break the lock', locked: 'Checked out by {user} since {date}',
    link: 'Link for others', linkHint: 'Whoever has this link can download the file for {minutes} minutes.', copyLink: 'Copy link', newVersion: 'Upload a new version', versionsNone: 'No earlier versions', versionsNoneBody: 'When a new file is uploaded, the present one is kept here.',
    compare: 'Compare', restore: 'Restore', restoreTitle: 'Restore this version?', restoreBody: 'It becomes the file of the asset; the present file is kept as a version.', restored: 'The version is the file again', present: 'Present file', variationsNone: 'No variations', variationsNoneBody: 'A variation is another form of the same picture: for print, for the web, cut out.',
    usageNone: 'Not used anywhere', usageNoneBody: 'Nothing links to this asset, so it can be deleted without consequences.', historyNone: 'Nothing has happened yet', embeddedNone: 'The file carries no metadata of its own', valuesNone: 'No metadata attributes are defined', valuesNoneBody: 'An administrator defines them for assets.',
    checkedOut: 'Checked out', checkedIn: 'Checked in', kept: 'Saved', missing: 'There is no such asset', uses: 'used once|used {count} times', versionSaved: 'The new version is there',
  },
  de: {
    overview: 'Überblick', metadata: 'Metadaten', versions: 'Versionen', variations: 'Varianten', usage: 'Verwendung', embedded: 'In der Datei', file: 'Datei', size: 'Größe', dimensions: 'Maße', mime: 'Medientyp', checksum: 'Prüfsumme',
    path: 'Pfad', keywords: 'Schlagworte', formats: 'Formate', original: 'Original', thumbnail: 'Vorschaubild', preview: 'Vorschau', fullsize: 'Volle Größe', checkOut: 'Auschecken', checkIn: 'Einchecken', breakLock: 'Sperre aufheben', locked: 'Ausgecheckt von {user} seit {date}',
    link: 'Link für andere', linkHint: 'Wer diesen Link hat, kann die Datei {minutes} Minuten lang herunterladen.', copyLink: 'Link kopieren', newVersion: 'Neue Version hochladen', versionsNone: 'Keine früheren Versionen', versionsNoneBody: 'Wird eine neue Datei hochgeladen, bleibt die jetzige hier erhalten.',
    compare: 'Vergleichen', restore: 'Zurückholen', restoreTitle: 'Diese Version zurückholen?', restoreBody: 'Sie wird zur Datei des Mediums; die jetzige Datei bleibt als Version erhalten.', restored: 'Die Version ist wieder die Datei', present: 'Jetzige Datei', variationsNone: 'Keine Varianten', variationsNoneBody: 'Eine Variante ist eine andere Form desselben Bildes: für den Druck, das Web, freigestellt.',
    usageNone: 'Nirgends verwendet', usageNoneBody: 'Nichts verweist auf dieses Medium; es kann ohne Folgen gelöscht werden.', historyNone: 'Es ist noch nichts geschehen', embeddedNone: 'Die Datei enthält keine eigenen Metadaten', valuesNone: 'Es sind keine Metadaten definiert', valuesNoneBody: 'Das macht die Verwaltung für Medien.',
    checkedOut: 'Ausgecheckt', checkedIn: 'Eingecheckt', kept: 'Gespeichert', missing: 'Dieses Medium gibt es nicht', uses: 'einmal verwendet|{count} mal verwendet', versionSaved: 'Die neue Version ist da',
  },
})
