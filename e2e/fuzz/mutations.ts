/** Ways to cut, repeat and corrupt a valid request, at every stage: line, headers, body, bytes and connection. */
import { gzipSync } from 'node:zlib'
import type { Request } from './requests.ts'

/** A number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number

/** Mulberry32: small, and the same on all machines. */
export function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** The bytes that are sent over the connection. */
export interface Shot {
  readonly bytes: Buffer
  /** `answer`: the server owes a reply. `maybe`: it may also wait or close. Otherwise the client ends the connection. */
  readonly ending: 'answer' | 'maybe' | 'disconnect' | 'half-close'
  /** How many writes the bytes are split into. */
  readonly writes: number
}
type Mutation = (request: Request, random: Random) => Shot

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)]!

function shot(request: Request, more: Partial<Shot> & { readonly length?: number | string } = {}): Shot {
  const { method, target, headers, body } = request
  const { length = body.length, ...rest } = more
  const all = { host: 'localhost', connection: 'close', ...headers, ...(length !== 0 && { 'content-length': length }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return { bytes: Buffer.concat([head, body]), ending: 'answer', writes: 1, ...rest }
}

const withBody = (request: Request, body: Buffer | string) => ({ ...request, body: Buffer.from(body) })
const withHeaders = (request: Request, headers: Record<string, string>) => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

/** A random part of a buffer. */
function part(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = random(bytes.length + 1)
  return [from, from + random(Math.min(bytes.length - from, 200) + 1)]
}

function flip(bytes: Buffer, random: Random): Buffer {
  const flipped = Buffer.from(bytes)
  for (let count = random(4) + 1; count > 0 && bytes.length > 0; count--)
    flipped[random(bytes.length)]! ^= 1 << random(8)
  return flipped
}

const deep = 3000
/** Values of JSON. */
// prettier-ignore
const odd = [
  '99999999999999999999', '-1', '1e400', '0.5', '2147483648', '9007199254740993', '-9223372036854775809', 'null', '[]', '{}',
  'true', '""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"../.."', '"%"', '"2026-99-99T99:99:99Z"', '"\\u202e"',
  '[[]]', '[null]', '["a","a"]', '{"a":1,"a":2}', '{"__proto__":{"a":1}}', `"${'x'.repeat(100_000)}"`,
  '['.repeat(deep), '['.repeat(deep) + ']'.repeat(deep), '{"a":'.repeat(deep), 'NaN', '-', '"\\', '"',
]
/** Content of an XML element. */
// prettier-ignore
const oddXml = [
  ...odd.map((value) => value.replaceAll(/^"|"$/g, '')), '&#0;', '&x;', '&amp', ']]>', '<![CDATA[', '<!-- --', '<?x ?>',
  '<a>'.repeat(deep), '<a>'.repeat(deep) + '</a>'.repeat(deep), '<a b="1" b="2"/>', '</pim>', '\u0000', '<x:y/>',
]

/** Replaces a random value, or the name of a property, by an odd one. */
const replaceValue: Mutation = (request, random) => {
  const text = request.body.toString('latin1')
  const isXml = request.headers['content-type']?.includes('xml')
  const found = [...text.matchAll(isXml ? /(?<=>)[^<>]*(?=<\/)|(?<==")[^"]*(?=")/g : /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|(?<==)[^&]*/g)] // prettier-ignore
  const target = found.length === 0 ? undefined : pick(found, random)
  if (!target) return shot(withBody(request, pick(odd, random)))
  const value = pick(isXml ? oddXml : odd, random)
  const changed = text.slice(0, target.index) + value + text.slice(target.index + target[0].length)
  return shot(withBody(request, Buffer.from(changed, 'latin1')))
}

const body: Record<string, Mutation> = {
  valid: (request) => shot(request),
  'a value replaced': replaceValue,
  'another value replaced': replaceValue,
  'one more value replaced': replaceValue,
  'body cut': (request, random) => shot(withBody(request, request.body.subarray(0, random(request.body.length + 1)))),
  'body without its end': ({ body, ...rest }, random) => shot({ ...rest, body: body.subarray(0, -1 - random(40)) }),
  'bytes flipped': (request, random) => shot(withBody(request, flip(request.body, random))),
  'a piece repeated': (request, random) => {
    const [from, to] = part(request.body, random)
    const piece = request.body.subarray(from, to)
    const times = pick([1, 2, 50], random)
    return shot(withBody(request, Buffer.concat([request.body.subarray(0, to), ...Array<Buffer>(times).fill(piece), request.body.subarray(to)]))) // prettier-ignore
  },
  'a piece removed': (request, random) => {
    const [from, to] = part(request.body, random)
    return shot(withBody(request, Buffer.concat([request.body.subarray(0, from), request.body.subarray(to)])))
  },
  'body twice': (request) => shot(withBody(request, Buffer.concat([request.body, request.body]))),
  'body of nothing but one byte': (request, random) =>
    shot(withBody(request, Buffer.alloc(random(5000) + 1, random(256)))),
  'garbage': (request, random) => shot(withBody(request, Buffer.from(Array.from({ length: random(3000) }, () => random(256))))), // prettier-ignore
}

// prettier-ignore
const types = [
  'application/json', 'application/xml', 'application/json+compact', 'multipart/form-data; boundary=kontor-fuzz',
  'multipart/form-data', 'multipart/form-data; boundary="', 'text/plain', 'application/xml; charset=utf-16',
  'application/json; charset=utf-7', 'application/json; charset=', ';', 'x', 'application/x-www-form-urlencoded', '*/*', 'a/b; c="\\',
]
// prettier-ignore
const oddHeaders: readonly (readonly [string, string])[] = [
  ['accept', 'x'], ['accept', 'application/xml;q=2,*/*;q=-1'], ['accept', ';;;'], ['accept', 'text/event-stream'],
  ['if-match', '*'], ['if-match', '"x'], ['if-none-match', 'W/"'], ['range', 'bytes=5-1'], ['range', 'bytes=-0,9999999999999-'],
  ['range', 'bytes=99999999999999999999-'], ['idempotency-key', ' '], ['idempotency-key', 'x'.repeat(1000)], ['kontor-atomic', 'perhaps'],
  ['kontor-dry-run', 'true'], ['kontor-view-as', 'nobody'], ['kontor-view-as', '%00'], ['last-event-id', '-1'], ['last-event-id', 'x'],
  ['expect', '100-continue'], ['expect', 'nothing'], ['authorization', 'Bearer'], ['authorization', 'Basic !'], ['authorization', 'Bearer a.b.c'],
  ['cookie', '='.repeat(500)], ['origin', 'null'], ['x-forwarded-for', ','.repeat(500)], ['if-modified-since', '99'], ['upgrade', 'websocket'],
  ['traceparent', 'x'], ['connection', 'upgrade, keep-alive'], ['x-long', 'x'.repeat(15_000)], ['x-longer', 'x'.repeat(40_000)],
]
const headers: Record<string, Mutation> = {
  'another content type': (request, random) => shot(withHeaders(request, { 'content-type': pick(types, random) })),
  'an odd header': (request, random) => {
    const [name, value] = pick(oddHeaders, random)
    return shot(withHeaders(request, { [name]: value }), { ending: 'maybe' })
  },
  compressed: (request, random) => {
    const packed = gzipSync(request.body)
    const bytes = pick([packed, packed.subarray(0, -5), flip(packed, random), request.body], random)
    return shot(
      withHeaders(withBody(request, bytes), { 'content-encoding': pick(['gzip', 'deflate', 'br', 'x'], random) }),
    )
  },
  'in chunks': (request, random) => {
    const size = pick(
      [request.body.length.toString(16), 'fffffffff', '-1', 'zz', `${request.body.length.toString(16)};x=y`],
      random,
    )
    const end = pick(['\r\n0\r\n\r\n', '\r\n0\r\n', '0', ''], random)
    const chunks = Buffer.concat([Buffer.from(`${size}\r\n`), request.body, Buffer.from(end)])
    return shot(withHeaders(withBody(request, chunks), { 'transfer-encoding': 'chunked' }), {
      length: 0,
      ending: 'maybe',
    })
  },
  'a wrong length': (request, random) => {
    const { length } = request.body
    const wrong = pick(
      [length + 1, length * 2 + 10, Math.max(1, length - 1), -1, '1e3', '99999999999999999999', 'x'],
      random,
    )
    return shot(request, { length: wrong, ending: pick(['maybe', 'disconnect', 'half-close'], random) })
  },
}

const hugeNumber = '99999999999999999999'
// prettier-ignore
const oddParts = ['%00', '%ff', '%', '%zz', '..', '%2e%2e%2f', hugeNumber, '-1', '2147483648', 'a'.repeat(600), '%F0%9F%98%80', '%ED%A0%80', '*', "'", '1e9', '%0d%0a', ' ', '00000000-0000-4000-8000-000000000000'] // prettier-ignore
const replaceSegment: Mutation = (request, random) => {
  const [path = '', query = ''] = request.target.split('?')
  const segments = path.split('/')
  segments[Math.max(1, segments.length - 1 - random(2))] = pick(oddParts, random)
  return shot({ ...request, target: segments.join('/') + (query && `?${query}`) }, { ending: 'maybe' })
}
const replaceQuery: Mutation = (request, random) => {
  const [path = '', query = ''] = request.target.split('?')
  const pairs = query === '' ? ['arg0=1'] : query.split('&')
  const at = random(pairs.length)
  const name = pairs[at]!.split('=')[0]!
  const changed = pick([`${name}=${pick(oddParts, random)}`, `${name}=1&${name}=2`, `${name}[]=1`, `${name}`, `${name}=%7B%22tids%22:[1e400]}`], random) // prettier-ignore
  return shot({ ...request, target: `${path}?${pairs.with(at, changed).join('&')}` }, { ending: 'maybe' })
}
const line: Record<string, Mutation> = {
  'another part of the path': replaceSegment,
  'another query': replaceQuery,
  'one more query': replaceQuery,
  'another method': (request, random) => shot({ ...request, method: pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'get', 'X'], random) }, { ending: 'maybe' }), // prettier-ignore
  'a very long path': (request, random) => shot({ ...request, target: request.target + 'x'.repeat(pick([1000, 9000, 20_000], random)) }, { ending: 'maybe' }), // prettier-ignore
}

const wire: Record<string, Mutation> = {
  'bytes of the head flipped': (request, random) => {
    const whole = shot(request).bytes
    const end = whole.indexOf('\r\n\r\n')
    const bytes = Buffer.concat([flip(whole.subarray(0, end), random), whole.subarray(end)])
    return { bytes, ending: 'maybe', writes: 1 }
  },
  'cut and disconnected': (request, random) => {
    const { bytes } = shot(request)
    return { bytes: bytes.subarray(0, random(bytes.length + 1)), ending: 'disconnect', writes: pick([1, 3], random) }
  },
  'cut and half closed': (request, random) => {
    const { bytes } = shot(request)
    return { bytes: bytes.subarray(0, random(bytes.length + 1)), ending: 'half-close', writes: 1 }
  },
  'in many pieces': (request) => shot(request, { writes: 20 }),
  'sent whole, and disconnected at once': (request) => shot(request, { ending: 'disconnect' }),
  'twice in a row': (request) => {
    const { bytes } = shot(withHeaders(request, { connection: 'keep-alive' }))
    return { bytes: Buffer.concat([bytes, bytes]), ending: 'maybe', writes: 1 }
  },
}

export const stages = { body, headers, line, wire } satisfies Record<string, Record<string, Mutation>>
