/**
 * Makes the checkout ready to run: installs the dependencies when they are missing or belong to another lock file, and
 * builds the console when it is missing or its sources have changed.
 *
 * Runs before `npm start` and `npm test`, on whatever Node the machine has (20 or newer). The install brings the pinned
 * Node 24 as node_modules/.bin/node, which npm puts first on the PATH of every script that follows. Without npm, as in
 * the installation of a service, this script does so itself.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.env.PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
const stamp = join(root, 'node_modules', '.kontor-lock')
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

/** The packages that this platform needs. */
const packages = Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages)
  .filter(
    ([path, { os, cpu, libc }]) =>
      path.startsWith('node_modules/') && !libc && fits(os, process.platform) && fits(cpu, process.arch),
  )
  .map(([path]) => path)

const installed = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
if (!installed) {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const isDone = await step('Install packages', ['npm', 'ci', ...options], packagesInstalled)
  if (!isDone) {
    console.error(
      'The installation failed; see the lines above. A network connection to the npm registry is needed once.',
    )
    process.exit(1)
  }
  writeFileSync(stamp, lock)
}

const node = spawnSync('node', ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' })
if (Number(/^v(\d+)/.exec(node.stdout ?? '')?.[1] ?? 0) < 24) {
  console.error(
    `Kontor runs on Node 24. No build of it for ${process.platform}-${process.arch} comes with npm: install Node 24 or newer.`,
  )
  process.exit(1)
}

// The console: built from these, and named by their content.
const sources = [
  'package-lock.json',
  'console/index.html',
  'console/vite.config.ts',
  'console/public',
  'console/src',
  'sdk/src',
  'contract/src',
]
const built = join(root, 'console', 'dist', '.sources')
const digest = createHash('sha256')
for (const file of sources.flatMap((source) => filesIn(join(root, source)))) {
  digest.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
}
const state = digest.digest('hex')
if (!existsSync(built) || readFileSync(built, 'utf8') !== state) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  if (!(await step('Build console', ['node', vite, 'build', 'console', '--logLevel', 'warn']))) {
    console.error('The console could not be built; see the lines above.')
    process.exit(1)
  }
  writeFileSync(built, state)
}

/**
 * Runs a command. In a terminal its line shows the elapsed time and the progress, and then a mark, as the server does for
 * its own steps (server/src/process/terminal.ts).
 *
 * @param {string} name @param {string[]} command @param {() => string} progress
 */
async function step(name, [program = '', ...args], progress = () => '') {
  const { stdout } = process
  const isTerminal = stdout.isTTY
  const colors = isTerminal && stdout.hasColors()
  const begun = Date.now()
  /** @param {string} mark @param {number} color */
  const line = (mark, color) => {
    const seconds = `${((Date.now() - begun) / 1000).toFixed(1)} s`.padStart(7)
    const sign = colors ? `\u001B[${color}m${mark}\u001B[39m` : mark
    return `  ${sign} ${name.padEnd(16)} ${seconds}  ${progress()}`.trimEnd()
  }
  const erase = '\r\u001B[2K'
  if (!isTerminal) console.log(`${name} …`)
  const timer = isTerminal ? setInterval(() => stdout.write(erase + line('…', 36)), 250) : undefined
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  /** @type {Buffer[]} */
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece))
  const isDone = await new Promise((resolve) => {
    child.on('close', (status) => resolve(status === 0)).on('error', () => resolve(false))
  })
  clearInterval(timer)
  if (isTerminal) stdout.write(`${erase}${line(isDone ? '✓' : '✗', isDone ? 32 : 31)}\n`)
  if (!isDone || !isTerminal) process.stderr.write(Buffer.concat(output))
  return isDone
}

/** npm creates the folders of all packages first, and their package.json when they have arrived. */
function packagesInstalled() {
  const paths = packages.filter((path) => existsSync(join(root, path, 'package.json')))
  return `${paths.length} of ${packages.length} packages`
}

/** @param {string[] | undefined} names @param {string} own */
function fits(names, own) {
  return names === undefined || names.includes(own)
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}
