/**
 * The tutorial and the how-tos are run as they are written: every block in its order, from an empty folder, against a Kontor
 * of their own.
 *
 *   ```sh start      npm start: a server is started, its data in the folder
 *   ```sh            a shell runs it; what it says is kept
 *   ```text          each of its lines must be among what was said last
 *   ```<kind> <name> a file of that name
 */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { dataFolder, type Kontor, removeFolder, startKontor } from './kontor.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['tutorial', 'how-to'].flatMap((folder) =>
  readdirSync(join(root, 'docs', folder)).map((name) => `${folder}/${name}`),
)
const folders: string[] = []
afterAll(() => folders.forEach(removeFolder))

interface Block {
  readonly kind: string
  readonly name: string
  readonly text: string
}
const blocksOf = (page: string): Block[] =>
  [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, kind = '', name = '', text = '']) => ({ kind, name, text }),
  )

/** A folder in which `npx kontor` and the SDK are there, as in a project that has installed them. */
function project(): string {
  const folder = dataFolder()
  folders.push(folder)
  mkdirSync(join(folder, 'node_modules', '@kontor'), { recursive: true })
  symlinkSync(join(root, 'sdk'), join(folder, 'node_modules', '@kontor', 'sdk'))
  mkdirSync(join(folder, 'bin'))
  const command = join(folder, 'bin', 'npx')
  writeFileSync(command, `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(root, 'cli/bin/kontor.mjs')}" "$@"\n`)
  chmodSync(command, 0o755)
  return folder
}

const shell = (folder: string, script: string): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    const PATH = `${join(folder, 'bin')}:${join(process.execPath, '..')}:${process.env.PATH}`
    const env = { PATH, HOME: folder, KONTOR_DATA: join(folder, 'data'), KONTOR_LOG_LEVEL: 'error' }
    execFile('bash', ['--noprofile', '--norc', '-euc', script], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    )
  })

describe.each(pages)('%s', (page) => {
  test('does what it says', { timeout: 240_000 }, async () => {
    const folder = project()
    let kontor: Kontor | undefined
    let said = ''
    for (const { kind, name, text } of blocksOf(page)) {
      const here = text.replaceAll('http://localhost:8080', kontor?.url ?? '')
      if (kind === 'sh' && name === 'start') {
        expect(text.trim()).toBe('npm start')
        kontor = await startKontor({ KONTOR_DATA: join(folder, 'data') })
      } else if (kind === 'sh') {
        const ran = await shell(folder, here)
        expect(ran.code, `${text}\n${ran.said}`).toBe(0)
        said = ran.said
      } else if (kind === 'text') {
        for (const line of text.trim().split('\n')) expect(said).toContain(line)
      } else if (name !== '') writeFileSync(join(folder, name), here)
    }
    expect(kontor, 'a page begins with npm start').toBeDefined()
  })
})

const hasCurl = spawnSync('curl', ['--version']).status === 0
test.skipIf(!hasCurl)('the first calls of the README answer', { timeout: 240_000 }, async () => {
  const folder = project()
  const kontor = await startKontor({ KONTOR_DATA: join(folder, 'data') })
  const [, calls = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('## First calls')
  const blocks = [...calls.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text)
  expect(blocks).toHaveLength(4)
  const { code, said } = await shell(folder, blocks.join('\n').replaceAll('http://localhost:8080', kontor.url))
  expect([code, said]).toEqual([0, expect.not.stringContaining('ERROR')])
  expect(said).toContain('"path":"/Sea/Boats"')
})

test('links between pages lead somewhere', () => {
  const dead = ['README.md', ...pages].flatMap((page) => {
    const folder = join(root, 'docs', page, '..')
    const links = [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)\)/g)]
    return links.map(([, link]) => link!).filter((link) => !existsSync(join(folder, link))).map((link) => `${page}: ${link}`) // prettier-ignore
  })
  expect(dead).toEqual([])
})
