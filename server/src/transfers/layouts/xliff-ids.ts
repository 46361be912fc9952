/**
 * Ids of files and units lead back to the text: `product.TID` and `p.ATTR`, `a.TID.ATTR` or `v.ARTICLE.TID.ATTR`. Ids are
 * name tokens of XML, so all other signs are written as the bytes of UTF-8 in hexadecimal: `_2F`.
 */
const written = (text: string) =>
  text.replaceAll(/[^A-Za-z0-9]/gu, (sign) =>
    [...Buffer.from(sign)].map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )

function read(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9]|_[0-9A-F]{2})+$/.test(text)) return undefined
  try {
    return decodeURIComponent(text.replaceAll('_', '%'))
  } catch {
    return undefined // not UTF-8
  }
}

/** A text of an object: the tids from the article down to the object, none for the product itself. */
export interface TextPlace {
  readonly below: readonly string[]
  readonly attribute: string
}

export const fileIdOf = (tid: string) => `product.${written(tid)}`
export const productOf = (id = '') => (id.startsWith('product.') ? read(id.slice('product.'.length)) : undefined)

const letters = ['p', 'a', 'v'] as const
export const unitIdOf = ({ below, attribute }: TextPlace) =>
  [letters[below.length], ...below.map(written), written(attribute)].join('.')

export function placeOf(id = ''): TextPlace | undefined {
  const [letter, ...parts] = id.split('.')
  const names = parts.map(read)
  if (names.includes(undefined) || letter !== letters[names.length - 1]) return undefined
  return { below: names.slice(0, -1) as string[], attribute: names.at(-1)! }
}
