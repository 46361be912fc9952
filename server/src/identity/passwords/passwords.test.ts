import { expect, test } from 'vitest'
import { createPasswords, inProcessWorker, randomPassword } from './passwords.ts'

const frida = { name: 'Frida', displayName: 'Frida Lindqvist', email: 'frida@example.com' }
const { check } = createPasswords()

test.each([
  ['too short', 'short', 'at least 12'],
  ['too long', 'abcdefgh'.repeat(17), 'at most 128'],
  ['one character over and over', 'aaaaaaaaaaaaaaaa', 'too few different'],
  ['the user name', 'frida-in-the-garden', 'user name'],
  ['the product', 'kontor for everyone', 'name of the product'],
  ['a common password with digits', 'Password123456!', 'easy to guess'],
  ['a run of letters', 'abcdefghijklmn', 'run of neighbouring'],
  ['a run of digits', '1234567890123', 'run of neighbouring'],
])('%s is refused with the reason', async (_, given, reason) => {
  await expect(check(given, frida)).rejects.toThrow(reason)
})

test.each(['a quiet heron by the weir', 'пароль из четырёх слов', '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧', randomPassword()])(
  '%s is accepted',
  (given) => expect(check(given, frida)).resolves.toBeUndefined(),
)

test('a password is stored as argon2id and recognised in any Unicode composition', async () => {
  const passwords = createPasswords()
  const matches = (given: string, hash?: string) => passwords.inTurn((matches) => matches(given, hash))
  const hash = await passwords.hash('geschüttelt und gerührt')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await matches('geschüttelt und gerührt'.normalize('NFD'), hash)).toBe(true)
  expect(await matches('geschüttelt und gerührt!', hash)).toBe(false)
  expect(await matches('anything')).toBe(false)
})

test('with two hashes running and two waiting, further ones are refused until the queue is empty', async () => {
  const passwords = createPasswords(inProcessWorker, { running: 2, waiting: 2 })
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => passwords.hash('a password')))
  expect(results.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), ...Array(2).fill('rejected')])
  expect(results.at(-1)).toMatchObject({ reason: { kind: 'tooMany' } })
  await expect(passwords.hash('a password')).resolves.toBeTruthy()
})

test('generated passwords have 24 characters and are all different', () => {
  const generated = Array.from({ length: 100 }, randomPassword)
  expect(new Set(generated).size).toBe(100)
  expect(generated.every((text) => /^[A-Za-z2-9]{24}$/.test(text))).toBe(true)
})
