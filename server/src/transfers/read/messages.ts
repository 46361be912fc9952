/** XML envelopes and JSON lines: objects in the formats of the interface, validated one by one by the contract. */
import { BadMessage, decode, defaultLimits, formats, Pim, Product, schemaVersion } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { type Bytes, maxCell, type Source, type SourceRow } from './source.ts'

const byteOrderMark = Buffer.from('\ufeff')
const limits = { ...defaultLimits, lists: true }

/** An envelope in XML. A fault anywhere refuses the whole file, as it does when the envelope is sent. */
export function readXml(bytes: Bytes): Source {
  return { rows: envelopeRows('xml', bytes) }
}

async function* envelopeRows(format: 'xml' | 'json', bytes: Bytes): AsyncGenerator<SourceRow> {
  const waiting: SourceRow[] = []
  let number = 0
  const sink = (container: string, item: object) => void waiting.push({ number: ++number, container, item })
  const reader = formats[format].codec.reader(Pim, { sink, limits })
  try {
    for await (const piece of bytes) {
      reader.write(piece)
      yield* waiting.splice(0)
    }
    reader.end()
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error
    const faults = error.faults.map(({ path, message }) => `${path}: ${message}`)
    throw new Problem('invalid', faults, { cause: error })
  }
  yield* waiting
}

/**
 * JSON lines: one product per line, of which only a faulty one is refused. Besides, a message as the interface sends it, and a
 * list of products; a fault anywhere refuses those as a whole.
 */
export function readJson(bytes: Bytes): Source {
  return { rows: jsonRows(bytes) }
}

const headSize = 4096

async function* jsonRows(bytes: Bytes): AsyncGenerator<SourceRow> {
  const pieces = bytes[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < headSize) {
    const { done, value } = await pieces.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  if (head.indexOf(byteOrderMark) === 0) head = head.subarray(byteOrderMark.length)
  async function* whole() {
    yield head
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  const text = head.toString('utf8', 0, headSize).trimStart()
  if (text.startsWith('[')) yield* envelopeRows('json', inMessage(whole()))
  else if (isMessage(text)) yield* envelopeRows('json', whole())
  else yield* lineRows(whole())
}

/** A product in a line of its own has neither field, and does not end with the first brace. */
const isMessage = (text: string) => /^\{\s*[\r\n]|^.*"(?:schemaVersion|products)"\s*:/.test(text)

/** A message with the products of a list. */
async function* inMessage(list: Bytes): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"schemaVersion":"${schemaVersion}","products":{"product":`)
  yield* list
  yield Buffer.from('}}')
}

async function* lineRows(bytes: Bytes): AsyncGenerator<SourceRow> {
  let number = 0
  for await (const line of linesOf(bytes)) {
    if (line.every((byte) => spaces.has(byte))) continue
    yield { number: ++number, ...readLine(line) }
  }
}

const lineEnd = 0x0a
const spaces = new Set([0x09, lineEnd, 0x0d, 0x20])

function readLine(line: Buffer) {
  try {
    return { container: 'products', item: decode(formats.json, Product, line, { limits }) as object }
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error
    return { fault: error.message }
  }
}

/** Lines are decoded one by one, so that bytes that are not UTF-8 refuse only their line. */
async function* linesOf(bytes: Bytes): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let size = 0
  const take = (part: Buffer) => {
    const line = Buffer.concat([...rest, part])
    rest = []
    size = 0
    return line
  }
  for await (const piece of bytes) {
    let from = 0
    for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, from)) {
      yield take(piece.subarray(from, end))
      from = end + 1
    }
    rest.push(piece.subarray(from))
    size += piece.length - from
    if (size > maxCell) throw new Problem('invalid', `a line is longer than ${maxCell} bytes`)
  }
  yield take(Buffer.alloc(0))
}
