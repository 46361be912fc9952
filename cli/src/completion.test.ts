import { describe, expect, test } from 'vitest'
import { runCli } from '../test/run-cli.ts'
import { completionFor } from './completion.ts'

const commands = [
  { name: 'backup', options: ['json', 'help'] },
  { name: 'backup verify', options: ['json'] },
  { name: 'webhooks create', options: ['type'] },
  { name: 'login', options: [] },
]

describe('the script for bash', () => {
  const script = completionFor('bash', commands)

  test('completes the first word with every noun once', () => {
    expect(script).toContain('words="backup login webhooks"')
  })

  test('completes the second word with the verbs of the noun, and with files where the noun is a command itself', () => {
    expect(script).toContain('backup) words="verify" files=yes ;;')
    expect(script).toContain('webhooks) words="create" ;;')
  })

  test('looks for options of the longer name first', () => {
    const [long, short] = ['"backup verify "*) words="--json" ;;', '"backup "*) words="--json --help" ;;']
    expect(script).toContain(long)
    expect(script.indexOf(short)).toBeGreaterThan(script.indexOf(long))
  })
})

test('the script for zsh is the script for bash behind the compatibility layer', () => {
  const script = completionFor('zsh', commands)
  expect(script).toContain('bashcompinit')
  expect(script.endsWith(completionFor('bash', commands))).toBe(true)
})

test('the script for fish completes nouns, verbs and options; files only where the noun is a command itself', () => {
  expect(completionFor('fish', commands).split('\n')).toEqual([
    'complete -c kontor -n __fish_use_subcommand -xa "backup login webhooks"',
    'complete -c kontor -n "__fish_seen_subcommand_from backup; and test (count (commandline -opc)) -eq 2" -a "verify"',
    'complete -c kontor -n "__fish_seen_subcommand_from webhooks; and test (count (commandline -opc)) -eq 2" -x -a "create"',
    'complete -c kontor -n "__fish_seen_subcommand_from backup" -l json',
    'complete -c kontor -n "__fish_seen_subcommand_from backup" -l help',
    'complete -c kontor -n "__fish_seen_subcommand_from backup; and __fish_seen_subcommand_from verify" -l json',
    'complete -c kontor -n "__fish_seen_subcommand_from webhooks; and __fish_seen_subcommand_from create" -l type',
  ])
})

test('an unknown shell is refused with the known ones', async () => {
  expect(() => completionFor('dos', commands)).toThrow('completion: expected bash, zsh, fish')
  expect(await runCli('completion dos')).toMatchObject({ code: 2, stdout: '' })
  expect(await runCli('completion')).toMatchObject({ code: 2, stderr: expect.stringContaining('missing <shell>') })
})

test('the command completes remote and local commands with their options', async () => {
  const { code, stdout } = await runCli('completion bash')
  expect(code).toBe(0)
  expect(stdout).toMatch(/"products retrieve "\*\) words="[^"]*--tid [^"]*--json --help"/)
  expect(stdout).toMatch(/"backup verify "\*\) words="[^"]*--help"/)
})
