import { expect, test } from 'vitest'
import { isGuessable } from './strength.ts'
import { randomPassword } from './passwords.ts'

test.each([
  'password1234',
  'Password2024!',
  'P@ssw0rd!2024',
  'p4ssw0rdp4ssw0rd',
  'Welcome12345',
  'Willkommen2025',
  'iloveyou1234',
  'Sommer2024!!',
  'SommerSommer24',
  'qwertyuiop123',
  'qazwsxedc123!',
  'admin1234567',
  'adminadminadmin',
  'letmein12345',
  '123456password',
  'dragonmonkey1',
  'Fußball123456',
  'monkeymonkeymonkey',
  'changeme!changeme!',
  'football-baseball',
  'correct horse battery staple',
])('%s is easy to guess', async (password) => {
  expect(await isGuessable(password)).toBe(true)
})

test.each([
  'a quiet heron by the weir',
  'seven herons over the lock',
  'correct heron battery weir',
  'drei Möwen am Kai',
  'xK4-mmz-91q-tLp',
  'Weather vane 1911',
])('%s is hard to guess', async (password) => {
  expect(await isGuessable(password)).toBe(false)
})

test('a generated password is hard to guess', async () => {
  for (let i = 0; i < 20; i++) expect(await isGuessable(randomPassword())).toBe(false)
})

test('names and the e-mail address of the user make a password easy to guess', async () => {
  const password = 'Tjorven Melkersson 63'
  expect(await isGuessable(password)).toBe(false)
  expect(await isGuessable(password, ['tm', 'Tjorven Melkersson', 'tjorven@example.com'])).toBe(true)
})

test('only the first 64 characters are judged, so that a long password takes no more time', async () => {
  const weak = 'password'.repeat(8)
  expect(await isGuessable(`${weak}a quiet heron by the weir`)).toBe(true)
  expect(await isGuessable(`a quiet heron by the weir${weak}`)).toBe(false)
})
