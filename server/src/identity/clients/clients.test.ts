import { expect, test } from 'vitest'
import { isAllowedRedirect } from './clients.ts'

// prettier-ignore
test.each([
  ['https://pim.example/kontor/',                  true],
  ['https://pim.example/kontor/console/callback',  true],
  ['https://pim.example/kontor',                   true],
  ['http://localhost:3000/callback',               true],
  ['http://127.0.0.1:51234/',                      true],
  ['http://[::1]:51234/x?y=z',                     true],
  ['https://pim.example/other',                    false],
  ['https://pim.example/kontor/../other',          false],
  ['https://pim.example/kontorium/',               false],
  ['http://pim.example/kontor/',                   false],
  ['https://pim.example.evil.example/kontor/',     false],
  ['https://pim.example@evil.example/kontor/',     false],
  ['https://user@pim.example/kontor/',             false],
  ['https://pim.example/kontor/#fragment',         false],
  ['http://localhost.evil.example/',               false],
  ['http://127.0.0.1.evil.example/',               false],
  ['http://localhost:80@evil.example/',            false],
  ['http://localhost\\@evil.example/',             false],
  ['http:\\\\localhost/',                         false],
  ['http://localhost/\ta',                         false],
  [' http://localhost/',                           false],
  ['http://localhost/a/../b',                      false],
  ['HTTP://LOCALHOST/',                            false],
  ['http://2130706433/',                           false],
  ['http://127.0.0.1:51234',                       true],
  ['javascript:alert(1)//localhost',               false],
  ['myapp://localhost/callback',                   false],
  ['/callback',                                    false],
  ['',                                             false],
])('%s is allowed as a redirect address: %s', (address, allowed) => {
  expect(isAllowedRedirect(address, 'https://pim.example/kontor')).toBe(allowed)
})
