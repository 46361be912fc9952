/** The words of the channels. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Channels', tree: 'Channels', newChannel: 'New channel', newBelow: 'New channel below', createTitle: 'New channel', createBelow: 'New channel below “{name}”', tid: 'Identifier', kind: 'Kind of channel', channelName: 'Name of the channel',
    none: 'No channels yet', noneBody: 'A channel is an output: a catalogue, a web shop, a marketplace. Make one, and place products in it.', choose: 'Choose a channel', chooseBody: 'Its products, pictures, readiness and briefing are shown here.',
    created: '“{name}” was created', moved: '“{name}” was moved', deleted: '“{name}” was deleted', deleteTitle: 'Delete the channel “{name}”?', deleteFree: 'Nothing is placed in it.', deleteUsed: 'One link or channel below goes with it:|{count} links and channels below go with it:', deleteForever: 'This cannot be taken back.',
    product: 'products', peo: 'extensions', asset: 'assets', project: 'channels below',
    placed: 'Placed', readiness: 'Readiness', briefing: 'Briefing', products: 'Products', peos: 'Product extensions', assets: 'Assets',
    noProducts: 'No products are placed here.', noPeos: 'No product extensions are placed here.', noAssets: 'No assets are placed here.', placeProducts: 'Place products', placeAssets: 'Place assets', newPeo: 'New extension',
    searchProducts: 'Name or tid of a product', place: 'Place one product|Place {count} products', placedDone: 'One placed|{count} placed', takenOut: '“{name}” was taken out', takeOut: 'Take out: {name}', template: 'Template', extends: 'Product', peoName: 'Name of the extension', firstOnly: 'The first {count} of {total} are shown.',
    locale: 'Language', required: 'Required', missing: 'Missing', complete: 'Complete', missingIn: 'Missing in {locale}', nothingMissing: 'Nothing is missing in {locale}.', attribute: 'Attribute', object: 'Object', firstMissing: 'The first {count} are listed.', showMissing: 'one missing in {locale}|{count} missing in {locale}', noLocales: 'There are no content languages.',
    noBriefing: 'No briefing', noBriefingBody: 'The channel has no briefing in this language. Briefings come from planning tools through the interface.', config: 'Briefing configuration', page: 'Page {number}', sheet: '{name}, {width} × {height}', box: 'Box', layer: 'Layer', position: 'Position', size: 'Size', noBoxes: 'No boxes on this page.', scale: 'Drawn to scale',
  },
  de: {
    title: 'Kanäle', tree: 'Kanäle', newChannel: 'Neuer Kanal', newBelow: 'Neuer Kanal darunter', createTitle: 'Neuer Kanal', createBelow: 'Neuer Kanal unter „{name}“', tid: 'Kennung', kind: 'Art des Kanals', channelName: 'Name des Kanals',
    none: 'Noch keine Kanäle', noneBody: 'Ein Kanal ist eine Ausgabe: ein Katalog, ein Webshop, ein Marktplatz. Legen Sie einen an, und platzieren Sie Produkte darin.', choose: 'Wählen Sie einen Kanal', chooseBody: 'Seine Produkte, Bilder, Vollständigkeit und sein Briefing stehen dann hier.',
    created: '„{name}“ wurde angelegt', moved: '„{name}“ wurde verschoben', deleted: '„{name}“ wurde gelöscht', deleteTitle: 'Kanal „{name}“ löschen?', deleteFree: 'Nichts ist darin platziert.', deleteUsed: 'Eine Verknüpfung oder ein Kanal darunter geht mit:|{count} Verknüpfungen und Kanäle darunter gehen mit:', deleteForever: 'Das lässt sich nicht rückgängig machen.',
    product: 'Produkte', peo: 'Erweiterungen', asset: 'Medien', project: 'Kanäle darunter',
    placed: 'Platziert', readiness: 'Vollständigkeit', briefing: 'Briefing', products: 'Produkte', peos: 'Produkterweiterungen', assets: 'Medien',
    noProducts: 'Hier sind keine Produkte platziert.', noPeos: 'Hier sind keine Produkterweiterungen platziert.', noAssets: 'Hier sind keine Medien platziert.', placeProducts: 'Produkte platzieren', placeAssets: 'Medien platzieren', newPeo: 'Neue Erweiterung',
    searchProducts: 'Name oder tid eines Produkts', place: 'Ein Produkt platzieren|{count} Produkte platzieren', placedDone: 'Eins platziert|{count} platziert', takenOut: '„{name}“ wurde herausgenommen', takeOut: 'Herausnehmen: {name}', template: 'Vorlage', extends: 'Produkt', peoName: 'Name der Erweiterung', firstOnly: 'Die ersten {count} von {total} werden gezeigt.',
    locale: 'Sprache', required: 'Verlangt', missing: 'Fehlt', complete: 'Vollständig', missingIn: 'Es fehlt in {locale}', nothingMissing: 'In {locale} fehlt nichts.', attribute: 'Attribut', object: 'Objekt', firstMissing: 'Die ersten {count} sind aufgeführt.', showMissing: 'eins fehlt in {locale}|{count} fehlen in {locale}', noLocales: 'Es gibt keine Inhaltssprachen.',
    noBriefing: 'Kein Briefing', noBriefingBody: 'Der Kanal hat in dieser Sprache kein Briefing. Briefings kommen aus Planungswerkzeugen über die Schnittstelle.', config: 'Konfiguration des Briefings', page: 'Seite {number}', sheet: '{name}, {width} × {height}', box: 'Box', layer: 'Ebene', position: 'Lage', size: 'Größe', noBoxes: 'Keine Boxen auf dieser Seite.', scale: 'Maßstabsgetreu gezeichnet',
  },
})
