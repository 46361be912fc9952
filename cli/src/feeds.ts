/** feeds: exports and imports that run by a schedule, kept as JSON files. */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { decode, Feed, formats } from '@kontor/contract'
import { type Call, type Command, exitCodes, required, toNumber } from './command.ts'

type Feeds = ReturnType<Call['client']>['feeds']
type FeedValue = Awaited<ReturnType<Feeds['getFeed']>>
type Run = Awaited<ReturnType<Feeds['runFeed']>>

const nameOf = (call: Call) => required(call.args[0], '<name>')
const pollEvery = 1000

/** The fields of a reply that `feeds put` does not read. */
// prettier-ignore
const ofReply = ['name', 'owner', 'problem', 'hasAddress', 'nextRunAt', 'lastRun', 'modifiedAt', 'modifiedBy']

const describeFeed = ({ name, direction, enabled, place, nextRunAt, problem, lastRun }: FeedValue) =>
  [
    name,
    direction,
    place.kind,
    problem === undefined ? (enabled ? `next ${nextRunAt ?? 'by hand'}` : 'disabled') : `paused: ${problem}`,
    lastRun ? `last ${lastRun.state}` : 'never ran',
  ].join('\t')

const describeRun = ({ id, state, createdAt, file, items, problem, nextAttemptAt }: Run) =>
  [
    id,
    state,
    createdAt,
    file ?? '',
    items === undefined ? '' : `${items} items`,
    nextAttemptAt === undefined ? (problem ?? '') : `${problem ?? ''} (next attempt ${nextAttemptAt})`,
  ].join('\t')

const decision = (word: 'release' | 'discard', doc: string): Command => ({
  name: `feeds ${word}`,
  usage: '<name> <run>',
  doc,
  maxArguments: 2,
  async run(call) {
    const name = nameOf(call)
    const run = String(toNumber(required(call.args[1], '<run>'), '<run>'))
    const done = await call.client().feeds.decideRun({ params: { name, run, decision: word } })
    call.out.value(done, () => [describeRun(done)])
  },
})

export const feedCommands: readonly Command[] = [
  {
    name: 'feeds',
    usage: '',
    doc: 'Lists your feeds: exports and imports that run by a schedule.',
    async run(call) {
      const { feeds = [] } = await call.client().feeds.listFeeds()
      call.out.value(feeds, () => feeds.map(describeFeed))
    },
  },
  {
    name: 'feeds show',
    usage: '<name>',
    doc: 'Prints a feed as JSON, as `feeds put` reads it. Secrets are not shown; they are kept when it is stored again.',
    maxArguments: 1,
    async run(call) {
      const found = await call.client().feeds.getFeed({ params: { name: nameOf(call) } })
      const own = Object.fromEntries(Object.entries(found).filter(([field]) => !ofReply.includes(field)))
      call.out.value(found, () => [JSON.stringify(own, null, 2)])
    },
  },
  {
    name: 'feeds put',
    usage: '<name> <file.json>',
    doc: 'Creates a feed from a JSON file, or replaces it.',
    maxArguments: 2,
    async run(call) {
      const name = nameOf(call)
      const text = await readFile(required(call.args[1], '<file.json>'))
      const body = decode(formats.json, Feed, text) as FeedValue
      const stored = await call.client().feeds.putFeed({ params: { name }, body })
      call.out.value(stored, () => [describeFeed(stored)])
    },
  },
  {
    name: 'feeds delete',
    usage: '<name>',
    doc: 'Deletes a feed and the history of its runs.',
    maxArguments: 1,
    async run(call) {
      const name = nameOf(call)
      await call.client().feeds.deleteFeed({ params: { name } })
      call.out.value({ name }, () => [`${name} deleted`])
    },
  },
  {
    name: 'feeds run',
    usage: '<name>',
    doc: 'Runs a feed now and waits for the end of the run.',
    maxArguments: 1,
    run: runNow,
  },
  {
    name: 'feeds runs',
    usage: '<name>',
    doc: 'Lists the last runs of a feed, newest first.',
    maxArguments: 1,
    async run(call) {
      const { runs = [] } = await call.client().feeds.listRuns({ params: { name: nameOf(call) } })
      call.out.value(runs, () => runs.map(describeRun))
    },
  },
  decision('release', 'Delivers a run that is held because it has fewer products.'),
  decision('discard', 'Discards a run that is held. Nothing is delivered.'),
  {
    name: 'feeds address',
    usage: '<name> [--revoke]',
    doc: 'Creates the download address of a feed and prints it; an older address stops to work. --revoke only ends it.',
    options: { revoke: { type: 'boolean' } },
    maxArguments: 1,
    async run(call) {
      const params = { name: nameOf(call) }
      if (call.values.revoke) {
        await call.client().feeds.revokeAddress({ params })
        return call.out.value(params, () => [`the address of ${params.name} is revoked`])
      }
      const address = await call.client().feeds.createAddress({ params })
      call.out.value(address, () => [address.url ?? ''])
    },
  },
]

async function runNow(call: Call): Promise<number> {
  const { feeds } = call.client()
  const name = nameOf(call)
  let run = await feeds.runFeed({ params: { name } })
  let noted = ''
  while (run.state === 'running') {
    // Each state once, so that a log without a terminal shows what happens.
    const line = `run ${run.id} ${describeProgress(run)}`
    if (line !== noted) call.out.note(line)
    noted = line
    await pause(pollEvery)
    const { runs = [] } = await feeds.listRuns({ params: { name } })
    run = runs.find(({ id }) => id === run.id) ?? { ...run, state: 'finished', problem: 'no new file was found' }
  }
  call.out.value(run, () => [describeRun(run)])
  return run.state === 'finished' ? exitCodes.ok : exitCodes.refused
}

const describeProgress = ({ file, problem, nextAttemptAt }: Run) =>
  nextAttemptAt === undefined ? `running ${file ?? ''}`.trim() : `failed: ${problem}; next attempt ${nextAttemptAt}`
