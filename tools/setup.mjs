/**
 * Makes the checkout ready to run: installs the dependencies when they are missing or belong to another lock file, and
 * builds the console when it is missing or its sources have changed.
 *
 * Runs before `npm start` and `npm test`, on whatever Node the machine has (20 or newer). The install brings the pinned
 * Node 24 as node_modules/.bin/node, which npm puts first on the PATH of every script that follows. Without npm, as in
 * the installation of a service, this script does so itself.
 */
import { spawnSync } from 'node:child_process'
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

const installed = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
if (!installed) {
  console.log('Installing dependencies …')
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
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
  console.log('Building the console …')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const build = spawnSync('node', [vite, 'build', 'console', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' })
  if (build.status !== 0) {
    console.error('The console could not be built; see the lines above.')
    process.exit(1)
  }
  writeFileSync(built, state)
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}
