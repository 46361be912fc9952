import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BadConfig, describeConfig, readConfig } from './config.ts'

test('an empty environment gives working settings', () => {
  expect(readConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:8080',
    realm: 'kontor',
    clientId: 'kontor-ui',
    adminPassword: undefined,
    databaseUrl: undefined,
    roles: new Set(['api', 'worker', 'search']),
  })
})

test('all invalid settings are reported together, each with the expected value', () => {
  const read = () =>
    readConfig({ KONTOR_PORT: '80a', KONTOR_ROLES: 'api,chef', KONTOR_BASE_URL: 'ftp://x', KONTOR_REALM: 'a b' })
  expect(read).toThrow(BadConfig)
  expect(read).toThrow(
    [
      'KONTOR_PORT: expected a whole number from 0 to 65535, found "80a"',
      'KONTOR_BASE_URL: expected an http or https address, found "ftp://x"',
      'KONTOR_REALM: expected letters, digits, - and _, found "a b"',
      'KONTOR_ROLES: expected api or worker or search, found "api,chef"',
    ].join('\n'),
  )
})

test('the claims and clients of an external provider are lists', () => {
  expect(readConfig({ KONTOR_OIDC_CLIENT_ID: 'console, sync' }).oidcClients).toEqual(['console', 'sync'])
  expect(() => readConfig({ KONTOR_OIDC_CLIENT_ID: 'console,' })).toThrow('expected names separated by commas')
  for (const path of ['realm_access..roles', '.roles', 'roles,'])
    expect(() => readConfig({ KONTOR_OIDC_ROLES_CLAIM: path })).toThrow('expected paths like realm_access.roles')
})

test('a secret is never repeated in an error or shown', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@db/x' })).toThrow(/^(?!.*hunter2)/s)
  const shown = describeConfig(readConfig({ KONTOR_ADMIN_PASSWORD: 'correct horse battery' }))
  expect(shown.find(({ env }) => env === 'KONTOR_ADMIN_PASSWORD')?.value).toBe('********')
})

test('a secret can come from a file, whose last line break is not part of it', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'kontor-config-')), 'password')
  writeFileSync(file, 'from a file\n')
  expect(readConfig({ KONTOR_ADMIN_PASSWORD_FILE: file }).adminPassword).toBe('from a file')
  expect(() => readConfig({ KONTOR_ADMIN_PASSWORD_FILE: `${file}.none` })).toThrow('cannot be read')
})

test('the base address loses its slash at the end', () => {
  expect(readConfig({ KONTOR_BASE_URL: 'https://pim.example.com/' }).baseUrl).toBe('https://pim.example.com')
})

test.each(['10.0.0.0/33', 'proxy.example.com', '::1/129', '10.0.0.1/x'])('%s is no proxy', (value) => {
  expect(() => readConfig({ KONTOR_TRUSTED_PROXIES: value })).toThrow('KONTOR_TRUSTED_PROXIES')
})
