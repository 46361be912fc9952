/** XML envelopes and JSON lines: objects in the formats of the interface, validated one by one by the contract. */
import { BadMessage, decode, defaultLimits, formats, Pim, type Type } from '@kontor/contract'
import { Problem } from '../../errors.ts'
import { type Bytes, maxCell, type Source, type SourceRow, textOf } from './source.ts'

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
    if (line.trim() === '') continue
    yield { number: ++number, ...readLine(line, container, type) }
  }
}

function readLine(line: string, container: string, type: Type) {
  try {
    return { container, item: decode(formats.json, type, Buffer.from(line), { limits }) as object }
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error
    return { fault: error.message }
  }
}

async function* linesOf(bytes: Bytes): AsyncGenerator<string> {
  let rest = ''
  for await (const text of textOf(bytes)) {
    rest += text
    const lines = rest.split('\n')
    rest = lines.pop()!
    if (rest.length > maxCell) throw new Problem('invalid', `a line is longer than ${maxCell} characters`)
    yield* lines
  }
  if (rest !== '') yield rest
}
