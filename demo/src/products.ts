/** The demo's products: the i-th is always the same, whatever the number of them. Believable, not random: a story each. */
import { createChance, type Chance } from './chance.ts'
import { materials, nodeOf, services, spareParts } from './model.ts'
import { bullets, colours, families, type Family, groups, locales, praises, series, type Texts } from './words.ts'

export const tidOf = (i: number) => `FJ-${String(i + 1).padStart(6, '0')}`
/** One in twenty is a spare part, one in fifty a service. */
const isPart = (i: number) => i % 20 === 19
const isService = (i: number) => i % 50 === 48

export const familyOf = (i: number): Family => families[i % families.length]!
const modelOf = (i: number) => {
  const turn = Math.floor(i / families.length)
  const generation = Math.floor(turn / series.length) + 1
  return { series: series[turn % series.length]!, generation }
}

export function productOf(i: number) {
  const chance = createChance(i + 1)
  if (isPart(i)) return sparePart(i, chance)
  if (isService(i)) return service(i, chance)
  return rangeProduct(i, chance)
}

type Val = object
const plain = (attr: string, value: string | number): Val => ({ attr, itm: [{ value: String(value) }] })
const each = (attr: string, values: readonly (string | number)[]): Val => ({
  attr,
  type: 'multiple',
  itm: values.map((value, pos) => ({ value: String(value), pos })),
})
/** A choice of a list; keys are what is stored. */
const chosen = (attr: string, key: string): Val => ({ attr, type: 'domain', itm: [{ key, value: key }] })
const chosenEach = (attr: string, keys: readonly string[]): Val => ({
  attr,
  type: 'multi_domain',
  itm: keys.map((key, pos) => ({ key, value: key, pos })),
})
/** A text in every language, or in some: a catalogue is never complete. */
const spoken = (attr: string, texts: Texts, languages = 3): Val => ({
  attr,
  type: 'localized',
  itm: texts.slice(0, languages).map((value, l) => ({ value, loc: locales[l]! })),
})
const spokenEach = (attr: string, list: readonly Texts[]): Val => ({
  attr,
  type: 'multi_loc',
  i18N: locales.map((loc, l) => ({ loc, itm: list.map((texts, pos) => ({ value: texts[l]!, pos })) })),
})
const map = (texts: Texts, change: (text: string, l: number) => string) => texts.map(change) as unknown as Texts

function rangeProduct(i: number, chance: Chance) {
  const family = familyOf(i)
  const model = modelOf(i)
  const suffix = model.generation > 1 ? `${model.series} ${model.generation}` : model.series
  const title = map(family.one, (one) => `${one} ${suffix}`)
  const price = chance.whole(...family.price) - 0.05
  const tid = tidOf(i)
  const paints = chance.some(colours, chance.whole(1, 3))
  return {
    tid,
    name: title[0],
    node: nodeOf(family),
    vals: { val: [...commonValues(i, chance, family, title, price), ...groupValues(chance, family)] },
    articles: { article: paints.map((colour, a) => article(tid, a, chance, family, title[0], colour, price)) },
  }
}

function commonValues(i: number, chance: Chance, family: Family, title: Texts, price: number): Val[] {
  const group = groups.find(({ tid }) => tid === family.group)!
  const praise = chance.pick(praises)
  const description = map(
    title,
    (name, l) => `${name}: ${praise[l]!.charAt(0).toLowerCase()}${praise[l]!.slice(1)}. ${sentence(group.use[l]!, l)}`,
  )
  const year = chance.whole(2021, 2026)
  const isNew = year === 2026
  const languages = chance.likely(0.8) ? 3 : chance.whole(1, 2)
  return [
    spoken('TITLE', title, chance.likely(0.9) ? 3 : 2),
    spoken('CLAIM', praise, languages),
    spoken('DESCRIPTION', description, languages),
    spokenEach('BULLETS', chance.some(bullets, chance.whole(2, 4))),
    chosen('BRAND', chance.pick(['fjordlin', 'fjordlin', 'fjordlin-pro', 'kattegat-works'])),
    plain('SERIES', modelOf(i).series),
    chosen('STATUS', chance.pick(['released', 'released', 'released', 'ready', 'draft', 'phase-out'])),
    chosen('ORIGIN', chance.pick(['no', 'de', 'fr', 'pt', 'pl', 'vn'])),
    plain('LAUNCH_DATE', `${year}-0${chance.whole(1, 9)}-${chance.whole(10, 28)}T00:00:00.000Z`),
    plain('IS_NEW', String(isNew)),
    plain('CUSTOMS_NUMBER', `6${chance.whole(1000000, 9999999)}`),
    plain('WARRANTY', chance.pick([2, 3, 5, 10])),
    chosenEach('MATERIAL', chance.some(materials, chance.whole(1, 2))),
    plain('RECYCLED', chance.whole(0, 20) * 5),
    plain('PFAS_FREE', String(chance.likely(0.7))),
    each('NORMS', chance.some(['EN ISO 12402-3', 'EN 343', 'ISO 9001', 'OEKO-TEX 100', 'CE'], 2)),
    ...(isNew ? [{ attr: 'HIGHLIGHT', type: 'loc_domain', itm: locales.map((loc) => ({ key: 'new', loc })) }] : []),
    spoken(
      'SEO_TITLE',
      map(title, (name) => `${name} | Fjordlin`),
    ),
    ...(i >= families.length ? [each('ACCESSORIES', [tidOf(i - 1), tidOf(i - families.length)])] : []),
    plain('PRICE', price.toFixed(2)),
    plain('DEALER_PRICE', (price * 0.58).toFixed(2)),
    chosen('VAT', 'standard'),
    plain('WEIGHT', chance.whole(...family.grams)),
    ...technicalData(chance, family),
  ]
}

const sentence = (use: string, l: number) =>
  [`Made ${use}.`, `Gemacht für den Einsatz ${use}.`, `Conçu pour servir ${use}.`][l]!

/** A table: every column is a list, and what stands at one position is a row. */
function technicalData(chance: Chance, { grams }: Family): Val[] {
  const names: Texts[] = [
    ['Weight', 'Gewicht', 'Poids'],
    ['Operating temperature', 'Einsatztemperatur', "Température d'utilisation"],
    ['Salt-water resistant', 'Seewasserfest', "Résiste à l'eau de mer"],
  ]
  const values = [String(chance.whole(...grams)), `-${chance.whole(5, 25)} – ${chance.whole(35, 60)}`, 'ISO 9227']
  const column = (attr: string, cells: readonly string[]) => ({ ...each(attr, cells), parent: 'TECH' })
  return [
    { ...spokenEach('TECH_NAME', names), parent: 'TECH' },
    column('TECH_VALUE', values),
    column('TECH_UNIT', ['g', '°C', '–']),
  ]
}

// prettier-ignore
const ofGroup: Readonly<Record<string, (chance: Chance) => Val[]>> = {
  Clothing:   (chance) => [chosenEach('SEASON', chance.some(['spring', 'summer', 'autumn', 'winter'], 2)), chosen('FIT', chance.pick(['women', 'men', 'unisex'])),
                           plain('WATER_COLUMN', chance.whole(8, 28) * 1000), plain('BREATHABILITY', chance.whole(8, 25) * 1000), chosenEach('CARE', ['wash30', 'nobleach', 'drip'])],
  Boats:      (chance) => [plain('PERSONS', chance.whole(1, 5)), plain('PAYLOAD', chance.whole(90, 600)), plain('DRAFT', chance.whole(8, 95))],
  Safety:     (chance) => [plain('BUOYANCY', chance.pick([100, 150, 165, 275])), plain('AUTOMATIC', String(chance.likely(0.5))), plain('SERVICE_DATE', '2025-03-01T00:00:00.000Z')],
  Deck:       (chance) => [plain('BREAKING_LOAD', chance.whole(5, 60) * 100), plain('DIAMETER', chance.whole(4, 80))],
  Navigation: (chance) => [plain('MAGNIFICATION', chance.pick(['7 × 50', '8 × 30', '10 × 42'])), plain('BATTERY_HOURS', chance.whole(8, 200))],
  Camping:    (chance) => [plain('COMFORT', chance.whole(-20, 12)), plain('CAPACITY', chance.whole(1, 90)),
                           spoken('SETUP', ['Two people, five minutes.', 'Zu zweit in fünf Minuten.', 'À deux, cinq minutes.'])],
}
const groupValues = (chance: Chance, { group }: Family) => ofGroup[group]!(chance)

function article(
  productTid: string,
  a: number,
  chance: Chance,
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
    plain('PACK_UNIT', chance.pick([1, 1, 5, 10])),
    plain('DELIVERY_DAYS', chance.whole(1, 21)),
    plain('IN_STOCK', String(chance.likely(0.85))),
    ...(a > 0 ? [plain('PRICE', (price + a * 5).toFixed(2))] : []),
  ]
  return {
    tid,
    name: `${name}, ${colour.names[0]}`,
    vals: { val },
    ...(variant.length > 0 && { variants: { variant } }),
  }
}

/** Twelve digits and the one that checks them. */
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

function sparePart(i: number, chance: Chance) {
  const [node, name] = parts[Math.floor(i / 20) % parts.length]!
  return small(i, `/${spareParts}/${node}`, name, chance.whole(4, 60))
}
function service(i: number, chance: Chance) {
  const [node, name] = offers[Math.floor(i / 50) % offers.length]!
  return small(i, `/${services}/${node}`, name, chance.whole(15, 120))
}

function small(i: number, node: string, name: Texts, price: number) {
  const { series: forSeries } = modelOf(i)
  const title = map(name, (text) => `${text} ${forSeries} ${i + 1}`)
  const val = [
    spoken('TITLE', title),
    spoken('DESCRIPTION', title),
    chosen('STATUS', 'released'),
    plain('PRICE', `${price}.90`),
  ]
  return { tid: tidOf(i), name: title[0], node, vals: { val } }
}
