/** profiles: mapping profiles of imports and exports, kept as JSON files. */
import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { decode, formats, TransferProfile } from '@kontor/contract'
import { type Call, type Command, required } from './command.ts'

const nameOf = (call: Call) => required(call.args[0], '<name>')

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
      const file = required(call.args[0], '<file>')
      const { transfers } = call.client()
      const { id = '' } = await transfers.send(await openAsBlob(file), { name: basename(file) })
      try {
        const { profile = {}, columns = [] } = await transfers.guessProfile({ params: { id } })
        for (const { column = '', meaning = 'ignore', confidence = 0, fault } of columns)
          call.out.note(
            `${column}: ${meaning}${fault === undefined ? ` (${Math.round(confidence * 100)} %)` : `: ${fault}`}`,
          )
        call.out.value(profile, () => [JSON.stringify(profile, null, 2)])
      } finally {
        await transfers.deleteTransfer({ params: { id } }) // the file was sent for the guess only
      }
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
