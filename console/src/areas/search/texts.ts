/** The words of the search. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Search', box: 'What are you looking for?', everything: 'Everything', PRODUCT: 'Products', ASSET: 'Assets', CHANNEL: 'Channels', GLOBAL: 'Everything', CHANNEL_2_PRODUCT: 'Products in channels', FS_TABLE_WFL: 'Workflows', HISTORY: 'History',
    hits: 'one hit|{count} hits', atLeast: 'at least {count} hits: the index is still being built', took: '{ms} ms', nothing: 'Nothing was found', nothingHint: 'Fewer words or fewer filters find more.', didYouMean: 'Did you mean', filters: 'Filters', clearFilters: 'Clear filters',
    sort: 'Order', relevance: 'By relevance', newest: 'Newest first', byName: 'By name', stored: 'Stored searches', storeThis: 'Store this search', storeName: 'Name of the search', storedDone: '“{name}” is stored', noStored: 'No stored searches yet',
    history: 'Searched before', copyRequest: 'Copy as request', requestCopied: 'The request is in the clipboard', builder: 'Query builder', addCondition: 'Add condition', addGroup: 'Add group', removeCondition: 'Remove', field: 'Field', comparator: 'Comparison', value: 'Value', AND: 'all of', OR: 'any of',
    join: 'Only those linked to', joinOn: 'through', joinWords: 'that match', noJoin: 'No link', empty: 'without a value', values: 'Values separated by commas', start: 'Search products, assets and channels at once', startHint: 'Words, parts of codes, phrases in quotes. Typing suggests; a typo is forgiven.',
    from: 'from {from}', to: 'below {to}', fromTo: '{from} to {to}', suggestions: 'Suggestions', product: 'Product', article: 'Article', variation: 'Variation', asset: 'Asset', channel: 'Channel', project: 'Channel',
    itemType: 'Kind', modificationUser: 'Changed by', modificationDate: 'Changed', classificationPath: 'Classification', fileType: 'Kind of file', directoryPath: 'Directory', keywords: 'Keywords', fileSize: 'Size of the file', channelType: 'Kind of channel',
  },
  de: {
    title: 'Suche', box: 'Was suchen Sie?', everything: 'Alles', PRODUCT: 'Produkte', ASSET: 'Medien', CHANNEL: 'Kanäle', GLOBAL: 'Alles', CHANNEL_2_PRODUCT: 'Produkte in Kanälen', FS_TABLE_WFL: 'Abläufe', HISTORY: 'Verlauf',
    hits: 'ein Treffer|{count} Treffer', atLeast: 'mindestens {count} Treffer: Der Index entsteht noch', took: '{ms} ms', nothing: 'Nichts gefunden', nothingHint: 'Weniger Wörter oder weniger Filter finden mehr.', didYouMean: 'Meinten Sie', filters: 'Filter', clearFilters: 'Filter aufheben',
    sort: 'Reihenfolge', relevance: 'Nach Relevanz', newest: 'Neueste zuerst', byName: 'Nach Name', stored: 'Gespeicherte Suchen', storeThis: 'Diese Suche speichern', storeName: 'Name der Suche', storedDone: '„{name}“ ist gespeichert', noStored: 'Noch keine gespeicherten Suchen',
    history: 'Zuletzt gesucht', copyRequest: 'Als Anfrage kopieren', requestCopied: 'Die Anfrage ist in der Zwischenablage', builder: 'Abfrage bauen', addCondition: 'Bedingung', addGroup: 'Gruppe', removeCondition: 'Entfernen', field: 'Feld', comparator: 'Vergleich', value: 'Wert', AND: 'alle', OR: 'eine von',
    join: 'Nur verknüpft mit', joinOn: 'über', joinWords: 'die passen auf', noJoin: 'Keine Verknüpfung', empty: 'ohne Wert', values: 'Werte, durch Komma getrennt', start: 'Produkte, Medien und Kanäle auf einmal durchsuchen', startHint: 'Wörter, Teile von Nummern, Wendungen in Anführungszeichen. Beim Tippen kommen Vorschläge; Tippfehler werden verziehen.',
    from: 'ab {from}', to: 'unter {to}', fromTo: '{from} bis {to}', suggestions: 'Vorschläge', product: 'Produkt', article: 'Artikel', variation: 'Variante', asset: 'Medium', channel: 'Kanal', project: 'Kanal',
    itemType: 'Art', modificationUser: 'Geändert von', modificationDate: 'Geändert', classificationPath: 'Klassifikation', fileType: 'Art der Datei', directoryPath: 'Verzeichnis', keywords: 'Schlagworte', fileSize: 'Größe der Datei', channelType: 'Art des Kanals',
  },
})
