/** The demo's data model: three classifications, and sixty attribute definitions that cover every type. */
import type { AttributeType } from '@kontor/contract'
import { colours, families, groups, localized, type Texts } from './words.ts'

export const range = 'Fjordlin'
export const spareParts = 'SpareParts'
export const services = 'Services'
export const classificationTids = [range, spareParts, services]

/** An attribute definition in short form. Flags: l for localized, m for several values. */
interface Definition {
  readonly tid: string
  readonly type: AttributeType
  readonly flags: '' | 'l' | 'm' | 'lm'
  readonly names: Texts
  /** The node whose products have it; absent for columns of tables. */
  readonly at?: string
  readonly level?: string
  readonly more?: object
}

const list = (...values: readonly (readonly [tid: string, ...names: Texts])[]) => ({
  domainVals: { domainVal: values.map(([tid, ...names]) => ({ tid, itm: localized(names) })) },
})
const same = (...words: readonly string[]) =>
  list(...words.map((word) => [word.toLowerCase().replaceAll(/\W+/g, '-'), word, word, word] as const))
const between = (from: string, to: string, intOnly = false) => ({
  domainRange: { from, to, ...(intOnly && { intOnly: 'true' }) },
})
const columns = (...tids: string[]) => ({ references: { itm: tids.map((value, pos) => ({ value, pos })) } })
const measured = (family: string, from: string, to: string) => ({ format: { family }, ...between(from, to) })
const needed = { required: 'required' }
const everywhere = { required: 'requiredInAllLanguages' }
const root = `/${range}`
const group = (tid: string) => `${root}/${tid}`

// prettier-ignore
const claims = list(['bestseller', 'Bestseller', 'Bestseller', 'Meilleure vente'], ['new', 'New', 'Neu', 'Nouveau'], ['green', 'Greener choice', 'Grünere Wahl', 'Choix vert'])
// prettier-ignore
const countries = list(['no', 'Norway', 'Norwegen', 'Norvège'], ['de', 'Germany', 'Deutschland', 'Allemagne'], ['fr', 'France', 'Frankreich', 'France'], ['pt', 'Portugal', 'Portugal', 'Portugal'], ['pl', 'Poland', 'Polen', 'Pologne'], ['vn', 'Vietnam', 'Vietnam', 'Vietnam'])
// prettier-ignore
export const materials = ['polyester', 'polyamide', 'merino', 'aluminium', 'steel', 'carbon', 'epoxy', 'neoprene'] as const
// prettier-ignore
const materialList = list(['polyester', 'Recycled polyester', 'Recyceltes Polyester', 'Polyester recyclé'], ['polyamide', 'Polyamide', 'Polyamid', 'Polyamide'], ['merino', 'Merino wool', 'Merinowolle', 'Laine mérinos'], ['aluminium', 'Aluminium', 'Aluminium', 'Aluminium'], ['steel', 'Stainless steel', 'Edelstahl', 'Acier inoxydable'], ['carbon', 'Carbon fibre', 'Kohlefaser', 'Fibre de carbone'], ['epoxy', 'Epoxy laminate', 'Epoxidlaminat', 'Stratifié époxy'], ['neoprene', 'Neoprene', 'Neopren', 'Néoprène'])
// prettier-ignore
const care = list(['wash30', 'Wash at 30 °C', 'Waschen bei 30 °C', 'Laver à 30 °C'], ['nobleach', 'Do not bleach', 'Nicht bleichen', 'Pas de javel'], ['drip', 'Drip dry', 'Tropfnass aufhängen', 'Séchage à plat'], ['proof', 'Re-proof yearly', 'Jährlich imprägnieren', 'Réimperméabiliser chaque année'])
const sizesOf = (sizes: readonly string[]) => list(...sizes.map((size) => [size, size, size, size] as const))
const sizeList = sizesOf([...new Set(families.flatMap(({ sizes }) => sizes))])
const colourList = list(...colours.map(({ tid, names }) => [tid, ...names] as const))
// prettier-ignore
const status = list(['draft', 'Draft', 'Entwurf', 'Brouillon'], ['ready', 'Ready for release', 'Freigabebereit', 'Prêt à publier'], ['released', 'Released', 'Freigegeben', 'Publié'], ['phase-out', 'Phasing out', 'Auslauf', 'Fin de série'])

// prettier-ignore
export const definitions: readonly Definition[] = [
  // of every product
  { tid: 'TITLE',          type: 'text',    flags: 'l',  at: root, level: 'p',   names: ['Title', 'Titel', 'Titre'], more: everywhere },
  { tid: 'CLAIM',          type: 'text',    flags: 'l',  at: root, level: 'p',   names: ['Claim', 'Slogan', 'Accroche'] },
  { tid: 'DESCRIPTION',    type: 'text',    flags: 'l',  at: root, level: 'p',   names: ['Description', 'Beschreibung', 'Description'], more: needed },
  { tid: 'BULLETS',        type: 'text',    flags: 'lm', at: root, level: 'p',   names: ['Advantages', 'Vorteile', 'Avantages'], more: { multiValued: { value: 'true', cardinality: 5 } } },
  { tid: 'BRAND',          type: 'text',    flags: '',   at: root, level: 'p',   names: ['Brand', 'Marke', 'Marque'], more: same('Fjordlin', 'Fjordlin Pro', 'Kattegat Works') },
  { tid: 'SERIES',         type: 'text',    flags: '',   at: root, level: 'p',   names: ['Series', 'Serie', 'Série'] },
  { tid: 'STATUS',         type: 'text',    flags: '',   at: root, level: 'p',   names: ['Status', 'Status', 'Statut'], more: { ...status, ...needed } },
  { tid: 'ORIGIN',         type: 'text',    flags: '',   at: root, level: 'p',   names: ['Country of origin', 'Herkunftsland', "Pays d'origine"], more: countries },
  { tid: 'LAUNCH_DATE',    type: 'date',    flags: '',   at: root, level: 'p',   names: ['On sale since', 'Im Verkauf seit', 'En vente depuis'] },
  { tid: 'LAST_ORDER',     type: 'date',    flags: '',   at: root, level: 'p',   names: ['Last order by', 'Letzte Bestellung bis', 'Dernière commande'] },
  { tid: 'IS_NEW',         type: 'boolean', flags: '',   at: root, level: 'p',   names: ['New this season', 'Neu in dieser Saison', 'Nouveauté'] },
  { tid: 'CUSTOMS_NUMBER', type: 'text',    flags: '',   at: root, level: 'p',   names: ['Customs tariff number', 'Zolltarifnummer', 'Code douanier'], more: { validation: { type: '[0-9]{8}' } } },
  { tid: 'WARRANTY',       type: 'number',  flags: '',   at: root, level: 'p',   names: ['Warranty (years)', 'Garantie (Jahre)', 'Garantie (ans)'], more: between('0', '30', true) },
  { tid: 'MATERIAL',       type: 'text',    flags: 'm',  at: root, level: 'p',   names: ['Material', 'Material', 'Matière'], more: materialList },
  { tid: 'MATERIAL_NOTE',  type: 'text',    flags: 'l',  at: root, level: 'p',   names: ['Note on material', 'Hinweis zum Material', 'Note sur la matière'] },
  { tid: 'RECYCLED',       type: 'number',  flags: '',   at: root, level: 'p',   names: ['Recycled content (%)', 'Recyclinganteil (%)', 'Part recyclée (%)'], more: between('0', '100') },
  { tid: 'PFAS_FREE',      type: 'boolean', flags: '',   at: root, level: 'p',   names: ['Free of PFAS', 'PFAS-frei', 'Sans PFAS'] },
  { tid: 'NORMS',          type: 'text',    flags: 'm',  at: root, level: 'p',   names: ['Standards met', 'Erfüllte Normen', 'Normes respectées'] },
  { tid: 'HIGHLIGHT',      type: 'text',    flags: 'l',  at: root, level: 'p',   names: ['Label in the shop', 'Störer im Shop', 'Pastille boutique'], more: claims },
  { tid: 'BADGES',         type: 'text',    flags: 'lm', at: root, level: 'p',   names: ['Badges', 'Auszeichnungen', 'Badges'], more: claims },
  { tid: 'SEO_TITLE',      type: 'text',    flags: 'l',  at: root, level: 'p',   names: ['Title for search engines', 'Titel für Suchmaschinen', 'Titre SEO'], more: { validation: { maxLength: 70 } } },
  { tid: 'SEO_WORDS',      type: 'text',    flags: 'lm', at: root, level: 'p',   names: ['Words for search engines', 'Suchwörter', 'Mots-clés SEO'] },
  { tid: 'SUCCESSOR',      type: 'ref',     flags: '',   at: root, level: 'p',   names: ['Successor', 'Nachfolger', 'Successeur'] },
  { tid: 'ACCESSORIES',    type: 'ref',     flags: 'm',  at: root, level: 'p',   names: ['Goes well with', 'Passt dazu', 'Va bien avec'] },
  { tid: 'TECH',           type: 'table',   flags: '',   at: root, level: 'p',   names: ['Technical data', 'Technische Daten', 'Données techniques'], more: columns('TECH_NAME', 'TECH_VALUE', 'TECH_UNIT') },
  { tid: 'TECH_NAME',      type: 'text',    flags: 'l',                          names: ['Property', 'Eigenschaft', 'Propriété'] },
  { tid: 'TECH_VALUE',     type: 'text',    flags: '',                           names: ['Value', 'Wert', 'Valeur'] },
  { tid: 'TECH_UNIT',      type: 'text',    flags: '',                           names: ['Unit', 'Einheit', 'Unité'] },
  // of articles and variations
  { tid: 'ITEM_NUMBER',    type: 'text',    flags: '',   at: root, level: 'av',  names: ['Item number', 'Artikelnummer', 'Référence'], more: { validation: { maxLength: 20 } } },
  { tid: 'EAN',            type: 'identifier', flags: '', at: root, level: 'av', names: ['EAN', 'EAN', 'EAN'], more: { format: { scheme: 'gtin', unique: 'true' } } },
  { tid: 'COLOUR',         type: 'text',    flags: '',   at: root, level: 'pav', names: ['Colour', 'Farbe', 'Couleur'], more: colourList },
  { tid: 'SIZE',           type: 'text',    flags: '',   at: root, level: 'v',   names: ['Size', 'Größe', 'Taille'], more: sizeList },
  { tid: 'PRICE',          type: 'price',   flags: '',   at: root, level: 'pav', names: ['Retail price', 'Verkaufspreis', 'Prix public'], more: { format: { unit: [{ code: 'EUR' }, { code: 'CHF' }] } } },
  { tid: 'DEALER_PRICE',   type: 'number',  flags: '',   at: root, level: 'pav', names: ['Dealer price (EUR)', 'Händlerpreis (EUR)', 'Prix revendeur (EUR)'], more: between('0', '100000') },
  { tid: 'VAT',            type: 'text',    flags: '',   at: root, level: 'p',   names: ['VAT', 'Umsatzsteuer', 'TVA'], more: same('Standard', 'Reduced') },
  { tid: 'WEIGHT',         type: 'measure', flags: '',   at: root, level: 'pav', names: ['Weight', 'Gewicht', 'Poids'], more: measured('mass', '0 g', '1 t') },
  { tid: 'LENGTH',         type: 'number',  flags: '',   at: root, level: 'pa',  names: ['Length (mm)', 'Länge (mm)', 'Longueur (mm)'] },
  { tid: 'WIDTH',          type: 'number',  flags: '',   at: root, level: 'pa',  names: ['Width (mm)', 'Breite (mm)', 'Largeur (mm)'] },
  { tid: 'HEIGHT',         type: 'number',  flags: '',   at: root, level: 'pa',  names: ['Height (mm)', 'Höhe (mm)', 'Hauteur (mm)'] },
  { tid: 'PACK_UNIT',      type: 'number',  flags: '',   at: root, level: 'a',   names: ['Packing unit', 'Verpackungseinheit', 'Unité de conditionnement'], more: between('1', '1000', true) },
  { tid: 'DELIVERY_DAYS',  type: 'number',  flags: '',   at: root, level: 'a',   names: ['Delivery time (days)', 'Lieferzeit (Tage)', 'Délai de livraison (jours)'], more: between('0', '365', true) },
  { tid: 'IN_STOCK',       type: 'boolean', flags: '',   at: root, level: 'av',  names: ['In stock', 'Auf Lager', 'En stock'] },
  // of single groups
  { tid: 'SEASON',         type: 'text',    flags: 'm',  at: group('Clothing'),   level: 'p', names: ['Season', 'Saison', 'Saison'], more: same('Spring', 'Summer', 'Autumn', 'Winter') },
  { tid: 'FIT',            type: 'text',    flags: '',   at: group('Clothing'),   level: 'p', names: ['Fit', 'Passform', 'Coupe'], more: list(['women', 'Women', 'Damen', 'Femme'], ['men', 'Men', 'Herren', 'Homme'], ['unisex', 'Unisex', 'Unisex', 'Mixte']) },
  { tid: 'WATER_COLUMN',   type: 'number',  flags: '',   at: group('Clothing'),   level: 'p', names: ['Water column (mm)', 'Wassersäule (mm)', "Colonne d'eau (mm)"], more: between('0', '40000', true) },
  { tid: 'BREATHABILITY',  type: 'number',  flags: '',   at: group('Clothing'),   level: 'p', names: ['Breathability (g/m²/24 h)', 'Atmungsaktivität (g/m²/24 h)', 'Respirabilité (g/m²/24 h)'], more: between('0', '40000', true) },
  { tid: 'CARE',           type: 'text',    flags: 'm',  at: group('Clothing'),   level: 'p', names: ['Care', 'Pflege', 'Entretien'], more: care },
  { tid: 'PERSONS',        type: 'number',  flags: '',   at: group('Boats'),      level: 'p', names: ['Persons', 'Personen', 'Personnes'], more: between('1', '12', true) },
  { tid: 'PAYLOAD',        type: 'number',  flags: '',   at: group('Boats'),      level: 'p', names: ['Payload (kg)', 'Zuladung (kg)', 'Charge utile (kg)'] },
  { tid: 'DRAFT',          type: 'number',  flags: '',   at: group('Boats'),      level: 'p', names: ['Draught (cm)', 'Tiefgang (cm)', "Tirant d'eau (cm)"] },
  { tid: 'BUOYANCY',       type: 'number',  flags: '',   at: group('Safety'),     level: 'p', names: ['Buoyancy (N)', 'Auftrieb (N)', 'Flottabilité (N)'], more: between('0', '400', true) },
  { tid: 'SERVICE_DATE',   type: 'date',    flags: '',   at: group('Safety'),     level: 'p', names: ['Service manual of', 'Wartungsanleitung vom', 'Notice du'] },
  { tid: 'AUTOMATIC',      type: 'boolean', flags: '',   at: group('Safety'),     level: 'p', names: ['Inflates automatically', 'Löst automatisch aus', 'Gonflage automatique'] },
  { tid: 'BREAKING_LOAD',  type: 'number',  flags: '',   at: group('Deck'),       level: 'p', names: ['Breaking load (kg)', 'Bruchlast (kg)', 'Charge de rupture (kg)'] },
  { tid: 'DIAMETER',       type: 'number',  flags: '',   at: group('Deck'),       level: 'p', names: ['Diameter (mm)', 'Durchmesser (mm)', 'Diamètre (mm)'] },
  { tid: 'MAGNIFICATION',  type: 'text',    flags: '',   at: group('Navigation'), level: 'p', names: ['Magnification', 'Vergrößerung', 'Grossissement'] },
  { tid: 'BATTERY_HOURS',  type: 'number',  flags: '',   at: group('Navigation'), level: 'p', names: ['Battery life (h)', 'Batterielaufzeit (h)', 'Autonomie (h)'] },
  { tid: 'COMFORT',        type: 'measure', flags: '',   at: group('Camping'),    level: 'p', names: ['Comfort temperature', 'Komforttemperatur', 'Température de confort'], more: measured('temperature', '-60 °C', '60 °C') },
  { tid: 'CAPACITY',       type: 'number',  flags: '',   at: group('Camping'),    level: 'p', names: ['Capacity (l)', 'Volumen (l)', 'Volume (l)'] },
  { tid: 'SETUP',          type: 'richtext', flags: 'l', at: group('Camping'),    level: 'p', names: ['How to set it up', 'Aufbau', 'Montage'] },
]

export const attrDefs = definitions.map(({ tid, type, flags, names, more }) => ({
  tid,
  type,
  name: { itm: localized(names) },
  ...(flags.includes('l') && { localized: 'true' }),
  ...(flags.includes('m') && { multiValued: { value: 'true' } }),
  ...more,
}))

const grouped = (tid: string, names: Texts, ...attributes: string[]) => ({
  tid,
  name: { itm: localized(names) },
  references: { itm: attributes.map((value) => ({ value })) },
})
// prettier-ignore
export const attrGroups = [
  grouped('FJ-TEXTS', ['Texts', 'Texte', 'Textes'], 'TITLE', 'CLAIM', 'DESCRIPTION', 'BULLETS', 'HIGHLIGHT', 'BADGES', 'SEO_TITLE', 'SEO_WORDS'),
  grouped('FJ-SALES', ['Sales', 'Verkauf', 'Vente'], 'STATUS', 'PRICE', 'DEALER_PRICE', 'VAT', 'LAUNCH_DATE', 'LAST_ORDER', 'IN_STOCK', 'DELIVERY_DAYS', 'PACK_UNIT'),
  grouped('FJ-MEASURES', ['Measures', 'Maße', 'Dimensions'], 'WEIGHT', 'LENGTH', 'WIDTH', 'HEIGHT', 'COLOUR', 'SIZE', 'TECH'),
  grouped('FJ-MATERIAL', ['Material and care', 'Material und Pflege', 'Matière et entretien'], 'MATERIAL', 'MATERIAL_NOTE', 'RECYCLED', 'PFAS_FREE', 'CARE', 'NORMS'),
]

const node = (tid: string, names: Texts, below: readonly object[] = []) => ({
  tid,
  name: { itm: localized(names) },
  ...(below.length > 0 && { node: below }),
})
const clazz = (tid: string, names: Texts, below: readonly object[]) => ({
  tid,
  name: { itm: localized(names) },
  node: node(tid, names, below),
})
export const nodeOf = (family: { group: string; tid: string }) => `/${range}/${family.group}/${family.tid}`

const ranges = groups.map((one) =>
  node(
    one.tid,
    one.names,
    families.filter(({ group }) => group === one.tid).map(({ tid, names }) => node(tid, names)),
  ),
)
// prettier-ignore
export const classes = [
  clazz(range, ['Fjordlin product range', 'Fjordlin Sortiment', 'Gamme Fjordlin'], ranges),
  clazz(spareParts, ['Spare parts', 'Ersatzteile', 'Pièces détachées'], [
    node('Zips', ['Zips and seals', 'Reißverschlüsse und Dichtungen', 'Fermetures et joints']),
    node('Cartridges', ['Gas cartridges', 'Gaspatronen', 'Cartouches de gaz']),
    node('Bearings', ['Bearings', 'Lager', 'Roulements']),
  ]),
  clazz(services, ['Services', 'Dienstleistungen', 'Services'], [
    node('Repair', ['Repair', 'Reparatur', 'Réparation']),
    node('Inspection', ['Inspection', 'Wartung', 'Révision']),
  ]),
]

/** The attributes that the other classifications have, too. */
const shared = ['TITLE', 'DESCRIPTION', 'STATUS', 'PRICE', 'ITEM_NUMBER', 'WARRANTY']
export const nodeAttributes = [
  ...definitions.flatMap(({ tid: key, at: nodePath, level }) => (nodePath ? [{ key, nodePath, level }] : [])),
  ...families.flatMap((family) =>
    family.sizes.length > 0 ? [{ key: 'SIZE', nodePath: nodeOf(family), level: 'v', ...sizesOf(family.sizes) }] : [],
  ),
  ...[spareParts, services].flatMap((tid) =>
    shared.map((key) => ({ key, nodePath: `/${tid}`, level: key === 'ITEM_NUMBER' ? 'av' : 'p' })),
  ),
]
