/**
 * Runs every page of the documentation as written: all blocks in order, page after page, on one system, as somebody does
 * who reads them all. The README comes first, then the tutorial. Each page has a terminal of its own in the same folder.
 * Pages that start a server on another database or install the demo have a folder and a system of their own. The first
 * line of a block decides how it is used:
 *
 *   ```sh start        each line starts a server with its data in the folder, unless it runs already in this way
 *   ```sh              run by a shell; the output and the variables are kept for the next blocks, as in one terminal
 *   ```sh by-hand      not run, for the reason in `byHand`
 *   ```text            each line must occur in the output of the last command
 *   ```text drawing    not run; neither is ```mermaid
 *   ```<kind> <name>   written to a file of that name
 *
 * A page that starts no server finds one running, with the administrator signed in. The pages of docs/reference are
 * generated from code; tools/docs.test.ts checks that they are up to date.
 */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { administer, withDatabase } from '../server/test/database.ts'
import { dataFolder, type Kontor, removeFolder, spawnKontor, whenReady } from './kontor.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const inOrder = globSync('docs/**/*.md', { cwd: root }).toSorted()
const isTutorial = (page: string) => page.startsWith('docs/tutorial/')
const pages = [
  'README.md',
  ...inOrder.filter(isTutorial),
  'CONTRIBUTING.md',
  ...inOrder.filter((page) => !isTutorial(page)),
]

/** Pages with blocks that a test cannot run, and the reason. */
const byHand: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'starts Ceph, which few machines have installed',
  'docs/deployment.md': 'needs Docker, systemd or Kubernetes; npm run test:deploy and test:image check its files',
  'docs/how-to/care-for-files.md': 'needs an archive; server/src/dam/care/archive.test.ts has one',
  'docs/how-to/install.md': 'e2e/packages.test.ts packs and installs',
  'docs/how-to/keycloak.md': 'needs a Keycloak; keycloak.test.ts follows the page',
  'docs/how-to/play-films-and-sounds.md': 'needs packages of Debian; npm run test:tools tries the programs',
  'docs/how-to/receive-webhooks.md': 'needs Python and Java; the receiver in Node is run',
  'docs/how-to/run-a-feed.md': 'no run is held there; server/src/feeds/feeds.test.ts holds some',
  'docs/how-to/search-on-opensearch.md': 'needs an OpenSearch; npm run test:opensearch uses one',
  'docs/scaling.md': 'starts several servers; npm run test:cluster does',
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
const handwritten = pages.filter((page) => !page.startsWith('docs/reference/'))

// The reader's machine

const cleanUp: (() => unknown)[] = []
afterAll(async () => {
  for (const step of cleanUp) await step()
})

/** A project folder on a machine whose own Node cannot run TypeScript, like Node 20; `npx` runs the included Node. */
function project(): string {
  const folder = dataFolder()
  cleanUp.push(() => removeFolder(folder))
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
  settings: Record<string, string>
  kontor: Kontor | undefined
  /** How the server was started. */
  started: string
  /** Of the last block that was run. */
  output: string
}

const anyDatabase = /postgres:\/\/kontor:secret@db\.example\.com\/(\w+)/g

/** Replaces addresses and folders of the page by those of this test. Creates the databases that the page names. */
async function localize(machine: Machine, text: string): Promise<string> {
  const { url } = inject('postgres')
  const nameOf = (database: string) => `docs_${process.pid}_${database}`
  for (const database of new Set(Array.from(text.matchAll(anyDatabase), ([, name]) => nameOf(name!)))) {
    await administer(url, `create database ${database}`)
    cleanUp.push(() => administer(url, `drop database if exists ${database} with (force)`))
  }
  return text
    .replaceAll(anyDatabase, (_, name: string) => withDatabase(url, nameOf(name)))
    .replaceAll('http://localhost:8080', machine.kontor?.url ?? '')
    .replaceAll('/backups/', `${machine.folder}/backups/`)
}

const startLine = /^(?:(?<setting>\w+)=(?<value>\S+) )?npm start(?: -- (?<args>[^#]+?))?\s*(?:#.*)?$/

/** `npm start` with an optional setting before it and arguments after it. The setting applies to later commands too. */
async function start(machine: Machine, line: string): Promise<void> {
  const { setting, value, args } =
    startLine.exec(line)?.groups ?? expect.fail(`not a command that starts a server: ${line}`)
  if (setting !== undefined) machine.settings[setting] = value!
  const started = JSON.stringify([machine.settings, args])
  if (machine.kontor && machine.started === started) return
  await machine.kontor?.end('SIGTERM')
  const env = { KONTOR_DATA: join(machine.folder, 'data'), ...machine.settings }
  const kontor = spawnKontor(env, args?.split(' '))
  Object.assign(machine, { kontor, started })
  await whenReady(kontor)
}

const shell = ({ folder, settings }: Machine, script: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`
    const env = { PATH, HOME: folder, KONTOR_DATA: join(folder, 'data'), KONTOR_LOG_LEVEL: 'error', ...settings }
    const terminal = `touch .variables; . ./.variables; set -a\n${script}\nexport -p > .variables`
    execFile('bash', ['--noprofile', '--norc', '-euc', terminal], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })

const signIn = 'KONTOR_PASSWORD=$(cat data/admin-password) npx kontor login --url http://localhost:8080 --user admin'

async function runBlock(machine: Machine, { kind, name, text }: Block): Promise<void> {
  const localized = await localize(machine, text)
  if (kind === 'sh' && name === 'start') {
    for (const line of localized.trim().split('\n')) await start(machine, line)
  } else if (kind === 'sh') {
    const { code, output } = await shell(machine, localized)
    expect(code, `${text}\n${output}`).toBe(0)
    machine.output = output
  } else if (kind === 'text') {
    for (const line of text.trim().split('\n')) expect(machine.output).toContain(line)
  } else {
    expect(name, `a block of the kind "${kind}" needs a file name`).not.toBe('')
    writeFileSync(join(machine.folder, name), localized)
  }
}

const hasCurl = spawnSync('curl', ['--version']).status === 0
const runPages = handwritten.filter((page) => blocksOf(page).some(isRun))
/** The demo has attributes of its own under the tids that other pages use as well. */
const isElsewhere = (page: string) =>
  blocksOf(page).some(
    ({ name, text }) => (name === 'start' && text.search(anyDatabase) >= 0) || /demo install|--demo\b/.test(text),
  )

function machine(): Machine {
  const made: Machine = { folder: project(), settings: {}, kontor: undefined, started: '', output: '' }
  cleanUp.unshift(() => made.kontor?.end('SIGKILL'))
  return made
}
let shared: Machine | undefined

describe.each(runPages)('%s', (page) => {
  test.skipIf(!hasCurl && textOf(page).includes('curl '))('works as written', { timeout: 600_000 }, async () => {
    const used = isElsewhere(page) ? machine() : (shared ??= machine())
    used.settings = {}
    rmSync(join(used.folder, '.variables'), { force: true })
    const blocks = blocksOf(page).filter(isRun)
    if (blocks[0]!.name !== 'start') {
      await runBlock(used, { kind: 'sh', name: 'start', text: 'npm start' })
      await runBlock(used, { kind: 'sh', name: '', text: signIn })
    }
    for (const block of blocks) await runBlock(used, block)
  })
})

test('every block that is not run has a reason', () => {
  expect(handwritten.filter((page) => blocksOf(page).some(isByHand))).toEqual(Object.keys(byHand))
  const fences = (page: string) => [...textOf(page).matchAll(/^ *(```|~~~)/gm)].length
  const unparsed = handwritten.filter((page) => fences(page) !== blocksOf(page).length * 2)
  expect(unparsed, 'pages with blocks that this test does not find').toEqual([])
})

test('commands in the text exist', async () => {
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

test('links between pages are not broken', () => {
  const dead = pages.flatMap((page) => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => link!)
    return links.filter((link) => !existsSync(join(root, dirname(page), link))).map((link) => `${page}: ${link}`)
  })
  expect(dead).toEqual([])
})
