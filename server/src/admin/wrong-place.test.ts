/** Commands whose settings name a wrong place: they must name it and the remedy, and must not create a second system there. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { administer, createDatabase, withDatabase } from '../../test/database.ts'
import { commands } from './admin.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kontor-place-'))
  return () => rmSync(folder, { recursive: true })
})

async function kontor(line: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const output: string[] = []
  const errors = vi.spyOn(console, 'error').mockImplementation((text: string) => void output.push(text))
  const code = await commands.get(line)!.run(args, env, (text) => void output.push(text))
  errors.mockRestore()
  return { code, output: output.join('\n') }
}

/** Commands that need no database, that report its absence in words of their own (doctor), or that create it. */
const others = ['config print', 'config check', 'doctor', 'backup verify', 'restore', 'workflows check']
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  backup: ['a-folder'],
  'workflows deploy': [fileURLToPath(new URL('../../workflows/asset-approval.bpmn', import.meta.url))],
}

test.each([...commands.keys()].filter((line) => !others.includes(line)))(
  'kontor %s refuses a folder without a database, and creates nothing',
  async (line) => {
    const data = join(folder, 'data')
    const { code, output } = await kontor(line, argumentsOf[line] ?? [], { KONTOR_DATA: data })
    expect(output).toMatch(/^there is no database in \S+data yet; .* set KONTOR_DATA or DATABASE_URL$/)
    expect(output).toContain(data)
    expect(code).toBe(1)
    expect(readdirSync(folder)).toEqual([])
  },
)

test('a database without tables and a server that does not answer are named', async () => {
  const { url } = inject('postgres')
  const name = `kontor_test_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name}`)
  onTestFinished(() => administer(url, `drop database if exists ${name} with (force)`))
  expect(await kontor('users list', [], { DATABASE_URL: withDatabase(url, name), KONTOR_DATA: folder })).toEqual({
    code: 1,
    output: expect.stringMatching(`^the database ${name} has no tables of Kontor; .* set DATABASE_URL$`),
  })
  expect(await kontor('users list', [], { DATABASE_URL: 'postgres://a@127.0.0.1:1/b', KONTOR_DATA: folder })).toEqual({
    code: 1,
    output: expect.stringMatching(/^DATABASE_URL: .*ECONNREFUSED.*; check that the server runs/),
  })
})

test('keys are not rotated with a new master key beside the one of the server', async () => {
  const { poolConfig, drop } = await createDatabase()
  onTestFinished(drop)
  expect(await kontor('keys rotate', [], { DATABASE_URL: poolConfig.connectionString, KONTOR_DATA: folder })).toEqual({
    code: 1,
    output: `there is no master key in ${join(folder, 'master-key')}; set KONTOR_DATA or KONTOR_MASTER_KEY`,
  })
  expect(readdirSync(folder)).toEqual([])
})
