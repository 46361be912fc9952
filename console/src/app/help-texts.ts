/** Help beside each screen, and the tour. Loaded when somebody opens the help, or signs in for the first time. */
import { defineTexts } from '../ui/language.tsx'

/** A page of the documentation that says more. */
export const documentation = {
  home: 'docs/how-to/look-around.md',
  products: 'docs/tutorial/first-product.md',
  model: 'docs/tutorial/first-product.md',
  assets: 'docs/how-to/upload-files.md',
  channels: 'docs/how-to/feed-a-shop.md',
  search: 'docs/search-cookbook.md',
  tasks: 'docs/workflow.md',
  workflow: 'docs/workflow.md',
  glossaries: 'docs/how-to/look-around.md',
  keywords: 'docs/how-to/look-around.md',
  messages: 'docs/workflow.md',
  settings: 'docs/operations.md',
  api: 'docs/how-to/connect-a-system.md',
  transfers: 'docs/how-to/map-a-file.md',
  feeds: 'docs/how-to/run-a-feed.md',
} as const

export const screenHelp = defineTexts({
  en: {
    home: 'Your tasks, your recent objects, and how ready each channel is. Click a number to see what is behind it.',
    products:
      'Choose a category on the left to list its products. Click a product to open it, or double-click a cell to edit it in place. Select several products to change them together. On a product, the bar at the top saves all changes at once; unsaved changes stay in this browser.',
    model:
      'Categories form trees and have attributes; categories below inherit them. Define an attribute once, then add it to the categories that need it.',
    assets:
      'All files, newest first. Choose a folder on the left, filter above, or drop files anywhere to upload them. Open a file to edit its metadata, see its versions and where it is used.',
    channels:
      'A channel is a place where you publish: a shop, a catalogue, a page. Add products, see which required values are missing per language, and write texts that apply only there.',
    search:
      'Search words, codes or “exact phrases”; small typing errors are fine. Narrow the hits by the values on the left, or build exact conditions. Save a search to find it again.',
    tasks:
      'What workflows ask of you and your roles. Open a task, look at its object, and complete it. Claim a task of your role so that nobody else does it too.',
    workflow: 'Start a workflow for products or files, follow the running ones, and draw your own definitions.',
    glossaries: 'House terms with their translations. Forbidden words are marked where people write texts.',
    keywords: 'A tree of words that files are tagged with. Drag a keyword to move it with everything below.',
    messages: 'Messages from people and workflows appear here. You can write to a person or to everybody with a role.',
    settings:
      'Your profile, password and tokens. Administrators also maintain users, roles, languages, storages and search indexes here, and read the audit log.',
    api: 'Everything the console does is a call of the public interface. Find a call here, and open its full reference.',
    transfers:
      'Import a spreadsheet, XML or ZIP: you can check how its columns are matched before anything is saved. Export products with the columns and languages you choose.',
    feeds: 'A feed repeats an import or export on a schedule, from or to a server. Each run is listed with its result.',
  },
  de: {
    home: 'Ihre Aufgaben, Ihre zuletzt geöffneten Objekte, und wie weit jeder Kanal ist. Ein Klick auf eine Zahl zeigt, was dahinter steht.',
    products:
      'Wählen Sie links eine Kategorie, um ihre Produkte zu sehen. Ein Klick öffnet ein Produkt, ein Doppelklick bearbeitet eine Zelle an Ort und Stelle. Wählen Sie mehrere Produkte, um sie zusammen zu ändern. Auf der Seite eines Produkts speichert die Leiste oben alle Änderungen; bis dahin bleiben sie in diesem Browser.',
    model:
      'Kategorien bilden Bäume und haben Attribute; die Kategorien darunter erben sie. Legen Sie ein Attribut einmal an und fügen Sie es den Kategorien hinzu, die es brauchen.',
    assets:
      'Alle Dateien, die neuesten zuerst. Wählen Sie links einen Ordner, filtern Sie oben, oder lassen Sie Dateien irgendwo fallen, um sie hochzuladen. Öffnen Sie eine Datei, um ihre Metadaten zu bearbeiten und zu sehen, welche Versionen es gibt und wo sie verwendet wird.',
    channels:
      'Ein Kanal ist ein Ort, an dem Sie veröffentlichen: ein Shop, ein Katalog, eine Seite. Fügen Sie Produkte hinzu, sehen Sie je Sprache, welche Pflichtwerte fehlen, und schreiben Sie Texte, die nur dort gelten.',
    search:
      'Suchen Sie Wörter, Codes oder „genaue Ausdrücke“; kleine Tippfehler schaden nicht. Grenzen Sie die Treffer links ein, oder bauen Sie genaue Bedingungen. Eine gespeicherte Suche finden Sie wieder.',
    tasks:
      'Was Abläufe von Ihnen und Ihren Rollen brauchen. Öffnen Sie eine Aufgabe, sehen Sie sich ihr Objekt an und erledigen Sie sie. Übernehmen Sie eine Aufgabe Ihrer Rolle, damit niemand sie doppelt erledigt.',
    workflow:
      'Starten Sie einen Ablauf für Produkte oder Dateien, verfolgen Sie die laufenden, und zeichnen Sie eigene.',
    glossaries: 'Begriffe des Hauses mit ihren Übersetzungen. Verbotene Wörter werden beim Schreiben markiert.',
    keywords:
      'Ein Baum von Wörtern, mit denen Dateien verschlagwortet werden. Ziehen Sie ein Schlagwort, um es mit allem darunter zu verschieben.',
    messages:
      'Hier kommen Nachrichten von Personen und Abläufen an. Sie können einer Person schreiben oder allen mit einer Rolle.',
    settings:
      'Ihr Profil, Ihr Passwort und Ihre Tokens. Administratoren pflegen hier auch Benutzer, Rollen, Sprachen, Speicher und Suchindizes und lesen das Audit-Protokoll.',
    api: 'Alles, was die Konsole tut, ist ein Aufruf der öffentlichen Schnittstelle. Finden Sie hier einen Aufruf und öffnen Sie seine ganze Beschreibung.',
    transfers:
      'Importieren Sie eine Tabelle, XML oder ZIP: Sie prüfen die Zuordnung der Spalten, bevor etwas gespeichert wird. Exportieren Sie Produkte mit den Spalten und Sprachen Ihrer Wahl.',
    feeds:
      'Ein Feed wiederholt einen Import oder Export nach Zeitplan, von einem Server oder dorthin. Jeder Lauf steht mit seinem Ergebnis in der Liste.',
  },
})

export const tourTexts = defineTexts({
  en: {
    more: 'More in the documentation:',
    startTour: 'Start the tour',
    tour: 'A tour of Kontor',
    step: '{step} of {count}',
    next: 'Next',
    previous: 'Back',
    skip: 'Skip the tour',
    finish: 'Done',
    palette: 'Find anything here, or press Ctrl K: products, files, channels and pages. Small typing errors are fine.',
    products: 'Products are listed by category. Open one to edit its texts, pictures and variants.',
    assets: 'Pictures and documents. Drop files on the page to upload them.',
    channels: 'Channels are where you publish. Each shows how complete its products are.',
    tasks: 'Your tasks from workflows: translate, check, approve.',
    help: 'The question mark explains the screen you are on. Start this tour again there.',
  },
  de: {
    more: 'Mehr in der Dokumentation:',
    startTour: 'Rundgang beginnen',
    tour: 'Ein Rundgang durch Kontor',
    step: '{step} von {count}',
    next: 'Weiter',
    previous: 'Zurück',
    skip: 'Rundgang überspringen',
    finish: 'Fertig',
    palette:
      'Hier finden Sie alles, auch mit Strg K: Produkte, Dateien, Kanäle und Seiten. Kleine Tippfehler schaden nicht.',
    products: 'Produkte stehen nach Kategorien. Öffnen Sie eines, um Texte, Bilder und Varianten zu bearbeiten.',
    assets: 'Bilder und Dokumente. Lassen Sie Dateien auf die Seite fallen, um sie hochzuladen.',
    channels: 'In Kanälen veröffentlichen Sie. Jeder zeigt, wie vollständig seine Produkte sind.',
    tasks: 'Ihre Aufgaben aus Abläufen: übersetzen, prüfen, freigeben.',
    help: 'Das Fragezeichen erklärt die Seite, auf der Sie sind. Dort beginnt auch dieser Rundgang noch einmal.',
  },
})
