/** The completion scripts in the shells themselves, where those are installed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const cli = fileURLToPath(new URL('../cli/bin/kontor.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kontor-completion-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'lights.csv'), '')

/** Typed lines, and the completion of their last word. */
const lines: readonly (readonly [typed: string, completed: string])[] = [
  ['kontor prod', 'products'],
  ['kontor webhooks cr', 'create'],
  ['kontor products retrieve --ti', '--tid'],
  ['kontor upload pictures --re', '--resume'],
  ['kontor backup verify --j', '--json'],
  ['kontor backup ver', 'verify'],
  ['kontor backup lig', 'lights.csv'],
  ['kontor persist lig', 'lights.csv'],
]

const run = (shell: string, ...args: string[]) =>
  execFileSync(shell, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'dumb' },
  })

/** Asks each shell to complete the last word of every line. */
const shells: Readonly<Record<string, (script: string) => string[]>> = {
  bash: (script) =>
    lines.map(([typed]) => {
      const words = typed.split(' ')
      const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _kontor; echo "\${COMPREPLY[@]}"`
      return run('bash', '--norc', '-c', `source ${script}; ${ask}`).trim()
    }),
  // Completion is part of zsh's line editor, so the test presses Tab in a pseudo-terminal.
  zsh: (script) => {
    const printLastWord = 'kontor() { print -r -- "<$@[-1]>" }'
    const type = lines.map(([line]) => `zpty -w -n z '${line}'$'\\t\\n'`).join('\n')
    const readAll = 'while zpty -r z line; do print -r -- $line; [[ $line == "<end>"* ]] && break; done'
    const begin = `zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z 'source ${script}; ${printLastWord}'`
    const output = run('zsh', '-fc', `${begin}\n${type}\nzpty -w z 'kontor end'\n${readAll}`)
    return [...output.matchAll(/^<([^>\s]*)>/gm)].map(([, word]) => word!).slice(0, -1)
  },
  fish: (script) =>
    lines.map(
      ([typed]) => run('fish', '--no-config', '-c', `source ${script}; complete -C '${typed}'`).split(/\s/)[0]!,
    ),
}

for (const [shell, complete] of Object.entries(shells)) {
  const isInstalled = spawnSync(shell, ['--version']).status === 0
  test.skipIf(!isInstalled)(`${shell} completes commands, verbs, options and files`, () => {
    const script = join(folder, `completion.${shell}`)
    writeFileSync(script, execFileSync(process.execPath, [cli, 'completion', shell]))
    expect(complete(script)).toEqual(lines.map(([, completed]) => completed))
  })
}

test('an unknown shell is refused with the known ones', () => {
  const { status, stderr } = spawnSync(process.execPath, [cli, 'completion', 'dos'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
})
