import { expect, test } from 'vitest'
import { isGuessable } from './guessable.ts'
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
])('%s is guessed', (password) => {
  expect(isGuessable(password)).toBe(true)
})

test.each([
  'a quiet heron by the weir',
  'seven herons over the lock',
  'correct heron battery weir',
  'drei Möwen am Kai',
  'xK4-mmz-91q-tLp',
  'Weather vane 1911',
])('%s is not', (password) => {
  expect(isGuessable(password)).toBe(false)
})

test('a random password never is', () => {
  for (let i = 0; i < 1000; i++) expect(isGuessable(randomPassword())).toBe(false)
})
