/**
 * The objects of a JSON file, one by one: a list, JSON lines, or pages of an interface with the list in `_embedded.items`.
 * Only the text of one object is in memory, except for a page.
 */
import { Problem } from '../../errors.ts'
import { type Bytes, maxCell } from './source.ts'

export async function* jsonObjects(bytes: Bytes): AsyncGenerator<object> {
  let text = ''
  let depth = 0
  let isText = false
  let isEscaped = false
  let count = 0
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of bytes) {
    for (const sign of decoded(decoder, piece)) {
      if (depth === 0 && sign !== '{') {
        if (/[[\],\s\ufeff]/.test(sign)) continue
        throw new Problem('invalid', `the JSON cannot be read: unexpected ${sign} after object ${count}`)
      }
      text += sign
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (sign === '\\') isEscaped = true
        else if (sign === '"') isText = false
      } else if (sign === '"') isText = true
      else if (sign === '{' || sign === '[') depth++
      else if ((sign === '}' || sign === ']') && --depth === 0) {
        yield* itemsOf(text, ++count)
        text = ''
      }
      if (text.length > maxCell) throw new Problem('invalid', `object ${count + 1} of the JSON is longer than ${maxCell} characters`) // prettier-ignore
    }
  }
  if (depth > 0) throw new Problem('invalid', `the JSON ends within object ${count + 1}`)
}

function decoded(decoder: TextDecoder, piece: Buffer): string {
  try {
    return decoder.decode(piece, { stream: true })
  } catch (error) {
    throw new Problem('invalid', 'the JSON is not UTF-8', { cause: error })
  }
}

function itemsOf(text: string, number: number): object[] {
  try {
    const object = JSON.parse(text) as { readonly _embedded?: { readonly items?: object[] } }
    return object._embedded?.items ?? [object]
  } catch (error) {
    throw new Problem('invalid', `object ${number} of the JSON cannot be read: ${(error as Error).message}`)
  }
}
