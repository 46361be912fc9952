/**
 * Figures that must stay true: sizes, casts, words that we do not use, unused exports, decision records. `npm run check`
 * prints them and fails when one is over its limit. The length of functions is checked by the linter.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const roots = ['contract', 'search-engine', 'sdk', 'demo', 'cli', 'console', 'server', 'tools', 'e2e']
const isSource = (file: string) => /\.tsx?$/.test(file) && !/node_modules|\/dist\/|\.d\.ts$/.test(file)
const isTest = (file: string) => /\.(test|arbitrary)\.tsx?$|^e2e\/|^server\/test\//.test(file)

interface Source {
  readonly file: string
  readonly text: string
}
const sources: readonly Source[] = roots
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)))
  .filter(isSource)
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const product = sources.filter(({ file }) => !isTest(file))

/** Invented words and foreign sentences, each with the words to use instead. */
// prettier-ignore
const words: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(bell|bells|hangBell|openBells|OutboxBell)\b/g,             'outbox notifier'],
  [/\b(crew|resters|[Ww]orkshop(For)?|nursery|MakeOnce|madeIn)\b/g, 'worker pool, idle workers, segment tools, buffer GC, shared tables'],
  [/\b(keepers|[Kk]eepersOf|keepersBy|[Dd]eeds?(Of)?|wish(Of)?)\b/g, 'deletion blockers, audit event, boolean header'],
  [/\b(patience|[Rr]efuseRush|surroundings|openDoor)\b/g,         'timeout, throttle, runtime, api client'],
  [/\b([Ww]hoever|[Tt]old)\b/g,                                   'name the subject; notified, passed, options'],
  [/(?<!there) is none\b|['"`/]one cannot\b|one word too many/g,               'unknown X; cannot; unexpected argument'],
  [/(\/\/|\*) (What|Who|Whose|That which) /g,                     'subject, verb, object'],
]

/** This file names the words and casts that it looks for. */
const isElsewhere = ({ file }: Source) => file !== 'tools/figures.ts'

const places = (pattern: RegExp, among: readonly Source[]) =>
  among.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, n) => [...line.matchAll(pattern)].map(() => `${file}:${n + 1}: ${line.trim()}`)),
  )

/** Names that a module exports although no other file, test or configuration mentions them. */
function unusedExports(): string[] {
  const users = new Map<string, Set<string>>()
  for (const { file, text } of sources) {
    for (const [name] of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
      const known = users.get(name)
      if (known) known.add(file)
      else users.set(name, new Set([file]))
    }
  }
  const declared = /^export (?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm
  return product.flatMap(({ file, text }) =>
    [...text.matchAll(declared)].flatMap(([, name]) => (users.get(name!)!.size === 1 ? [`${file}: ${name}`] : [])),
  )
}

const linesOf = ({ text }: Source) => text.split('\n').length
const isTable = ({ file }: Source) =>
  /contract\/src\/(index|endpoints)|examples|words\.ts$|console\/src\/languages|postgres\/tables\.ts$/.test(file)

// prettier-ignore
const figures: readonly (readonly [name: string, limit: number, found: readonly string[]])[] = [
  ['files over 500 lines',              0,  product.filter((source) => linesOf(source) > 500 && !isTable(source)).map((source) => `${source.file}: ${linesOf(source)}`)],
  ['lines of app.ts over 200',          0,  product.filter((source) => source.file === 'server/src/app.ts' && linesOf(source) > 200).map(({ file }) => file)],
  ['casts by `as never`',               10, places(/\bas never\b/g, product.filter(isElsewhere))],
  ['exports that nothing uses',         0,  unusedExports()],
  ['decision records',                  45, readdirSync('docs/decisions').filter((name) => /^\d{4}-/.test(name))],
  ...words.map(([pattern, instead]) =>
    [`words for which we say ${instead}`, 0, places(pattern, sources.filter(isElsewhere))] as const),
]

const over = figures.filter(([, limit, found]) => found.length > limit)
console.log(
  `${sources.length} source files, ${product.reduce((sum, source) => sum + linesOf(source), 0)} lines without tests`,
)
for (const [name, limit, found] of figures) console.log(`  ${name}: ${found.length} (at most ${limit})`)
for (const [name, , found] of over) console.error(`\n${name}:\n  ${found.slice(0, 60).join('\n  ')}`)
process.exit(over.length === 0 ? 0 : 1)
