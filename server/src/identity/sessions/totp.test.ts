import { expect, test } from 'vitest'
import { codeAt, otpauthUri, stepAt, stepOf, toBase32 } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is %s', (seconds, code) => {
  expect(codeAt(secret, stepAt(seconds * 1000))).toBe(code)
})

test('a code is accepted in its period, the one before and the one after', () => {
  const now = 1_234_567_890_000
  const step = stepAt(now)
  for (const [off, counts] of [
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ] as const)
    // prettier-ignore
    expect(stepOf(secret, codeAt(secret, step + off), now)).toBe(counts ? step + off : undefined)
  expect(stepOf(secret, '', now)).toBeUndefined()
})

// RFC 4648, section 10, without the padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])(
  // prettier-ignore
  '%j is %j in base32',
  (text, encoded) => expect(toBase32(Buffer.from(text))).toBe(encoded),
)

test('the otpauth address contains the escaped issuer and user name', () => {
  const uri = otpauthUri(secret, 'Kontor pim.example.com', 'jörg:a/b')
  expect(uri).toMatch(/^otpauth:\/\/totp\/Kontor%20pim\.example\.com:j%C3%B6rg%3Aa%2Fb\?secret=GEZDGNBVGY3TQOJQ/)
})
