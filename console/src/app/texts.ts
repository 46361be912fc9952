/** The words of the frame. Names of places stand apart, because the table of places is checked against them. */
import { defineTexts } from '../ui/language.tsx'

// prettier-ignore
export const placeTexts = defineTexts({
  en: {
    home: 'Home', products: 'Products', product: 'Product', model: 'Model', assets: 'Assets', asset: 'Asset', trash: 'Trash', channels: 'Channels', search: 'Search',
    tasks: 'Tasks', task: 'Task', workflow: 'Workflow', glossaries: 'Glossaries', keywords: 'Keywords', messages: 'Messages', settings: 'Settings', api: 'API', transfers: 'Import & export',
  },
  de: {
    home: 'Start', products: 'Produkte', product: 'Produkt', model: 'Datenmodell', assets: 'Medien', asset: 'Medium', trash: 'Papierkorb', channels: 'Kanäle', search: 'Suche',
    tasks: 'Aufgaben', task: 'Aufgabe', workflow: 'Abläufe', glossaries: 'Glossare', keywords: 'Schlagworte', messages: 'Nachrichten', settings: 'Einstellungen', api: 'API', transfers: 'Import & Export',
  },
})

// prettier-ignore
export const frameTexts = defineTexts({
  en: {
    work: 'Work', content: 'Content', language: 'Language', setup: 'Set-up', palette: 'Go to or search …', paletteNothing: 'Nothing goes by this name.',
    skip: 'Skip to content', menu: 'Menu', navigation: 'Main', account: 'Account', signOut: 'Sign out', light: 'Light', dark: 'Dark', auto: 'As the system',
    appearance: 'Appearance', uiLanguage: 'Language of the console', unread: 'no unread messages|{count} unread messages', reference: 'API reference',
    nowhere: 'There is no such page', nowhereHint: 'The address may be old or mistyped.', toHome: 'Go to the start page', searchFor: 'Search for “{text}”',
    shortcut: 'Open the command palette',
  },
  de: {
    work: 'Arbeit', content: 'Inhalte', language: 'Sprache', setup: 'Einrichtung', palette: 'Gehe zu oder suche …', paletteNothing: 'So heißt hier nichts.',
    skip: 'Zum Inhalt', menu: 'Menü', navigation: 'Haupt', account: 'Konto', signOut: 'Abmelden', light: 'Hell', dark: 'Dunkel', auto: 'Wie das System',
    appearance: 'Darstellung', uiLanguage: 'Sprache der Konsole', unread: '{count} ungelesene Nachrichten', reference: 'API-Referenz',
    nowhere: 'Diese Seite gibt es nicht', nowhereHint: 'Die Adresse ist vielleicht veraltet oder vertippt.', toHome: 'Zur Startseite', searchFor: 'Suche nach „{text}“',
    shortcut: 'Befehlspalette öffnen',
  },
})
