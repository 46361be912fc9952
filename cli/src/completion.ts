/** The completion command: scripts that complete command names and options in a shell, made from all commands. */
import { type Command, required, UsageError } from './command.ts'

/** The part of a command that completion needs. */
export interface CommandWords {
  readonly name: string
  /** Without the dashes. */
  readonly options: readonly string[]
}

export const completionCommand = (commands: () => Promise<readonly CommandWords[]>): Command => ({
  name: 'completion',
  usage: 'bash|zsh|fish',
  doc: 'Prints a script that completes commands: source <(kontor completion bash)',
  maxArguments: 1,
  async run({ args, out }) {
    out.line(completionFor(required(args[0], '<shell>'), await commands()))
  },
})

export function completionFor(shell: string, commands: readonly CommandWords[]): string {
  const write = shells.get(shell)
  if (!write) throw new UsageError(`completion: expected ${[...shells.keys()].join(', ')}`)
  const nouns = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))].toSorted()
  const verbsOf = (noun: string) => commands.flatMap(({ name }) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : [])) // prettier-ignore
  const isCommand = (noun: string) => commands.some(({ name }) => name === noun)
  const groups = nouns
    .map((noun) => ({ noun, verbs: verbsOf(noun), isCommand: isCommand(noun) }))
    .filter(({ verbs }) => verbs.length > 0)
  return write({ nouns, groups, commands })
}

interface Words {
  readonly nouns: readonly string[]
  /** Nouns that have verbs. `isCommand`: the noun is also a command of its own, whose argument is a file. */
  readonly groups: readonly { readonly noun: string; readonly verbs: readonly string[]; readonly isCommand: boolean }[]
  readonly commands: readonly CommandWords[]
}
type ScriptWriter = (words: Words) => string

/** `case` takes the first match, so `backup verify` must precede `backup`. */
const bash: ScriptWriter = ({ nouns, groups, commands }) => {
  const options = commands
    .toSorted((a, b) => b.name.split(' ').length - a.name.split(' ').length)
    .map(({ name, options: all }) => `    "${name} "*) words="${all.map((option) => `--${option}`).join(' ')}" ;;`)
  const verbs = groups.map(
    ({ noun, verbs: all, isCommand }) => `    ${noun}) words="${all.join(' ')}"${isCommand ? ' files=yes' : ''} ;;`,
  )
  return `_kontor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" files=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${nouns.join(' ')}"
  elif [ "\${current#-}" != "$current" ]; then case "\${COMP_WORDS[*]:1} " in
${options.join('\n')}
  esac
  elif [ "$COMP_CWORD" -eq 2 ]; then case "\${COMP_WORDS[1]}" in
${verbs.join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -z "$words" ] || [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -F _kontor kontor`
}

/** zsh runs the bash script through its compatibility layer, which the script loads when the user has not. */
const zsh: ScriptWriter = (words) => `(( \${+functions[compdef]} )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`

const fish: ScriptWriter = ({ nouns, groups, commands }) => {
  const hasWords = (words: string) => words.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ') // prettier-ignore
  return [
    `complete -c kontor -n __fish_use_subcommand -xa "${nouns.join(' ')}"`,
    ...groups.map(({ noun, verbs, isCommand }) => {
      const isSecond = `${hasWords(noun)}; and test (count (commandline -opc)) -eq 2`
      return `complete -c kontor -n "${isSecond}" ${isCommand ? '' : '-x '}-a "${verbs.join(' ')}"`
    }),
    ...commands.flatMap(({ name, options }) =>
      options.map((option) => `complete -c kontor -n "${hasWords(name)}" -l ${option}`),
    ),
  ].join('\n')
}

const shells: ReadonlyMap<string, ScriptWriter> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
])
