/** Scripts by which shells complete commands and their options; made from the table of all commands. */
import { UsageError } from './command.ts'

/** A command as completion sees it. */
export interface Completed {
  readonly name: string
  /** Without the dashes. */
  readonly options: readonly string[]
}

export function completionFor(shell: string, commands: readonly Completed[]): string {
  const make = shells.get(shell)
  if (!make) throw new UsageError(`completion: expected ${[...shells.keys()].join(', ')}`)
  const nouns = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))].toSorted()
  const verbsOf = (noun: string) => commands.flatMap(({ name }) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : [])) // prettier-ignore
  const isAlone = (noun: string) => commands.some(({ name }) => name === noun)
  const verbs = nouns
    .map((noun) => ({ noun, verbs: verbsOf(noun), alone: isAlone(noun) }))
    .filter((one) => one.verbs.length > 0)
  return make({ nouns, verbs, commands })
}

interface Words {
  readonly nouns: readonly string[]
  /** `alone`: the noun is a command by itself as well, which takes files. */
  readonly verbs: readonly { readonly noun: string; readonly verbs: readonly string[]; readonly alone: boolean }[]
  readonly commands: readonly Completed[]
}
type Make = (words: Words) => string

/** What begins with a dash is an option of the command before it; a name of two words goes before one that is its first. */
const bash: Make = ({ nouns, verbs, commands }) => {
  const options = commands
    .toSorted((a, b) => b.name.split(' ').length - a.name.split(' ').length)
    .map(({ name, options: all }) => `    "${name} "*) words="${all.map((one) => `--${one}`).join(' ')}" ;;`)
  return `_kontor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" files=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${nouns.join(' ')}"
  elif [ "\${current#-}" != "$current" ]; then case "\${COMP_WORDS[*]:1} " in
${options.join('\n')}
  esac
  elif [ "$COMP_CWORD" -eq 2 ]; then case "\${COMP_WORDS[1]}" in
${verbs.map(({ noun, verbs: all, alone }) => `    ${noun}) words="${all.join(' ')}"${alone ? ' files=yes' : ''} ;;`).join('\n')}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -z "$words" ] || [ -n "$files" ]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -F _kontor kontor`
}

/** Completes by the script for bash; what that needs is loaded unless it is there already. */
const zsh: Make = (words) => `(( \${+functions[compdef]} )) || { autoload -U compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
${bash(words)}`

const fish: Make = ({ nouns, verbs, commands }) => {
  const seen = (words: string) => words.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ') // prettier-ignore
  return [
    `complete -c kontor -n __fish_use_subcommand -xa "${nouns.join(' ')}"`,
    ...verbs.map(({ noun, verbs: all, alone }) => {
      const isSecond = `${seen(noun)}; and test (count (commandline -opc)) -eq 2`
      return `complete -c kontor -n "${isSecond}" ${alone ? '' : '-x '}-a "${all.join(' ')}"`
    }),
    ...commands.flatMap(({ name, options }) => options.map((one) => `complete -c kontor -n "${seen(name)}" -l ${one}`)),
  ].join('\n')
}

const shells: ReadonlyMap<string, Make> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
])
