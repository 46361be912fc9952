/**
 * The encoding of a text file.
 *
 * A byte order mark decides, then the encoding that the caller gave. Otherwise zero bytes mean UTF-16, and bytes that are
 * valid UTF-8 are UTF-8. Everything else is a guess of jschardet, which compares letters and their neighbours with those
 * of real texts. Mac Roman must be more likely by some margin, because it is rare. Encodings of other languages are never
 * chosen: a file that looks like one is refused, and the caller has to give its encoding.
 */
import { because } from '@kontor/contract'
import { isAscii, isUtf8 } from 'node:buffer'
import { Problem } from '../../errors.ts'
import type { Encoding } from '../options.ts'
import type { Bytes } from './source.ts'

/** Bytes that are inspected for zero bytes, and bytes of cells with other characters than ASCII. */
const sampleSize = 16 * 1024

const marks: readonly (readonly [hex: string, encoding: Encoding])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]

/** By the detector's name: our name, and the factor for its confidence. Factors were chosen by trying short tables. */
// prettier-ignore
const candidates: Readonly<Record<string, { readonly encoding: Encoding; readonly factor: number }>> = {
  'windows-1252': { encoding: 'windows-1252', factor: 1 },
  'iso8859-15':   { encoding: 'iso-8859-15', factor: 1 },
  'macroman':     { encoding: 'macintosh', factor: 0.95 },
  'windows-1250': { encoding: 'windows-1250', factor: 0.5 },
  'windows-1251': { encoding: 'windows-1251', factor: 0.5 },
  'windows-1253': { encoding: 'windows-1253', factor: 0.5 },
  'windows-1254': { encoding: 'windows-1254', factor: 0.5 },
  'windows-1257': { encoding: 'windows-1257', factor: 0.5 },
  'koi8-r':       { encoding: 'koi8-r', factor: 0.5 },
  'cp932':        { encoding: 'shift_jis', factor: 0.5 },
  'gb18030':      { encoding: 'gb18030', factor: 0.5 },
  'big5':         { encoding: 'big5', factor: 0.5 },
  'euc-kr':       { encoding: 'euc-kr', factor: 0.5 },
}
const western = new Set<Encoding>(['windows-1252', 'iso-8859-15', 'macintosh'])

interface EncodingDetector {
  /** The same bytes, which are inspected as they pass. */
  over(bytes: Bytes): Bytes
  /** The encoding, after all bytes have passed. Throws a Problem if it has to be given. */
  find(given: Encoding | undefined): Promise<Encoding>
}

export function createDetector(): EncodingDetector {
  const head = sample()
  const cells = sample()
  const strict = new TextDecoder('utf-8', { fatal: true })
  let isValid = true
  const note = (piece?: Buffer) => {
    if (piece && !head.isFull()) head.add(piece)
    if (piece && !cells.isFull() && !isAscii(piece)) for (const cell of foreignCells(piece)) cells.add(cell)
    if (!isValid) return
    try {
      strict.decode(piece, { stream: piece !== undefined })
    } catch {
      isValid = false
    }
  }
  return {
    async *over(bytes) {
      for await (const piece of bytes) {
        note(piece)
        yield piece
      }
      note()
    },
    async find(given) {
      const bytes = head.bytes()
      const mark = marks.find(([hex]) => bytes.toString('hex', 0, 3).startsWith(hex))
      if (mark) return mark[1]
      return given ?? byZeros(bytes, isValid) ?? (isValid ? 'utf-8' : guess(cells.pieces))
    },
  }
}

function sample() {
  const pieces: Buffer[] = []
  let size = 0
  return {
    pieces,
    isFull: () => size >= sampleSize,
    add(piece: Buffer) {
      const part = piece.subarray(0, sampleSize - size)
      pieces.push(part)
      size += part.length
    },
    bytes: () => Buffer.concat(pieces),
  }
}

/** Cells with other characters than ASCII. Those that the end of the piece cuts are good enough for statistics. */
const foreignCells = (piece: Buffer): Buffer[] =>
  piece
    .toString('latin1')
    .split(/[\r\n;,\t]/)
    .filter((cell) => /[\x80-\xff]/.test(cell))
    .map((cell) => Buffer.from(`${cell}\n`, 'latin1'))

/** Text has no zero bytes, except as halves of UTF-16: the second half of a Latin letter if the low byte is first. */
function byZeros(bytes: Buffer, isUtf8Text: boolean): Encoding | undefined {
  const zeros = [0, 0]
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) zeros[at % 2]!++
  const [even, odd] = zeros as [number, number]
  if (even + odd === 0) return undefined
  // UTF-16 has a zero in each delimiter and line break; a few are damaged characters, which are refused by cell.
  if (isUtf8Text && (even + odd) * 50 < bytes.length) return undefined
  if (Math.min(even, odd) * 10 > Math.max(even, odd)) throw new Problem('invalid', because('notText'))
  return odd > even ? 'utf-16le' : 'utf-16be'
}

async function guess(cells: readonly Buffer[]): Promise<Encoding> {
  // A cell in another encoding is hardly ever valid UTF-8. If most are, the others are damaged, and are refused later.
  const share = cells.filter((cell) => isUtf8(cell)).length / cells.length
  if (share > 0.5) return 'utf-8'
  if (share > 0.1) throw new Problem('invalid', because('encodingMixed')) // prettier-ignore
  // In the same way, a few damaged cells must not rule out the usual encoding.
  const usual = cells.filter((cell) => !decoderOf('windows-1252')(cell).includes(lost))
  const bytes = Buffer.concat(usual.length * 10 >= cells.length * 9 ? usual : cells)
  const { chardet } = await import('jschardet') // the models need 34 MB of memory
  const found = chardet
    .detectAll(bytes, { includeEncodings: Object.keys(candidates), ignoreThreshold: true })
    .flatMap(({ encoding, confidence }) => {
      const candidate = candidates[encoding?.toLowerCase() ?? '']
      return candidate ? [{ encoding: candidate.encoding, score: confidence * candidate.factor }] : []
    })
    .filter(({ encoding }) => !decoderOf(encoding)(bytes).includes(lost))
    .toSorted((a, b) => b.score - a.score)
  const best = found[0]?.encoding ?? 'windows-1252'
  if (western.has(best)) return best
  throw new Problem('invalid', because('encodingLooks', { encoding: best })) // prettier-ignore
}

/** Stands for bytes that are not a character of the encoding. */
export const lost = '\ufffd'

/** Decodes piece by piece; without a piece, the end. Bytes that the encoding does not define are `lost`. */
function decoderOf(encoding: Encoding): (piece?: Buffer) => string {
  if (encoding === 'iso-8859-1') return (piece) => piece?.toString('latin1').replaceAll(/[\x80-\x9f]/g, lost) ?? ''
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  const decode = (piece?: Buffer) => decoder.decode(piece, { stream: piece !== undefined })
  // TextDecoder maps undefined bytes of other encodings to control characters.
  return encoding.startsWith('utf-') ? decode : (piece) => decode(piece).replaceAll(/[\x80-\x9f]/g, lost)
}

export async function* decoded(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decode = decoderOf(encoding)
  for await (const piece of bytes) {
    const text = decode(piece)
    if (text !== '') yield text
  }
  const rest = decode()
  if (rest !== '') yield rest
}
