/**
 * `kontor channel-types …`: kinds of channels, from the machine the server runs on. It does what /cm/admin/channel-types
 * does, by the same rules and with the same history.
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

const within =
  (run: Run): Work =>
  (config, args, out) =>
    withDatabase(config, (db) => run(db, config, args, out))

// prettier-ignore
export const channelTypeCommands: Commands = [
  { name: 'channel-types list', usage: '', doc: 'Kinds of channels, with their attributes', work: within(list) },
  { name: 'channel-types add', usage: '<tid> <name> [attribute:type[:localized] …]', words: Infinity, doc: 'Makes a kind of channel, or gives it more attributes', work: within(add) },
  { name: 'channel-types rename', usage: '<tid> <name> [locale]', words: 3, doc: 'Another name for a kind of channel; in English, unless a locale is named', work: within(rename) },
]

async function list(db: Database, _config: Config, _args: readonly string[], out: Out): Promise<void> {
  for (const { tid, name, attrDefs } of await findTypes(db)) {
    out([tid, name['en_GB'] ?? Object.values(name)[0] ?? '', attrDefs.map((row) => row.tid).join(',')].join('\t'))
  }
}

/** An attribute that the kind has already is changed. */
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
  out(`Channels can be of the kind ${tid} now.`)
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
    throw new Problem('notFound', `no kind of channel has the tid ${tid}; see channel-types list`)
  await persist(db, config, { tid, name: { itm: [{ value: name, loc }] } })
  out(`The kind ${tid} is called ${name} in ${loc} now.`)
}

const operator: Caller = {
  userId: '',
  userName: 'kontor command',
  roles: new Set(['admin']),
  permissions: [{ kind: '*', actions: ['*'] }],
}

async function persist(database: Database, config: Config, item: TypeMessage): Promise<void> {
  const services = { database, config, permissionsOf: async () => [], deletionBlockers: async () => () => undefined }
  const [outcome] = await inBatch(services, operator, (ctx) => typeAdmin.persist(ctx, [item], ['projectDefs']))
  if (outcome instanceof Problem) throw outcome
}
