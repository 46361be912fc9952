/**
 * `npm run pack [folder]`: packs the SDK for publication as kontor-sdk-<version>.tgz, in the current folder by default.
 *
 * In this repository the SDK is TypeScript that Node runs directly, and the contract is a separate package. Users need
 * plain JavaScript with types, so both are compiled into one package without dependencies.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = resolve(process.argv[2] ?? '.')
const staged = mkdtempSync(join(tmpdir(), 'kontor-sdk-'))
try {
  compile('contract')
  compile('sdk')
  inlineContract()
  writeManifest()
  mkdirSync(target, { recursive: true })
  run('npm', 'pack', staged, '--pack-destination', target, '--loglevel=error')
} finally {
  rmSync(staged, { recursive: true, force: true })
}

function compile(part: string): void {
  const out = join(staged, 'dist', part)
  const options = ['--noEmit', 'false', '--declaration', '--rewriteRelativeImportExtensions', '--sourceMap', 'false']
  run('tsc', '-p', join(root, part), ...options, '--rootDir', join(root, part, 'src'), '--outDir', out)
}

/** Replaces imports of the contract package by relative imports, because the contract is a folder of this package. */
function inlineContract(): void {
  for (const file of readdirSync(join(staged, 'dist', 'sdk'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue
    const path = join(staged, 'dist', 'sdk', file)
    const contract = relative(dirname(path), join(staged, 'dist', 'contract', 'index.js')).replaceAll('\\', '/')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`'@kontor/contract'`, `'${contract}'`))
  }
}

function writeManifest(): void {
  const { name, version, license, type } = JSON.parse(readFileSync(join(root, 'sdk', 'package.json'), 'utf8'))
  const entry = { types: './dist/sdk/index.d.ts', default: './dist/sdk/index.js' }
  const contract = { types: './dist/contract/index.d.ts', default: './dist/contract/index.js' }
  const manifest = {
    name,
    version,
    description: 'The typed client of Kontor, for browsers and Node',
    license,
    type,
    exports: { '.': entry, './contract': contract },
    files: ['dist'],
    sideEffects: false,
    engines: { node: '>=20' },
  }
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
  cpSync(join(root, 'sdk', 'README.md'), join(staged, 'README.md'))
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
