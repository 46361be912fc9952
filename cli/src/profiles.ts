/** profiles: mapping profiles of imports and exports, kept as JSON files. */
import { readFile } from 'node:fs/promises'
import { decode, formats, TransferProfile } from '@kontor/contract'
import { KontorError } from '@kontor/sdk'
import { type Call, type Command, required } from './command.ts'

const listProfiles = async (call: Call) => (await call.client().transfers.listProfiles()).profiles ?? []
const nameOf = (call: Call) => required(call.args[0], '<name>')

export const profileCommands: readonly Command[] = [
  {
    name: 'profiles',
    usage: '',
    doc: 'Lists the mapping profiles of imports and exports.',
    async run(call) {
      const found = await listProfiles(call)
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
      const found = (await listProfiles(call)).find((profile) => profile.name === name)
      if (!found)
        throw new KontorError(404, [`no profile has the name ${name}; \`kontor profiles\` lists all profiles`])
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
