/**
 * Makes the checkout ready to run: installs the dependencies when they are missing or belong to another lock file.
 *
 * Runs before `npm start` and `npm test`, on whatever Node the machine has (20 or newer). The install brings the pinned
 * Node 24 as node_modules/.bin/node, which npm puts first on the PATH of every script that follows.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
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
