/** XML envelopes and JSON lines: objects in the formats of the interface, validated one by one by the contract. */
import { BadMessage, decode, defaultLimits, formats, Pim, type Type } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { type Bytes, maxCell, type Source, type SourceRow } from './source.ts'

const limits = { ...defaultLimits, lists: true }

/** An envelope in XML. A fault anywhere refuses the whole file, as it does when the envelope is sent. */
export function readXml(bytes: Bytes): Source {
  return { rows: xmlRows(bytes) }
}

async function* xmlRows(bytes: Bytes): AsyncGenerator<SourceRow> {
  const waiting: SourceRow[] = []
  let number = 0
  const sink = (container: string, item: object) => void waiting.push({ number: ++number, container, item })
  const reader = formats.xml.codec.reader(Pim, { sink, limits })
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

/** JSON lines: one object of the container per line. Only the faulty line is refused. */
export function readJsonLines(bytes: Bytes, container: string, type: Type): Source {
  return { rows: lineRows(bytes, container, type) }
}

async function* lineRows(bytes: Bytes, container: string, type: Type): AsyncGenerator<SourceRow> {
  let number = 0
  for await (const line of linesOf(bytes)) {
    if (line.every((byte) => spaces.has(byte))) continue
    yield { number: ++number, ...readLine(line, container, type) }
  }
}

const lineEnd = 0x0a
const spaces = new Set([0x09, lineEnd, 0x0d, 0x20])
const byteOrderMark = Buffer.from('\ufeff')

function readLine(line: Buffer, container: string, type: Type) {
  try {
    return { container, item: decode(formats.json, type, line, { limits }) as object }
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error
    return { fault: error.message }
  }
}

/** Lines are decoded one by one, so that bytes that are not UTF-8 refuse only their line. */
async function* linesOf(bytes: Bytes): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let size = 0
  let isFirst = true
  const take = (part: Buffer) => {
    const line = Buffer.concat([...rest, part])
    const begin = isFirst && line.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0
    rest = []
    size = 0
    isFirst = false
    return line.subarray(begin)
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
