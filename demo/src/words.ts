/** The vocabulary of the demo in three languages: the product families and texts of Fjordlin, an outdoor company. */

/** English, German, French. */
export type Texts = readonly [en: string, de: string, fr: string]
export const locales = ['en_GB', 'de_DE', 'fr_FR'] as const

export const localized = (texts: Texts) => texts.map((value, i) => ({ value, loc: locales[i]! }))

export interface Family {
  readonly tid: string
  readonly group: string
  readonly names: Texts
  /** The name of a single product. */
  readonly one: Texts
  readonly price: readonly [least: number, most: number]
  readonly grams: readonly [least: number, most: number]
  /** The sizes of its variations; articles differ in colour. */
  readonly sizes: readonly string[]
}

export interface Group {
  readonly tid: string
  readonly names: Texts
  /** The purpose of its products. */
  readonly use: Texts
}

// prettier-ignore
export const groups: readonly Group[] = [
  { tid: 'Clothing',   names: ['Clothing', 'Bekleidung', 'Vêtements'],                 use: ['on deck in every weather', 'an Deck bei jedem Wetter', 'sur le pont par tous les temps'] },
  { tid: 'Boats',      names: ['Boats and paddles', 'Boote und Paddel', 'Bateaux et pagaies'], use: ['on lakes, rivers and along the coast', 'auf Seen, Flüssen und an der Küste', 'sur lacs, rivières et le long des côtes'] },
  { tid: 'Safety',     names: ['Safety', 'Sicherheit', 'Sécurité'],                    use: ['for the day on which it counts', 'für den Tag, an dem es zählt', 'pour le jour où tout compte'] },
  { tid: 'Deck',       names: ['Deck equipment', 'Decksausrüstung', 'Accastillage'],   use: ['under load and in salt water', 'unter Last und im Salzwasser', "sous charge et dans l'eau salée"] },
  { tid: 'Navigation', names: ['Navigation', 'Navigation', 'Navigation'],              use: ['for a safe course by day and night', 'für sicheren Kurs bei Tag und Nacht', 'pour un cap sûr de jour comme de nuit'] },
  { tid: 'Camping',    names: ['Camping', 'Camping', 'Camping'],                       use: ['for quiet nights outdoors', 'für ruhige Nächte im Freien', 'pour des nuits paisibles en plein air'] },
]

const clothes = ['XS', 'S', 'M', 'L', 'XL', 'XXL']
const none: readonly string[] = []

// prettier-ignore
export const families: readonly Family[] = [
  { tid: 'Jackets',     group: 'Clothing',   names: ['Jackets', 'Jacken', 'Vestes'],                         one: ['Sailing jacket', 'Segeljacke', 'Veste de voile'],           price: [129, 489], grams: [480, 1250],  sizes: clothes },
  { tid: 'Trousers',    group: 'Clothing',   names: ['Trousers', 'Hosen', 'Pantalons'],                      one: ['Sailing trousers', 'Segelhose', 'Pantalon de voile'],       price: [89, 329],  grams: [420, 900],   sizes: clothes },
  { tid: 'Fleece',      group: 'Clothing',   names: ['Fleece', 'Fleece', 'Polaires'],                        one: ['Fleece jumper', 'Fleecepullover', 'Pull polaire'],          price: [49, 149],  grams: [260, 520],   sizes: clothes },
  { tid: 'Gloves',      group: 'Clothing',   names: ['Gloves', 'Handschuhe', 'Gants'],                       one: ['Sailing gloves', 'Segelhandschuhe', 'Gants de voile'],      price: [19, 59],   grams: [60, 140],    sizes: ['7', '8', '9', '10', '11'] },
  { tid: 'Boots',       group: 'Clothing',   names: ['Boots', 'Stiefel', 'Bottes'],                          one: ['Deck boots', 'Bordstiefel', 'Bottes de pont'],              price: [59, 249],  grams: [900, 1700],  sizes: ['38', '40', '42', '44', '46'] },
  { tid: 'Kayaks',      group: 'Boats',      names: ['Kayaks', 'Kajaks', 'Kayaks'],                          one: ['Touring kayak', 'Tourenkajak', 'Kayak de randonnée'],       price: [690, 2890], grams: [17000, 29000], sizes: none },
  { tid: 'Dinghies',    group: 'Boats',      names: ['Dinghies', 'Jollen', 'Dériveurs'],                     one: ['Sailing dinghy', 'Segeljolle', 'Dériveur'],                 price: [2900, 9800], grams: [58000, 160000], sizes: none },
  { tid: 'Inflatables', group: 'Boats',      names: ['Inflatable boats', 'Schlauchboote', 'Pneumatiques'],   one: ['Inflatable boat', 'Schlauchboot', 'Bateau pneumatique'],    price: [390, 2490], grams: [14000, 62000], sizes: none },
  { tid: 'Paddles',     group: 'Boats',      names: ['Paddles', 'Paddel', 'Pagaies'],                        one: ['Carbon paddle', 'Carbonpaddel', 'Pagaie carbone'],          price: [59, 369],  grams: [650, 1100],  sizes: ['210 cm', '220 cm', '230 cm'] },
  { tid: 'LifeJackets', group: 'Safety',     names: ['Life jackets', 'Rettungswesten', 'Gilets de sauvetage'], one: ['Life jacket', 'Rettungsweste', 'Gilet de sauvetage'],     price: [99, 349],  grams: [700, 1500],  sizes: ['30–60 kg', '60–90 kg', '90+ kg'] },
  { tid: 'Harnesses',   group: 'Safety',     names: ['Harnesses', 'Lifebelts', 'Harnais'],                   one: ['Safety harness', 'Sicherheitsgurt', 'Harnais de sécurité'], price: [49, 139],  grams: [380, 760],   sizes: ['S', 'M', 'L'] },
  { tid: 'LifeRings',   group: 'Safety',     names: ['Life rings', 'Rettungsringe', 'Bouées'],               one: ['Life ring', 'Rettungsring', 'Bouée couronne'],              price: [39, 119],  grams: [1900, 4200], sizes: none },
  { tid: 'FirstAid',    group: 'Safety',     names: ['First aid', 'Erste Hilfe', 'Premiers secours'],        one: ['First-aid kit', 'Bordapotheke', 'Trousse de secours'],      price: [29, 169],  grams: [400, 2200],  sizes: none },
  { tid: 'Ropes',       group: 'Deck',       names: ['Ropes', 'Tauwerk', 'Cordages'],                        one: ['Halyard rope', 'Fallleine', 'Drisse'],                      price: [19, 189],  grams: [300, 4800],  sizes: ['6 mm', '8 mm', '10 mm', '12 mm'] },
  { tid: 'Blocks',      group: 'Deck',       names: ['Blocks', 'Blöcke', 'Poulies'],                         one: ['Ball-bearing block', 'Kugellagerblock', 'Poulie à billes'], price: [15, 119],  grams: [40, 420],    sizes: none },
  { tid: 'Shackles',    group: 'Deck',       names: ['Shackles', 'Schäkel', 'Manilles'],                     one: ['Snap shackle', 'Schnappschäkel', 'Mousqueton'],             price: [9, 69],    grams: [30, 310],    sizes: ['S', 'M', 'L'] },
  { tid: 'Anchors',     group: 'Deck',       names: ['Anchors', 'Anker', 'Ancres'],                          one: ['Plough anchor', 'Pflugscharanker', 'Ancre charrue'],        price: [69, 489],  grams: [4000, 25000], sizes: none },
  { tid: 'Fenders',     group: 'Deck',       names: ['Fenders', 'Fender', 'Pare-battage'],                   one: ['Fender', 'Langfender', 'Pare-battage'],                     price: [15, 89],   grams: [600, 3900],  sizes: none },
  { tid: 'Compasses',   group: 'Navigation', names: ['Compasses', 'Kompasse', 'Compas'],                     one: ['Bearing compass', 'Peilkompass', 'Compas de relèvement'],   price: [39, 389],  grams: [90, 800],    sizes: none },
  { tid: 'Binoculars',  group: 'Navigation', names: ['Binoculars', 'Ferngläser', 'Jumelles'],                one: ['Marine binoculars', 'Marinefernglas', 'Jumelles marines'],  price: [129, 690], grams: [720, 1200],  sizes: none },
  { tid: 'Plotters',    group: 'Navigation', names: ['Chart plotters', 'Kartenplotter', 'Traceurs'],         one: ['Chart plotter', 'Kartenplotter', 'Traceur de cartes'],      price: [349, 1890], grams: [600, 2900], sizes: none },
  { tid: 'Clocks',      group: 'Navigation', names: ['Clocks', 'Uhren', 'Horloges'],                         one: ["Ship's clock", 'Schiffsuhr', 'Horloge de bord'],            price: [49, 289],  grams: [350, 1300],  sizes: none },
  { tid: 'Tents',       group: 'Camping',    names: ['Tents', 'Zelte', 'Tentes'],                            one: ['Trekking tent', 'Trekkingzelt', 'Tente de randonnée'],      price: [159, 890], grams: [1400, 5200], sizes: none },
  { tid: 'SleepingBags', group: 'Camping',   names: ['Sleeping bags', 'Schlafsäcke', 'Sacs de couchage'],    one: ['Sleeping bag', 'Schlafsack', 'Sac de couchage'],            price: [89, 489],  grams: [680, 1900],  sizes: ['170 cm', '185 cm', '200 cm'] },
  { tid: 'Stoves',      group: 'Camping',    names: ['Stoves', 'Kocher', 'Réchauds'],                        one: ['Spirit stove', 'Spirituskocher', 'Réchaud à alcool'],       price: [39, 219],  grams: [120, 1900],  sizes: none },
  { tid: 'Lanterns',    group: 'Camping',    names: ['Lanterns', 'Laternen', 'Lanternes'],                   one: ['Storm lantern', 'Sturmlaterne', 'Lanterne tempête'],        price: [25, 129],  grams: [180, 980],   sizes: none },
  { tid: 'DryBags',     group: 'Camping',    names: ['Dry bags', 'Packsäcke', 'Sacs étanches'],              one: ['Dry bag', 'Wasserdichter Packsack', 'Sac étanche'],         price: [15, 119],  grams: [90, 900],    sizes: ['10 l', '20 l', '40 l', '60 l'] },
  { tid: 'Bottles',     group: 'Camping',    names: ['Bottles', 'Flaschen', 'Gourdes'],                      one: ['Insulated bottle', 'Isolierflasche', 'Gourde isotherme'],   price: [19, 49],   grams: [250, 520],   sizes: ['0.5 l', '0.75 l', '1 l'] },
]

/** Names of model series: places by the sea, winds and birds. */
export const series = (
  'Skagen Lofoten Aurora Kattegat Bora Mistral Solent Faro Tern Puffin Rügen Hallig Fehmarn Arken Sylt Orkney Iona Skerry ' +
  'Levante Tramontane Passat Zephyr Petrel Fulmar Heron Avocet Sandvik Turku Åland Visby Marstrand Kalmar Brest Ouessant ' +
  'Cancale Glénan Levanto Portofino Ithaka Naxos'
).split(' ')

// prettier-ignore
export const colours: readonly { readonly tid: string; readonly names: Texts; readonly paint: string }[] = [
  { tid: 'navy',     names: ['Navy', 'Marineblau', 'Bleu marine'],       paint: '#1f3a5f' },
  { tid: 'signal',   names: ['Signal red', 'Signalrot', 'Rouge signal'], paint: '#d64533' },
  { tid: 'lime',     names: ['Lime', 'Limette', 'Citron vert'],          paint: '#b5c93b' },
  { tid: 'graphite', names: ['Graphite', 'Graphit', 'Graphite'],         paint: '#4a4f57' },
  { tid: 'sand',     names: ['Sand', 'Sand', 'Sable'],                   paint: '#d9c49a' },
  { tid: 'teal',     names: ['Teal', 'Petrol', 'Bleu canard'],           paint: '#1d7a80' },
  { tid: 'orange',   names: ['Rescue orange', 'Rettungsorange', 'Orange secours'], paint: '#f08a24' },
  { tid: 'white',    names: ['White', 'Weiß', 'Blanc'],                  paint: '#eceff1' },
]

// prettier-ignore
export const praises: readonly Texts[] = [
  ['Built for long passages', 'Gebaut für lange Törns', 'Conçu pour les longues traversées'],
  ['Light, tough and easily repaired', 'Leicht, robust und leicht zu reparieren', 'Léger, robuste et facile à réparer'],
  ['Tested off the Lofoten islands', 'Erprobt vor den Lofoten', 'Testé au large des îles Lofoten'],
  ['Our lightest of its kind', 'Das leichteste seiner Art bei uns', 'Le plus léger de notre gamme'],
  ['The choice of sailing schools', 'Die Wahl der Segelschulen', 'Le choix des écoles de voile'],
  ['Made of recycled fishing nets', 'Aus recycelten Fischernetzen', 'Fabriqué à partir de filets recyclés'],
]

// prettier-ignore
export const bullets: readonly Texts[] = [
  ['Seams taped by hand', 'Von Hand getapte Nähte', 'Coutures étanchées à la main'],
  ['Reflective trim on all sides', 'Reflektoren auf allen Seiten', 'Bandes réfléchissantes de tous côtés'],
  ['Stainless fittings, grade 316', 'Beschläge aus Edelstahl 316', 'Ferrures en inox 316'],
  ['Free of PFAS', 'Frei von PFAS', 'Sans PFAS'],
  ['Spare parts for ten years', 'Ersatzteile für zehn Jahre', 'Pièces détachées pendant dix ans'],
  ['Packs into its own pocket', 'In der eigenen Tasche verstaubar', 'Se range dans sa propre poche'],
  ['Can be used with gloves on', 'Mit Handschuhen bedienbar', 'Utilisable avec des gants'],
  ['Made in Europe', 'In Europa gefertigt', 'Fabriqué en Europe'],
]

/** Terms of the glossary, with their translations. */
// prettier-ignore
export const terms: readonly Texts[] = [
  ['halyard', 'Fall', 'drisse'], ['sheet', 'Schot', 'écoute'], ['cleat', 'Klampe', 'taquet'], ['shackle', 'Schäkel', 'manille'],
  ['fender', 'Fender', 'pare-battage'], ['life jacket', 'Rettungsweste', 'gilet de sauvetage'], ['starboard', 'Steuerbord', 'tribord'],
  ['port side', 'Backbord', 'bâbord'], ['bow', 'Bug', 'proue'], ['stern', 'Heck', 'poupe'], ['keel', 'Kiel', 'quille'],
  ['rudder', 'Ruder', 'safran'], ['mast', 'Mast', 'mât'], ['boom', 'Baum', 'bôme'], ['anchor', 'Anker', 'ancre'],
  ['water column', 'Wassersäule', "colonne d'eau"], ['breathable', 'atmungsaktiv', 'respirant'], ['dry bag', 'Packsack', 'sac étanche'],
  ['sleeping bag', 'Schlafsack', 'sac de couchage'], ['breaking load', 'Bruchlast', 'charge de rupture'],
]

/** Words that texts must not use, with what to write instead. */
// prettier-ignore
export const forbiddenWords: readonly { readonly loc: string; readonly word: string; readonly instead: string }[] = [
  { loc: 'en_GB', word: 'lightest', instead: 'very light' },
  { loc: 'de_DE', word: 'leichteste', instead: 'besonders leicht' },
  { loc: 'fr_FR', word: 'le plus léger', instead: 'très léger' },
]

/** Keywords for pictures: a tree of two levels. */
// prettier-ignore
export const keywords: readonly { readonly name: Texts; readonly below: readonly Texts[] }[] = [
  { name: ['Motif', 'Motiv', 'Motif'], below: [['Cut-out', 'Freisteller', 'Détourage'], ['On board', 'An Bord', 'À bord'], ['Detail', 'Detail', 'Détail'], ['Landscape', 'Landschaft', 'Paysage'], ['Indoors', 'Innenraum', 'Intérieur']] },
  { name: ['Season', 'Saison', 'Saison'], below: [['Spring', 'Frühling', 'Printemps'], ['Summer', 'Sommer', 'Été'], ['Autumn', 'Herbst', 'Automne'], ['Winter', 'Winter', 'Hiver']] },
  { name: ['Usage rights', 'Nutzungsrechte', "Droits d'utilisation"], below: [['Unlimited', 'Unbegrenzt', 'Illimité'], ['Web only', 'Nur Web', 'Web uniquement'], ['Until 2028', 'Bis 2028', "Jusqu'en 2028"]] },
]
