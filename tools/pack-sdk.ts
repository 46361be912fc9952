/**
 * `npm run pack`: the SDK as a package for others, kontor-sdk-<version>.tgz in the folder that is named (`.` by default).
 *
 * In here the SDK is TypeScript that Node runs as it is, and the contract a package beside it. Who installs it wants plain
 * JavaScript with types and nothing else to install: so both are compiled into one package that depends on none.
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
  joinPackages()
  describe()
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

/** The contract is a folder of this package now, not a package of its own. */
function joinPackages(): void {
  for (const file of readdirSync(join(staged, 'dist', 'sdk'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue
    const path = join(staged, 'dist', 'sdk', file)
    const contract = relative(dirname(path), join(staged, 'dist', 'contract', 'index.js')).replaceAll('\\', '/')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`'@kontor/contract'`, `'${contract}'`))
  }
}

function describe(): void {
  const { name, version, license, type } = JSON.parse(readFileSync(join(root, 'sdk', 'package.json'), 'utf8'))
  const entry = { types: './dist/sdk/index.d.ts', default: './dist/sdk/index.js' }
  const contract = { types: './dist/contract/index.d.ts', default: './dist/contract/index.js' }
  const described = {
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
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(described, undefined, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'))
  cpSync(join(root, 'sdk', 'README.md'), join(staged, 'README.md'))
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}
