/** The SDK as its users install it: from its tarball into an empty folder, and used from plain JavaScript. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withServer } from '../server/test/server.ts'

const api = withServer()
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'kontor-sdk-user-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const installed = join(folder, 'node_modules', '@kontor', 'sdk')

beforeAll(async () => {
  await run('node', ['tools/pack-sdk.ts', folder])
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))!
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
})

test('plain JavaScript can import it and make calls', async () => {
  const baseUrl = await api.listen()
  writeFileSync(
    join(folder, 'use.js'),
    `import { createClient, fixedToken, KontorError } from '@kontor/sdk'
     const [baseUrl, token] = process.argv.slice(2)
     const kontor = createClient({ baseUrl, tokens: fixedToken(token), format: 'compact' })
     const [record] = await kontor.common.keywords.persist([{ name: { itm: [{ value: 'Harbour' }] } }])
     const paths = []
     for await (const keyword of kontor.common.keywords.stream({ path: '/' })) paths.push(keyword.path)
     const failed = await kontor.common.keywords.retrieve({ level: 0 }).catch((error) => error instanceof KontorError)
     console.log(JSON.stringify({ status: record.status, paths, failed }))`,
  )
  const { stdout } = await run('node', ['use.js', baseUrl, api.token], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual({ status: 'SUCCESS', paths: ['/Harbour'], failed: true })
})

test('it imports no other package and no module of Node, so browsers can load it', () => {
  expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies')
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
  const imported = files
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [
      ...readFileSync(join(installed, 'dist', file), 'utf8').matchAll(/\b(?:from |import |import\()'([^'\n]+)'/g),
    ])
    .map(([, specifier]) => specifier!)
  expect(imported.length).toBeGreaterThan(50)
  expect(imported.filter((specifier) => !specifier.startsWith('.'))).toEqual([])
})

test('it includes its types', async () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { createClient, fixedToken } from '@kontor/sdk'
     const { pim } = createClient({ baseUrl: 'http://localhost', tokens: fixedToken('') })
     export const good: Promise<{ status?: string }[]> = pim.products.persist([{ name: 'x', node: '/y' }])
     // @ts-expect-error a product has no such field
     export const bad = pim.products.persist([{ nme: 'x' }])`,
  )
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2024', types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  const { stdout } = await run('tsc', ['-p', folder]).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})
