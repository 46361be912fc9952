/** Writes results into the tables of docs/reliability.md; rows of scenarios and bugs that did not run stay. */
import { readFileSync, writeFileSync } from 'node:fs'
import { bugs } from './bugs.ts'
import { acknowledged } from './client.ts'
import { type Outcome, sumOf } from './run.ts'
import { scenarios } from './scenarios.ts'

const document = new URL('../../docs/reliability.md', import.meta.url)

/** The rows of a table between two comments, by the text of their first cell. */
function rewrite(table: string, heading: string, order: readonly string[], rows: ReadonlyMap<string, string>): void {
  const text = readFileSync(document, 'utf8')
  const [begin, end] = [`<!-- ${table} -->`, `<!-- end of ${table} -->`]
  const [before = '', rest = ''] = text.split(begin)
  const [old = '', after] = rest.split(end)
  if (after === undefined) throw new Error(`docs/reliability.md: the comments of ${table} are missing`)
  const known = new Map(
    old.split('\n').flatMap((line) => {
      const [, name] = /^\| `([^`]+)`/.exec(line) ?? []
      return name === undefined ? [] : [[name, line] as const]
    }),
  )
  const lines = order.flatMap((name) => rows.get(name) ?? known.get(name) ?? [])
  const columns = heading.split('|').length - 2
  const rule = `|${' --- |'.repeat(columns)}`
  writeFileSync(document, `${before}${begin}\n\n${heading}\n${rule}\n${lines.join('\n')}\n\n${end}${after}`)
}

export function writeOutcome({ scenario, processes, faults, kills, counts, violations, recoveries }: Outcome): void {
  const { doc } = scenarios[scenario]!
  const sorted = recoveries.toSorted((a, b) => a - b)
  const recovery =
    sorted.length === 0 ? '–' : `${seconds(sorted[sorted.length >> 1]!)}, at most ${seconds(sorted.at(-1)!)}`
  const name = processes === 1 ? scenario : severalOf(scenario, processes)
  const killed = sumOf(kills)
  const isRace = scenario === 'races'
  const count = sorted.length === 0 && !isRace ? '–' : killed > faults ? `${faults}, ${killed} kills` : String(faults)
  const writes = counts.get(acknowledged) ?? 0
  const row = `| \`${name}\` | ${doc} | ${count} | ${writes} | ${recovery} | ${violations.length} |`
  const heading = '| scenario | fault | faults | acknowledged writes | recovery | violations |'
  const order = Object.keys(scenarios).flatMap((one) => [one, severalOf(one, 2), severalOf(one, 3)])
  rewrite('scenarios', heading, order, new Map([[name, row]]))
}
const severalOf = (scenario: string, processes: number) => `${scenario} --processes ${processes}`
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/** `violation` is the first one; undefined if the bug was not found. */
export function writeBug(name: string, took: number, violation: string | undefined): void {
  const { doc, scenario } = bugs[name]!
  const found = violation === undefined ? '**not found**' : `${Math.round(took / 1000)} s`
  const short = (violation ?? '')
    .replace(/ \{"level".*/s, '')
    .replace(/ linearizable:.*/s, ' linearizable')
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
  const cell = short.replaceAll('|', ' ').replaceAll('\n', ' ').slice(0, 120)
  const row = `| \`${name}\` | ${doc} | \`${scenario}\` | ${found} | ${cell} |`
  rewrite('bugs', '| bug | what is wrong | scenario | found after | as |', Object.keys(bugs), new Map([[name, row]]))
}
