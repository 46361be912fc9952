/**
 * `kontor channel-types …`: manages channel types on the server's machine. It does the same as /cm/admin/channel-types,
 * with the same rules and history.
 *
 *   kontor channel-types list
 *   kontor channel-types add Kiosk "Kiosk in the shop" SCREEN:text TITLE:text:localized OPENED_ON:date
 *   kontor channel-types rename Kiosk "Kiosk im Laden" de_DE
 */
import type { Database } from '../adapters/postgres/db.ts'
import { findTypes } from '../cm/channels/types/types.sql.ts'
import { typeAdmin } from '../cm/channels/types/types.ts'
import type { Config } from '../config.ts'
import { inBatch } from '../core/batch/batch.ts'
import type { Caller } from '../core/context.ts'
import { Problem } from '../errors.ts'
import type { Commands, Out, Work } from './command.ts'
import { withDatabase } from './database.ts'

type Run = (db: Database, config: Config, args: readonly string[], out: Out) => Promise<void>
type TypeMessage = Parameters<typeof typeAdmin.persist>[1][number]

const onDatabase =
  (run: Run): Work =>
  (config, args, out) =>
    withDatabase(config, (db) => run(db, config, args, out))

// prettier-ignore
export const channelTypeCommands: Commands = [
  { name: 'channel-types list', usage: '', doc: 'Lists the channel types with their attributes', work: onDatabase(list) },
  { name: 'channel-types add', usage: '<tid> <name> [attribute:type[:localized] …]', maxArguments: Infinity, doc: 'Creates a channel type, or adds attributes to it', work: onDatabase(add) },
  { name: 'channel-types rename', usage: '<tid> <name> [locale]', maxArguments: 3, doc: 'Renames a channel type, in English unless a locale is given', work: onDatabase(rename) },
]

async function list(db: Database, _config: Config, _args: readonly string[], out: Out): Promise<void> {
  for (const { tid, name, attrDefs } of await findTypes(db)) {
    out([tid, name['en_GB'] ?? Object.values(name)[0] ?? '', attrDefs.map((row) => row.tid).join(',')].join('\t'))
  }
}

/** Changes an attribute that the channel type already has. */
async function add(
  db: Database,
  config: Config,
  [tid, name, ...attributes]: readonly string[],
  out: Out,
): Promise<void> {
  if (tid === undefined || name === undefined)
    throw new Problem('invalid', 'expected <tid> <name> [attribute:type[:localized] …]')
  const attrDef = attributes.map(toDefinition)
  await persist(db, config, { tid, name: { itm: [{ value: name, loc: 'en_GB' }] }, attrDefs: { attrDef } })
  out(`The channel type ${tid} can be used now.`)
}

function toDefinition(text: string) {
  const [tid = '', type = '', ...others] = text.split(':')
  if (tid === '' || type === '' || others.some((word) => word !== 'localized'))
    throw new Problem(
      'invalid',
      `${text}: expected attribute:type or attribute:type:localized, such as TITLE:text:localized`,
    )
  const name = { itm: [{ value: tid, loc: 'en_GB' }] }
  return { tid, type, name, localized: others.includes('localized') ? ('true' as const) : ('false' as const) }
}

async function rename(db: Database, config: Config, [tid, name, loc = 'en_GB']: readonly string[], out: Out) {
  if (tid === undefined || name === undefined) throw new Problem('invalid', 'expected <tid> <name> [locale]')
  if (!(await findTypes(db)).some((row) => row.tid === tid))
    throw new Problem('notFound', `no channel type has the tid ${tid}; see channel-types list`)
  await persist(db, config, { tid, name: { itm: [{ value: name, loc }] } })
  out(`The name of the channel type ${tid} in ${loc} is now ${name}.`)
}

const operator: Caller = {
  userId: '',
  userName: 'kontor command',
  roles: new Set(['admin']),
  permissions: [{ kind: '*', actions: ['*'] }],
}

async function persist(database: Database, config: Config, item: TypeMessage): Promise<void> {
  const services = { database, config, deletionBlockers: async () => () => undefined }
  const [outcome] = await inBatch(services, operator, (ctx) => typeAdmin.persist(ctx, [item], ['projectDefs']))
  if (outcome instanceof Problem) throw outcome
}
