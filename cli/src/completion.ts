/** Scripts by which shells complete commands; made from the names of all commands. */
import { UsageError } from './command.ts'

export function completionFor(shell: string, names: readonly string[]): string {
  const make = shells.get(shell)
  if (!make) throw new UsageError(`completion: expected ${[...shells.keys()].join(', ')}`)
  const nouns = [...new Set(names.map((name) => name.split(' ')[0]!))].toSorted()
  const verbsOf = (noun: string) => names.filter((name) => name.startsWith(`${noun} `)).map((name) => name.slice(noun.length + 1)) // prettier-ignore
  return make(nouns, verbsOf)
}

type Make = (nouns: readonly string[], verbsOf: (noun: string) => readonly string[]) => string

const bash: Make = (nouns, verbsOf) => {
  const cases = nouns.filter((noun) => verbsOf(noun).length > 0).map((noun) => `    ${noun}) words="${verbsOf(noun).join(' ')}" ;;`) // prettier-ignore
  return `_kontor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${nouns.join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ]; then case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac; fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _kontor kontor`
}

const zsh: Make = (nouns, verbsOf) => `autoload -U +X bashcompinit && bashcompinit\n${bash(nouns, verbsOf)}`

const fish: Make = (nouns, verbsOf) =>
  [
    `complete -c kontor -n __fish_use_subcommand -xa "${nouns.join(' ')}"`,
    ...nouns
      .filter((noun) => verbsOf(noun).length > 0)
      .map((noun) => `complete -c kontor -n "__fish_seen_subcommand_from ${noun}" -xa "${verbsOf(noun).join(' ')}"`),
  ].join('\n')

const shells: ReadonlyMap<string, Make> = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
])
