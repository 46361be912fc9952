/** The protocol of clamd, with a fake that answers as strictly as the real one and misbehaves on request. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eicar, type FakeClamd, type Mood, startFakeClamd } from '../../../test/fake-clamd.ts'
import { createScanner, type Scanner, ScannerAway } from './clamav.ts'

let clamd: FakeClamd
let scanner: Scanner
beforeAll(async () => {
  clamd = await startFakeClamd()
  scanner = createScanner({ address: clamd.url, seconds: 1 })
})
beforeEach(() => Object.assign(clamd, { mood: 'well', maxBytes: 1024 * 1024 }))
afterAll(() => clamd.stop())

const content =
  (...parts: (string | Buffer)[]) =>
  async () =>
    (async function* () {
      for (const part of parts) yield Buffer.from(part)
    })()

test('clean and infected files are distinguished, in pieces of any size', async () => {
  expect(await scanner.scan(content('harmless'))).toEqual({ found: 'clean' })
  expect(await scanner.scan(content())).toEqual({ found: 'clean' })
  expect(await scanner.scan(content(Buffer.alloc(300_000, 1), 'end'))).toEqual({ found: 'clean' })
  expect(await scanner.scan(content(eicar.slice(0, 20), eicar.slice(20)))).toEqual({
    found: 'infected',
    threat: 'Eicar-Test-Signature',
  })
  await scanner.check()
})

test('a slow answer is waited for', async () => {
  clamd.mood = 'slow'
  expect(await scanner.scan(content('harmless'))).toEqual({ found: 'clean' })
})

test.each<Mood>(['well', 'cuts at the limit'])(
  'a file beyond the limit of a scanner that %s is too large',
  async (mood) => {
    Object.assign(clamd, { mood, maxBytes: 2 * 1024 * 1024 })
    expect(await scanner.scan(content(...Array.from({ length: 50 }, () => Buffer.alloc(100_000))))).toEqual({
      found: 'tooLarge',
    })
  },
)

test.each<Mood>(['talks nonsense', 'silent', 'cuts', 'answers early'])(
  'a scanner that %s never says that a file is clean',
  async (mood) => {
    clamd.mood = mood
    const pieces = Array.from({ length: 15 }, () => Buffer.alloc(60_000))
    await expect(scanner.scan(content('harmless', ...pieces))).rejects.toThrow(ScannerAway)
  },
)

/** The real clamd of `npm run test:clamav`, with StreamMaxLength 1M. */
const real = process.env.KONTOR_TEST_CLAMAV
test.runIf(real !== undefined)('the real clamd finds the test string, and says when a file is too large', async () => {
  const clamav = createScanner({ address: real!, seconds: 20 })
  await clamav.check()
  expect(await clamav.scan(content('harmless'))).toEqual({ found: 'clean' })
  expect(await clamav.scan(content(eicar))).toMatchObject({
    found: 'infected',
    threat: expect.stringContaining('Eicar'),
  })
  const large = Array.from({ length: 100 }, () => Buffer.alloc(100_000, 7))
  for (let i = 0; i < 5; i++) expect(await clamav.scan(content(...large))).toEqual({ found: 'tooLarge' })
})

test('a scanner that nobody reaches is away', async () => {
  await clamd.stop()
  await expect(scanner.scan(content('harmless'))).rejects.toThrow(ScannerAway)
  await expect(scanner.check()).rejects.toThrow(ScannerAway)
  await clamd.start()
  await scanner.check()
})
