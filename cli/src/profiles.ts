/** profiles: mapping profiles of imports and exports, kept as JSON files. */
import { readFile } from 'node:fs/promises'
import { decode, formats, TransferProfile } from '@kontor/contract'
import { type Call, type Command, exitCodes, required } from './command.ts'
import { faultLines, patiently, sendFile } from './transfers.ts'

const nameOf = (call: Call) => required(call.args[0], '<name>')

type Transfers = ReturnType<Call['client']>['transfers']
type Mapping = Awaited<ReturnType<Transfers['guessProfile']>>
type MappedColumn = NonNullable<Mapping['columns']>[number]

/** Sends a file, asks about it, and removes it. */
async function withFile(call: Call, file: string, ask: (id: string) => Promise<Mapping>): Promise<Mapping> {
  const id = await sendFile(call, file)
  try {
    return await patiently(call, id, () => ask(id))
  } finally {
    await patiently(call, id, () => call.client().transfers.deleteTransfer({ params: { id } }))
  }
}

/** A column with its target, and below it some cells and what they become. */
function describeColumn(
  { column = '', meaning = 'ignore', samples = [], fault }: MappedColumn,
  sure?: string,
): string[] {
  const certainty = sure === undefined ? '' : ` (${sure})`
  const cells = samples.map(({ cell = '', value, fault: reason }) => {
    if (reason !== undefined) return `  ${cell}: ${reason}`
    // A column that the file does not have has no cells.
    return cell === '' || cell === value ? `  ${value ?? ''}` : `  ${cell} -> ${value ?? ''}`
  })
  return [
    `${column}: ${meaning}${fault === undefined ? certainty : `: ${fault}`}`,
    ...(meaning === 'ignore' ? [] : cells),
  ]
}

export const profileCommands: readonly Command[] = [
  {
    name: 'profiles',
    usage: '',
    doc: 'Lists the mapping profiles of imports and exports.',
    async run(call) {
      const { profiles: found = [] } = await call.client().transfers.listProfiles()
      call.out.value(found, () =>
        found.map(({ name = '', description }) => (description === undefined ? name : `${name}\t${description}`)),
      )
    },
  },
  {
    name: 'profiles show',
    usage: '<name>',
    doc: 'Prints a mapping profile as JSON, as `profiles put` reads it: kontor profiles show prices > prices.json',
    maxArguments: 1,
    async run(call) {
      const name = nameOf(call)
      const found = await call.client().transfers.getProfile({ params: { name } })
      call.out.value(found, () => [JSON.stringify(found, null, 2)])
    },
  },
  {
    name: 'profiles put',
    usage: '<name> <file.json>',
    doc: 'Creates a mapping profile from a JSON file, or replaces it.',
    maxArguments: 2,
    async run(call) {
      const name = nameOf(call)
      const body = decode(formats.json, TransferProfile, await readFile(required(call.args[1], '<file.json>')))
      const stored = await call.client().transfers.putProfile({ params: { name }, body })
      call.out.value(stored, () => [`${name} stored`])
    },
  },
  {
    name: 'profiles guess',
    usage: '<file.csv | .xlsx | .zip>',
    doc: 'Guesses a mapping profile for a file and prints it as JSON, to correct it and store it by `profiles put`: kontor profiles guess prices.xlsx > prices.json', // prettier-ignore
    maxArguments: 1,
    async run(call) {
      const { transfers } = call.client()
      const file = required(call.args[0], '<file>')
      const { profile = {}, columns = [] } = await withFile(call, file, (id) =>
        transfers.guessProfile({ params: { id } }),
      )
      for (const line of columns.flatMap((one) => describeColumn(one, `${Math.round((one.confidence ?? 0) * 100)} %`)))
        call.out.note(line)
      call.out.value(profile, () => [JSON.stringify(profile, null, 2)])
    },
  },
  {
    name: 'profiles try',
    usage: '<name | file.json> <file.csv | .xlsx | .zip>',
    doc: 'Reads the beginning of a file with a mapping profile, stored or in a JSON file, and prints what its cells become. Nothing is imported.',
    maxArguments: 2,
    async run(call) {
      const { transfers } = call.client()
      const name = required(call.args[0], '<name | file.json>')
      const file = required(call.args[1], '<file>')
      const body = /\.json$/i.test(name)
        ? decode(formats.json, TransferProfile, await readFile(name))
        : await transfers.getProfile({ params: { name } })
      const found = await withFile(call, file, (id) => transfers.tryProfile({ params: { id }, body }))
      const { columns = [], rows = [] } = found
      const faults = rows.flatMap(faultLines)
      call.out.value(found, () => [...columns.flatMap((one) => describeColumn(one)), ...faults])
      const isRefused = faults.length > 0 || columns.some(({ fault }) => fault !== undefined)
      return isRefused ? exitCodes.refused : exitCodes.ok
    },
  },
  {
    name: 'profiles versions',
    usage: '<name>',
    doc: 'Lists the versions of a mapping profile, the current one first.',
    maxArguments: 1,
    async run(call) {
      const { versions = [] } = await call.client().transfers.listProfileVersions({ params: { name: nameOf(call) } })
      call.out.value(versions, () =>
        versions.map(({ version, modifiedAt, modifiedBy }) => `${version}\t${modifiedAt}\t${modifiedBy}`),
      )
    },
  },
  {
    name: 'profiles restore',
    usage: '<name> <version>',
    doc: 'Makes an earlier version of a mapping profile the current one.',
    maxArguments: 2,
    async run(call) {
      const name = nameOf(call)
      const version = required(call.args[1], '<version>')
      const stored = await call.client().transfers.restoreProfile({ params: { name, version } })
      call.out.value(stored, () => [`version ${version} of ${name} restored`])
    },
  },
  {
    name: 'profiles delete',
    usage: '<name>',
    doc: 'Deletes a mapping profile. Imports and exports that use it already are not affected.',
    maxArguments: 1,
    async run(call) {
      const name = nameOf(call)
      await call.client().transfers.deleteProfile({ params: { name } })
      call.out.value({ name }, () => [`${name} deleted`])
    },
  },
]
