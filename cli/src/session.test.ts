import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../test/run-cli.ts'
import { openSession } from './session.ts'

const signIn = { url: 'http://localhost:8080', user: 'robin', offlineToken: 'secret' }
const isPosix = process.platform !== 'win32'
const modeOf = (path: string) => statSync(path).mode & 0o777

test('a sign-in is read by the next command and gone after it was removed', () => {
  const env = { KONTOR_CLI_HOME: temporaryFolder() }
  expect(openSession(env).read()).toBe(undefined)
  openSession(env).write(signIn)
  expect(openSession(env).read()).toEqual(signIn)
  openSession(env).remove()
  expect(openSession(env).read()).toBe(undefined)
  expect(() => openSession(env).remove()).not.toThrow()
})

describe.skipIf(!isPosix)('only the owner can read', () => {
  test('the token and the folder that it is in', () => {
    const home = join(temporaryFolder(), 'kontor')
    openSession({ KONTOR_CLI_HOME: home }).write(signIn)
    expect([modeOf(home), modeOf(join(home, 'session.json'))]).toEqual([0o700, 0o600])
  })

  test('a token whose file was readable by others before', () => {
    const home = temporaryFolder()
    const file = join(home, 'session.json')
    writeFileSync(file, '{}')
    chmodSync(file, 0o644)
    openSession({ KONTOR_CLI_HOME: home }).write(signIn)
    expect(modeOf(file)).toBe(0o600)
  })
})

test('a file whose writing was interrupted counts as no sign-in', () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'session.json'), '{"url":"http://loc')
  expect(openSession({ KONTOR_CLI_HOME: home }).read()).toBe(undefined)
})

test('values of commands are stored apart from the sign-in', () => {
  const home = temporaryFolder()
  const session = openSession({ KONTOR_CLI_HOME: home })
  session.stored<string[]>('uploads').write(['a'])
  session.write(signIn)
  session.remove()
  expect(session.stored('uploads').read()).toEqual(['a'])
})

test.each([
  ['KONTOR_CLI_HOME', (home: string) => ({ KONTOR_CLI_HOME: home, XDG_CONFIG_HOME: '/nowhere', HOME: '/nowhere' }), ''],
  ['XDG_CONFIG_HOME', (home: string) => ({ XDG_CONFIG_HOME: home, HOME: '/nowhere' }), 'kontor'],
  ['HOME', (home: string) => ({ HOME: home, USERPROFILE: '/nowhere' }), '.config/kontor'],
  ['USERPROFILE', (home: string) => ({ USERPROFILE: home }), '.config/kontor'],
] as const)('%s decides where the file is', (_, envOf, folder) => {
  const home = temporaryFolder()
  openSession(envOf(home)).write(signIn)
  expect(JSON.parse(readFileSync(join(home, folder, 'session.json'), 'utf8'))).toEqual(signIn)
})
