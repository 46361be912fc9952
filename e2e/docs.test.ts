/**
 * Every page of the documentation is run as it is written: every block in its order, from an empty folder, against a Kontor
 * of its own. What a block is, its first line says:
 *
 *   ```sh start        each line starts a server, its data in the folder; the one before is stopped
 *   ```sh              a shell runs it; what it says is kept, and its variables, as in one terminal
 *   ```sh by-hand      is not run: why not stands in `byHand`
 *   ```text            each of its lines must be among what was said last
 *   ```text drawing    nothing to run, nor in ```mermaid
 *   ```<kind> <name>   a file of that name
 *
 * On a page that starts no server, one is running and somebody is signed in. The pages of docs/reference are made from
 * code, their blocks too; tools/docs.test.ts compares them.
 */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { administer, withDatabase } from '../server/test/database.ts'
import { dataFolder, type Kontor, removeFolder, startKontor } from './kontor.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })].toSorted()

/** Blocks that a test cannot run, by page. */
const byHand: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'starts Ceph, which is on few machines',
}

interface Block {
  readonly kind: string
  readonly name: string
  readonly text: string
}
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const blocksOf = (page: string): Block[] =>
  [...textOf(page).matchAll(/^```(\w*)(?: (\S+))?\n(.*?)^```$/gms)].map(([, kind = '', name = '', text = '']) => ({
    kind,
    name,
    text,
  }))
const isByHand = ({ kind, name }: Block) => kind === 'sh' && name === 'by-hand'
const isDrawing = ({ kind, name }: Block) => kind === 'mermaid' || (kind === 'text' && name === 'drawing')
const isRun = (block: Block) => !isByHand(block) && !isDrawing(block)
const written = pages.filter((page) => !page.startsWith('docs/reference/'))

// A reader's machine

const left: (() => unknown)[] = []
afterAll(async () => {
  for (const tidy of left) await tidy()
})

/** The folder of Kontor on a machine whose own Node runs no TypeScript, as 20 does not; `npx` has the one that comes along. */
function project(): string {
  const folder = dataFolder()
  left.push(() => removeFolder(folder))
  mkdirSync(join(folder, 'node_modules', '@kontor'), { recursive: true })
  symlinkSync(join(root, 'sdk'), join(folder, 'node_modules', '@kontor', 'sdk'))
  mkdirSync(join(folder, 'bin'))
  const node = `"${process.execPath}"`
  const kontor = `${node} "${join(root, 'cli/bin/kontor.mjs')}"`
  const programs = {
    node: `exec ${node} --no-strip-types "$@"`,
    npx: `program=$1; shift; case $program in node) exec ${node} "$@";; kontor) exec ${kontor} "$@";; esac; exit 127`,
  }
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  return folder
}

interface Machine {
  readonly folder: string
  readonly settings: Record<string, string>
  kontor: Kontor | undefined
  /** By the last block that was run. */
  said: string
}

const anyDatabase = /postgres:\/\/kontor:secret@db\.example\.com\/(\w+)/g

/** Addresses and folders of the page become those of this machine; a database that it names is made, and empty. */
async function here(machine: Machine, text: string): Promise<string> {
  const { url } = inject('postgres')
  const nameOf = (database: string) => `docs_${process.pid}_${database}`
  for (const database of new Set(Array.from(text.matchAll(anyDatabase), ([, name]) => nameOf(name!)))) {
    await administer(url, `create database ${database}`)
    left.push(() => administer(url, `drop database if exists ${database} with (force)`))
  }
  return text
    .replaceAll(anyDatabase, (_, name: string) => withDatabase(url, nameOf(name)))
    .replaceAll('http://localhost:8080', machine.kontor?.url ?? '')
    .replaceAll('/backups/', `${machine.folder}/backups/`)
}

const startLine = /^(?:(?<setting>\w+)=(?<value>\S+) )?npm start(?: -- (?<words>[^#]+?))?\s*(?:#.*)?$/

/** `npm start`, with a setting before it and words behind it; the settings hold for the commands that follow. */
async function start(machine: Machine, line: string): Promise<void> {
  const { setting, value, words } = startLine.exec(line)?.groups ?? expect.fail(`starts no server: ${line}`)
  if (setting !== undefined) machine.settings[setting] = value!
  await machine.kontor?.end('SIGTERM')
  const env = { KONTOR_DATA: join(machine.folder, 'data'), ...machine.settings }
  machine.kontor = await startKontor(env, words?.split(' '))
}

const shell = ({ folder, settings }: Machine, script: string): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`
    const env = { PATH, HOME: folder, KONTOR_DATA: join(folder, 'data'), KONTOR_LOG_LEVEL: 'error', ...settings }
    const terminal = `touch .kept; . ./.kept; set -a\n${script}\nexport -p > .kept`
    execFile('bash', ['--noprofile', '--norc', '-euc', terminal], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    )
  })

const signIn = 'KONTOR_PASSWORD=$(cat data/admin-password) npx kontor login --url http://localhost:8080 --user admin'

async function runBlock(machine: Machine, { kind, name, text }: Block): Promise<void> {
  const meant = await here(machine, text)
  if (kind === 'sh' && name === 'start') {
    for (const line of meant.trim().split('\n')) await start(machine, line)
  } else if (kind === 'sh') {
    const { code, said } = await shell(machine, meant)
    expect(code, `${text}\n${said}`).toBe(0)
    machine.said = said
  } else if (kind === 'text') {
    for (const line of text.trim().split('\n')) expect(machine.said).toContain(line)
  } else {
    expect(name, `a block of the kind "${kind}" says nothing of what it is`).not.toBe('')
    writeFileSync(join(machine.folder, name), meant)
  }
}

const hasCurl = spawnSync('curl', ['--version']).status === 0
const runPages = written.filter((page) => blocksOf(page).some(isRun))

describe.each(runPages)('%s', (page) => {
  test.skipIf(!hasCurl && textOf(page).includes('curl '))('does what it says', { timeout: 600_000 }, async () => {
    const machine: Machine = { folder: project(), settings: {}, kontor: undefined, said: '' }
    const blocks = blocksOf(page).filter(isRun)
    if (blocks[0]!.name !== 'start') {
      await runBlock(machine, { kind: 'sh', name: 'start', text: 'npm start' })
      await runBlock(machine, { kind: 'sh', name: '', text: signIn })
    }
    for (const block of blocks) await runBlock(machine, block)
  })
})

test('what is not run is known, and why', () => {
  expect(written.filter((page) => blocksOf(page).some(isByHand))).toEqual(Object.keys(byHand))
  const fences = (page: string) => [...textOf(page).matchAll(/^ *(```|~~~)/gm)].length
  const unclear = written.filter((page) => fences(page) !== blocksOf(page).length * 2)
  expect(unclear, 'blocks that this test does not see').toEqual([])
})

test('commands in the text are there', async () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: object }
  const { stdout: help } = spawnSync(process.execPath, [join(root, 'cli/bin/kontor.mjs'), 'help'], { encoding: 'utf8' })
  const known = new Set(Array.from(help.matchAll(/^ {2}(\S+(?: [a-z][\w-]*)?)(?: {2,}|$)/gm), ([, name]) => name!))
  expect(known.size).toBeGreaterThan(40)
  const exists = (command: string) => {
    const [program, first = '', second = ''] = command.split(/\s+/)
    if (program === 'npm') return Object.hasOwn(scripts, first === 'run' ? second : first) || first === 'install'
    if (program === 'node') return existsSync(join(root, first))
    return known.has(`${first} ${second}`) || known.has(first)
  }
  const missing = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`(?:npx )?((?:kontor|npm|node) [a-z][^`]*)`/g)]
      .filter(([, command]) => !exists(command!))
      .map(([, command]) => `${page}: ${command}`),
  )
  expect(missing).toEqual([])
})

test('links between pages lead somewhere', () => {
  const dead = pages.flatMap((page) => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => link!)
    return links.filter((link) => !existsSync(join(root, dirname(page), link))).map((link) => `${page}: ${link}`)
  })
  expect(dead).toEqual([])
})
