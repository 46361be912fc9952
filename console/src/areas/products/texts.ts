/** The words of the product list. */
import { defineTexts } from '../../ui/language.tsx'

// prettier-ignore
export const texts = defineTexts({
  en: {
    title: 'Products', found: 'one product|{count} products', tree: 'Classifications', everything: 'All products', node: 'Node', tid: 'Tid', completeness: 'Complete',
    filters: 'Filters', activeFilters: 'one filter|{count} filters', noFacets: 'Nothing to filter by here', clearFilters: 'Clear filters', user: 'Changed by',
    articles: 'Articles', variations: 'Variations', find: 'Find by name or tid', empty: 'No products here', emptyHint: 'Create the first one, or choose another node.', emptyFilterHint: 'Only names and tids are looked at here. The search looks at all values.', searchAll: 'Search all values',
    emptyFilter: 'Nothing matches “{text}”', noModel: 'There is no classification yet', noModelHint: 'Products are sorted into the nodes of a classification. Make one in the data model.',
    toModel: 'Go to the data model', create: 'New product', createIn: 'In node', createName: 'Name', createTid: 'Tid (assigned when empty)', created: '{name} was created',
    bulk: 'Edit values', bulkTitle: 'Edit one product|Edit {count} products', attribute: 'Attribute', value: 'Value', clearValue: 'Remove the value', preview: 'Preview the change', willChange: 'one product will change|{count} products will change',
    willRefuse: 'one will be refused|{count} will be refused', applyTo: 'Change one product|Change {count} products', changed: 'one product changed|{count} products changed', undone: 'Everything is as before',
    deleteTitle: 'Delete one product?|Delete {count} products?', deleteBody: 'Articles and variations go with them, and so do product extension objects. This cannot be undone.', deleted: 'one product deleted|{count} products deleted',
    inUse: 'one is in use and stays|{count} are in use and stay', views: 'Views', saveView: 'Save this view', viewName: 'Name of the view', viewSaved: 'View saved', noViews: 'No saved views yet', reasons: 'Reasons',
    working: '{done} of {count}', selectAllFound: 'Select all {count}', clearSelection: 'Clear selection', attributesShown: 'Attributes', pictures: 'Picture',
  },
  de: {
    title: 'Produkte', found: 'ein Produkt|{count} Produkte', tree: 'Klassifikationen', everything: 'Alle Produkte', node: 'Knoten', tid: 'Tid', completeness: 'Vollständig',
    filters: 'Filter', activeFilters: 'ein Filter|{count} Filter', noFacets: 'Hier gibt es nichts zu filtern', clearFilters: 'Filter aufheben', user: 'Geändert von',
    articles: 'Artikel', variations: 'Varianten', find: 'Nach Name oder Tid suchen', empty: 'Hier sind keine Produkte', emptyHint: 'Legen Sie das erste an, oder wählen Sie einen anderen Knoten.', emptyFilterHint: 'Hier werden nur Namen und Tids angesehen. Die Suche sieht alle Werte an.', searchAll: 'In allen Werten suchen',
    emptyFilter: 'Nichts passt zu „{text}“', noModel: 'Es gibt noch keine Klassifikation', noModelHint: 'Produkte werden in die Knoten einer Klassifikation einsortiert. Legen Sie im Datenmodell eine an.',
    toModel: 'Zum Datenmodell', create: 'Neues Produkt', createIn: 'Im Knoten', createName: 'Name', createTid: 'Tid (wird vergeben, wenn leer)', created: '{name} wurde angelegt',
    bulk: 'Werte bearbeiten', bulkTitle: 'Ein Produkt bearbeiten|{count} Produkte bearbeiten', attribute: 'Attribut', value: 'Wert', clearValue: 'Den Wert entfernen', preview: 'Änderung ansehen', willChange: 'ein Produkt wird geändert|{count} Produkte werden geändert',
    willRefuse: 'eins wird abgelehnt|{count} werden abgelehnt', applyTo: 'Ein Produkt ändern|{count} Produkte ändern', changed: 'ein Produkt geändert|{count} Produkte geändert', undone: 'Alles ist wie zuvor',
    deleteTitle: 'Ein Produkt löschen?|{count} Produkte löschen?', deleteBody: 'Artikel und Varianten gehen mit, ebenso Produkterweiterungen. Das lässt sich nicht rückgängig machen.', deleted: 'ein Produkt gelöscht|{count} Produkte gelöscht',
    inUse: 'eins wird verwendet und bleibt|{count} werden verwendet und bleiben', views: 'Ansichten', saveView: 'Diese Ansicht speichern', viewName: 'Name der Ansicht', viewSaved: 'Ansicht gespeichert', noViews: 'Noch keine gespeicherten Ansichten', reasons: 'Gründe',
    working: '{done} von {count}', selectAllFound: 'Alle {count} auswählen', clearSelection: 'Auswahl aufheben', attributesShown: 'Attribute', pictures: 'Bild',
  },
})
