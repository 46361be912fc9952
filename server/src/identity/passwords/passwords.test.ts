import { expect, test } from 'vitest'
import { argon2Hasher } from './argon2.ts'
import { checkPassword, createPasswords, randomPassword } from './passwords.ts'

test.each([
  ['too short', 'short', 'at least 12'],
  ['too long', 'abcdefgh'.repeat(17), 'at most 128'],
  ['one character over and over', 'aaaaaaaaaaaaaaaa', 'too few different'],
  ['the user name', 'frida-in-the-garden', 'user name'],
  ['the product', 'kontor for everyone', 'name of the product'],
  ['a common one with digits', 'Password123456!', 'tried first'],
  ['a run of letters', 'abcdefghijklmn', 'run of neighbouring'],
  ['a run of digits', '1234567890123', 'run of neighbouring'],
])('%s is refused with the reason', (_, given, reason) => {
  expect(() => checkPassword(given, 'Frida')).toThrow(reason)
})

test.each(['a quiet heron by the weir', 'пароль из четырёх слов', '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧', randomPassword()])(
  '%s is accepted',
  (given) => expect(() => checkPassword(given, 'Frida')).not.toThrow(),
)

test('a password is kept as argon2id and recognised, composed or not', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('geschüttelt und gerührt')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.matches('geschüttelt und gerührt'.normalize('NFD'), hash)).toBe(true)
  expect(await passwords.matches('geschüttelt und gerührt!', hash)).toBe(false)
  expect(await passwords.matches('anything', undefined)).toBe(false)
})

test('two are hashed at a time and two wait, the rest is refused at once; later there is room again', async () => {
  const passwords = createPasswords(argon2Hasher, { running: 2, waiting: 2 })
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => passwords.hash('a password')))
  expect(results.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), ...Array(2).fill('rejected')])
  expect(results.at(-1)).toMatchObject({ reason: { kind: 'tooMany' } })
  await expect(passwords.hash('a password')).resolves.toBeTruthy()
})

test('a made-up password has 24 characters and is never the same', () => {
  const made = Array.from({ length: 100 }, randomPassword)
  expect(new Set(made).size).toBe(100)
  expect(made.every((text) => /^[A-Za-z2-9]{24}$/.test(text))).toBe(true)
})
