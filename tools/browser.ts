/** Finds the Chromium that journeys and screenshots run in, and installs it where possible. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

// prettier-ignore
const knownPaths = [
  '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable', '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export const findBrowser = (): string | undefined => knownPaths.find((path) => existsSync(path))

/** Installs Debian's chromium when run by root on a machine with apt; returns undefined when there is no browser. */
export function ensureBrowser(): string | undefined {
  const found = findBrowser()
  if (found) return found
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  console.log('Installing chromium for the journeys …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio: 'inherit', env })
  return findBrowser()
}

export const noBrowser = 'no Chromium on this machine: the journeys through the console are skipped'
