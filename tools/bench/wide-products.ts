/**
 * A wide catalogue for benchmarks: products with thirty values, seventeen of them texts in up to three languages, all
 * from one small vocabulary, as catalogues repeat their words. The same number always yields the same product.
 */

const words = (
  'anchor boot canvas cotton dark deck durable easy fabric fit fleece grey handle harbour heavy hood inner jacket ' +
  'layer leather light lining long navy ocean outer pocket proof quick rain red regular robust rope rubber sail ' +
  'season sleeve soft spray storm strap strong thread warm wash water wide wind winter zip'
).split(' ')
const locales = ['en_GB', 'de_DE', 'fr_FR'] as const
const nodes = 50
const texts = 12
const localizedTexts = 5
const numbers = 6
const lists = { brand: 40, colour: 12, season: 4 }
const flags = 4

/** A pseudo-random number below `limit`, always the same for the same place. */
const draw = (i: number, place: number, limit: number) => {
  let mixed = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) % limit
}
const sentence = (i: number, place: number) =>
  Array.from({ length: 4 + draw(i, place, 5) }, (_, w) => words[draw(i, place * 31 + w + 7, words.length)]).join(' ')

export const wideTid = (i: number) => `W-${String(i).padStart(8, '0')}`
/** One product in a thousand has the rare word of its thousand. */
export const rareWord = (i: number) => `rare${Math.floor(i / 1000) % 100}`
export const commonWord = 'jacket'
const wideNode = (i: number) => `/Wide/Node-${i % nodes}`
export const wideFacets = Object.keys(lists).map((name) => `wide_${name}`)

const named = (value: string) => ({ itm: [{ value, loc: 'en_GB' }] })

/** The messages that create the model. */
export const wideModel = {
  attrDefs: [
    ...range(texts).map((n) => ({ tid: `wide_text_${n}`, type: 'text', name: named(`Text ${n}`) })),
    ...range(localizedTexts).map((n) => ({
      tid: `wide_local_${n}`,
      type: 'text',
      name: named(`Local text ${n}`),
      localized: true,
    })),
    ...range(numbers).map((n) => ({ tid: `wide_number_${n}`, type: 'number', name: named(`Number ${n}`) })),
    ...Object.keys(lists).map((name) => ({ tid: `wide_${name}`, type: 'text', name: named(name) })),
    ...range(flags).map((n) => ({ tid: `wide_flag_${n}`, type: 'boolean', name: named(`Flag ${n}`) })),
  ],
  clazz: { tid: 'Wide', name: named('Wide') },
  nodes: range(nodes).map((n) => ({ parentPath: '/Wide', tid: `Node-${n}`, name: named(`Node ${n}`) })),
}

export function wideProduct(i: number, tid = wideTid(i)): object {
  const rare = i % 1000 < 1 ? ` ${rareWord(i)}` : ''
  const single = (attr: string, value: string) => ({ attr, itm: [{ value }] })
  return {
    tid,
    name: `${sentence(i, 99)} ${i}`,
    node: wideNode(i),
    vals: {
      val: [
        ...range(texts).map((n) => single(`wide_text_${n}`, sentence(i, n) + (n === 3 ? rare : ''))),
        ...range(localizedTexts).map((n) => ({
          attr: `wide_local_${n}`,
          type: 'localized',
          itm: locales.map((loc, l) => ({ value: sentence(i, 20 + n * 3 + l), loc })),
        })),
        ...range(numbers).map((n) => single(`wide_number_${n}`, String(draw(i, 40 + n, 10_000)))),
        ...Object.entries(lists).map(([name, count], n) => single(`wide_${name}`, `${name} ${draw(i, 50 + n, count)}`)),
        ...range(flags).map((n) => single(`wide_flag_${n}`, String(draw(i, 60 + n, 2) === 1))),
      ],
    },
  }
}

function range(length: number): number[] {
  return Array.from({ length }, (_, n) => n)
}
