/** The demo's products. The i-th product is always the same, regardless of the number of products. */
import { createRandom, type Random } from './random.ts'
import { materials, nodeOf, services, spareParts } from './model.ts'
import { bullets, colours, families, type Family, groups, locales, praises, series, type Texts } from './words.ts'

export const tidOf = (i: number) => `FJ-${String(i + 1).padStart(6, '0')}`
/** One in twenty products is a spare part, one in fifty a service. */
const isPart = (i: number) => i % 20 === 19
const isService = (i: number) => i % 50 === 48
export const isOfRange = (i: number) => !isPart(i) && !isService(i)
/** The spare part that fits a product of the range. */
export const partFor = (i: number) => Math.floor(i / 20) * 20 + 19

/** The product of the same family in the next series. */
export const successorOf = (i: number) => i + families.length

const familyOf = (i: number): Family => families[i % families.length]!
const modelOf = (i: number) => {
  const turn = Math.floor(i / families.length)
  const generation = Math.floor(turn / series.length) + 1
  return { series: series[turn % series.length]!, generation }
}

export function productOf(i: number) {
  const random = createRandom(i + 1)
  if (isPart(i)) return sparePart(i, random)
  if (isService(i)) return service(i, random)
  return rangeProduct(i, random)
}

type Val = object
const plain = (attr: string, value: string | number): Val => ({ attr, itm: [{ value: String(value) }] })
const each = (attr: string, values: readonly (string | number)[]): Val => ({
  attr,
  type: 'multiple',
  itm: values.map((value, pos) => ({ value: String(value), pos })),
})
/** A value from a list, identified by its key. */
const chosen = (attr: string, key: string): Val => ({ attr, type: 'domain', itm: [{ key, value: key }] })
const chosenEach = (attr: string, keys: readonly string[]): Val => ({
  attr,
  type: 'multi_domain',
  itm: keys.map((key, pos) => ({ key, value: key, pos })),
})
/** A text in all or some languages, because real catalogues are never complete. */
const localizedText = (attr: string, texts: Texts, languages = 3): Val => ({
  attr,
  type: 'localized',
  itm: texts.slice(0, languages).map((value, l) => ({ value, loc: locales[l]! })),
})
const localizedTexts = (attr: string, list: readonly Texts[]): Val => ({
  attr,
  type: 'multi_loc',
  i18N: locales.map((loc, l) => ({ loc, itm: list.map((texts, pos) => ({ value: texts[l]!, pos })) })),
})
const map = (texts: Texts, change: (text: string, l: number) => string) => texts.map(change) as unknown as Texts

/** The first values of a product of the main range: its price and the colours of its articles. */
const coloursAndPrice = (i: number, random: Random) => {
  const price = random.integer(...familyOf(i).price) - 0.05
  return { price, paints: random.sample(colours, random.integer(1, 3)) }
}
/** The paint of each article; spare parts and services have no articles, but a colour for their picture. */
export const paintsOf = (i: number) =>
  isPart(i) || isService(i)
    ? [colours[i % colours.length]!.paint]
    : coloursAndPrice(i, createRandom(i + 1)).paints.map(({ paint }) => paint)

/** This product was once created again, with the words of its name in another order. */
const twin = 33

function titleOf(i: number): Texts {
  const { series, generation } = modelOf(i)
  const suffix = generation > 1 ? `${series} ${generation}` : series
  return map(familyOf(i).one, (one) => `${one} ${suffix}`)
}

function rangeProduct(i: number, random: Random) {
  const family = familyOf(i)
  const title = titleOf(i)
  const { price, paints } = coloursAndPrice(i, random)
  const tid = tidOf(i)
  return {
    tid,
    name:
      i === twin
        ? titleOf(i - families.length)[0]
            .split(' ')
            .toReversed()
            .join(' ')
        : title[0],
    node: nodeOf(family),
    vals: { val: [...commonValues(i, random, family, title, price), ...groupValues(random, family)] },
    articles: { article: paints.map((colour, a) => article(tid, a, random, family, title[0], colour, price)) },
  }
}

function commonValues(i: number, random: Random, family: Family, title: Texts, price: number): Val[] {
  const group = groups.find(({ tid }) => tid === family.group)!
  const praise = random.pick(praises)
  const description = map(
    title,
    (name, l) => `${name}: ${praise[l]!.charAt(0).toLowerCase()}${praise[l]!.slice(1)}. ${sentence(group.use[l]!, l)}`,
  )
  const year = random.integer(2021, 2026)
  const isNew = year === 2026
  const languages = random.likely(0.8) ? 3 : random.integer(1, 2)
  return [
    localizedText('TITLE', title, random.likely(0.9) ? 3 : 2),
    localizedText('CLAIM', praise, languages),
    localizedText('DESCRIPTION', description, languages),
    localizedTexts('BULLETS', random.sample(bullets, random.integer(2, 4))),
    chosen('BRAND', random.pick(['fjordlin', 'fjordlin', 'fjordlin-pro', 'kattegat-works'])),
    plain('SERIES', modelOf(i).series),
    chosen('STATUS', random.pick(['released', 'released', 'released', 'ready', 'draft', 'phase-out'])),
    chosen('ORIGIN', random.pick(['no', 'de', 'fr', 'pt', 'pl', 'vn'])),
    plain('LAUNCH_DATE', `${year}-0${random.integer(1, 9)}-${random.integer(10, 28)}T00:00:00.000Z`),
    plain('IS_NEW', String(isNew)),
    plain('CUSTOMS_NUMBER', `6${random.integer(1000000, 9999999)}`),
    plain('WARRANTY', random.pick([2, 3, 5, 10])),
    chosenEach('MATERIAL', random.sample(materials, random.integer(1, 2))),
    plain('RECYCLED', random.integer(0, 20) * 5),
    plain('PFAS_FREE', String(random.likely(0.7))),
    each('NORMS', random.sample(['EN ISO 12402-3', 'EN 343', 'ISO 9001', 'OEKO-TEX 100', 'CE'], 2)),
    ...(isNew ? [{ attr: 'HIGHLIGHT', type: 'loc_domain', itm: locales.map((loc) => ({ key: 'new', loc })) }] : []),
    localizedText(
      'SEO_TITLE',
      map(title, (name) => `${name} | Fjordlin`),
    ),
    ...(i >= families.length ? [each('ACCESSORIES', [tidOf(i - 1), tidOf(i - families.length)])] : []),
    plain('PRICE', priced(price)),
    plain('DEALER_PRICE', (price * 0.58).toFixed(2)),
    chosen('VAT', 'standard'),
    plain('WEIGHT', inGramsOrKilos(random.integer(...family.grams))),
    ...technicalData(random, family),
  ]
}

/** In Switzerland prices end with five or ten centimes. */
const priced = (euros: number) => `${euros.toFixed(2)} EUR; ${(Math.round(euros * 1.1 * 20) / 20).toFixed(2)} CHF`

/** Heavy products are weighed in kilograms, as people do. */
const inGramsOrKilos = (grams: number) => (grams < 2000 ? `${grams} g` : `${grams / 1000} kg`)

const sentence = (use: string, l: number) =>
  [`Made ${use}.`, `Gemacht für den Einsatz ${use}.`, `Conçu pour servir ${use}.`][l]!

/** A table: every column is a list of values, and equal positions form a row. */
function technicalData(random: Random, { grams }: Family): Val[] {
  const names: Texts[] = [
    ['Weight', 'Gewicht', 'Poids'],
    ['Operating temperature', 'Einsatztemperatur', "Température d'utilisation"],
    ['Salt-water resistant', 'Seewasserfest', "Résiste à l'eau de mer"],
  ]
  const values = [String(random.integer(...grams)), `-${random.integer(5, 25)} – ${random.integer(35, 60)}`, 'ISO 9227']
  const column = (attr: string, cells: readonly string[]) => ({ ...each(attr, cells), parent: 'TECH' })
  return [
    { ...localizedTexts('TECH_NAME', names), parent: 'TECH' },
    column('TECH_VALUE', values),
    column('TECH_UNIT', ['g', '°C', '–']),
  ]
}

// prettier-ignore
const ofGroup: Readonly<Record<string, (random: Random) => Val[]>> = {
  Clothing:   (random) => [chosenEach('SEASON', random.sample(['spring', 'summer', 'autumn', 'winter'], 2)), chosen('FIT', random.pick(['women', 'men', 'unisex'])),
                           plain('WATER_COLUMN', random.integer(8, 28) * 1000), plain('BREATHABILITY', random.integer(8, 25) * 1000), chosenEach('CARE', ['wash30', 'nobleach', 'drip'])],
  Boats:      (random) => [plain('PERSONS', random.integer(1, 5)), plain('PAYLOAD', random.integer(90, 600)), plain('DRAFT', random.integer(8, 95))],
  Safety:     (random) => [plain('BUOYANCY', random.pick([100, 150, 165, 275])), plain('AUTOMATIC', String(random.likely(0.5))), plain('SERVICE_DATE', '2025-03-01T00:00:00.000Z')],
  Deck:       (random) => [plain('BREAKING_LOAD', random.integer(5, 60) * 100), plain('DIAMETER', random.integer(4, 80))],
  Navigation: (random) => [plain('MAGNIFICATION', random.pick(['7 × 50', '8 × 30', '10 × 42'])), plain('BATTERY_HOURS', random.integer(8, 200))],
  Camping:    (random) => [plain('COMFORT', `${random.integer(-20, 12)} °C`), plain('CAPACITY', random.integer(1, 90)),
                           localizedText('SETUP', ['<p>Two people, <strong>five minutes</strong>.</p>', '<p>Zu zweit in <strong>fünf Minuten</strong>.</p>', '<p>À deux, <strong>cinq minutes</strong>.</p>'])],
}
const groupValues = (random: Random, { group }: Family) => ofGroup[group]!(random)

function article(
  productTid: string,
  a: number,
  random: Random,
  family: Family,
  name: string,
  colour: (typeof colours)[number],
  price: number,
) {
  const tid = `${productTid}-${a + 1}`
  const number = (v: number) => `${productTid.slice(3)}${a + 1}${String(v).padStart(2, '0')}`
  const variant = family.sizes.map((size, v) => ({
    tid: `${tid}-${v + 1}`,
    name: `${name}, ${colour.names[0]}, ${size}`,
    vals: {
      val: [plain('ITEM_NUMBER', number(v + 1)), plain('EAN', eanOf(number(v + 1))), plain('SIZE', size)],
    },
  }))
  const val = [
    chosen('COLOUR', colour.tid),
    plain('ITEM_NUMBER', number(0)),
    plain('EAN', eanOf(number(0))),
    plain('PACK_UNIT', random.pick([1, 1, 5, 10])),
    plain('DELIVERY_DAYS', random.integer(1, 21)),
    plain('IN_STOCK', String(random.likely(0.85))),
    ...(a > 0 ? [plain('PRICE', priced(price + a * 5))] : []),
  ]
  return {
    tid,
    name: `${name}, ${colour.names[0]}`,
    vals: { val },
    ...(variant.length > 0 && { variants: { variant } }),
  }
}

/** Twelve digits and the check digit. */
function eanOf(number: string): string {
  const digits = `40${number.padStart(10, '0').slice(-10)}`
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

// prettier-ignore
const parts: readonly (readonly [node: string, name: Texts])[] = [
  ['Zips', ['Replacement zip', 'Ersatzreißverschluss', 'Fermeture de rechange']],
  ['Cartridges', ['CO₂ cartridge', 'CO₂-Patrone', 'Cartouche de CO₂']],
  ['Bearings', ['Ball-bearing set', 'Kugellagersatz', 'Jeu de roulements']],
]
// prettier-ignore
const offers: readonly (readonly [node: string, name: Texts])[] = [
  ['Repair', ['Seam repair', 'Nahtreparatur', 'Réparation de couture']],
  ['Inspection', ['Yearly inspection', 'Jährliche Wartung', 'Révision annuelle']],
]

function sparePart(i: number, random: Random) {
  const [node, name] = parts[Math.floor(i / 20) % parts.length]!
  return small(i, `/${spareParts}/${node}`, name, random.integer(4, 60))
}
function service(i: number, random: Random) {
  const [node, name] = offers[Math.floor(i / 50) % offers.length]!
  return small(i, `/${services}/${node}`, name, random.integer(15, 120))
}

function small(i: number, node: string, name: Texts, price: number) {
  const { series: forSeries } = modelOf(i)
  const title = map(name, (text) => `${text} ${forSeries} ${i + 1}`)
  const val = [
    localizedText('TITLE', title),
    localizedText('DESCRIPTION', title),
    chosen('STATUS', 'released'),
    plain('PRICE', priced(price + 0.9)),
  ]
  return { tid: tidOf(i), name: title[0], node, vals: { val } }
}
