/** Writes the sections of docs/benchmarks-search.md, one for each benchmark and size. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

const file = 'docs/benchmarks-search.md'

const introduction = [
  '# Search benchmarks',
  'Written by `npm run bench:search -- <products> --write` (the engine) and `npm run bench:search:http -- <products> --write` (a whole server). The engine benchmark sends every query to our engine and to Lucene, alternating after twenty queries, in one run. CPU time is measured, because machines are shared. The catalogue is generated (search-engine/bench/catalogue.ts): 54 fields, five languages. Our engine stems and folds as the product does, so a word finds more documents than in Lucene, which is queried for exact words. Both cache repeated filters. The HTTP benchmark stores the same catalogue in the database of a separate server, and eight clients send the same queries.',
]

/** Adds the section, or replaces the one with the same title. */
export function writeSection(title: string, tables: readonly string[]): void {
  const sections = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split(/^(?=### )/m)
        .slice(1)
    : []
  const others = sections.filter((section) => !section.startsWith(`### ${title}\n`)).map((section) => section.trim())
  const machine = `Measured on ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, at a load average of ${loadavg()[0]!.toFixed(0)}.`
  const section = [`### ${title}`, ...tables].join('\n\n')
  writeFileSync(file, `${[...introduction, machine, ...others, section].join('\n\n')}\n`)
}
