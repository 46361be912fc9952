/** Commands about search. They travel by the outbox: a server that runs obeys at once, one that does not at its next start. */
import { indexes } from '@kontor/contract'
import type { Config } from '../config.ts'
import { audit } from '../core/audit.ts'
import { Problem } from '../errors.ts'
import { orderRebuild } from '../search/module.ts'
import type { Commands, Out } from './command.ts'
import { withDatabase } from './database.ts'

export const searchCommands: Commands = [['reindex', reindex]]

/** GLOBAL is a view over others. */
const rebuilt = indexes.filter((name) => name !== 'GLOBAL')

/** `reindex [index …]`: all of them when none is named. */
async function reindex(config: Config, names: readonly string[], out: Out): Promise<void> {
  const unknown = names.find((name) => !rebuilt.some((each) => each === name))
  if (unknown !== undefined) {
    throw new Problem('invalid', `${unknown} is no index that can be rebuilt; expected ${rebuilt.join(', ')}`)
  }
  const wanted = rebuilt.filter((name) => names.length === 0 || names.includes(name))
  await withDatabase(config, (db) =>
    db.transaction(async (inside) => {
      for (const name of wanted) await orderRebuild(inside, name)
      await audit(inside, { actor: 'kontor command', action: 'index.rebuild', object: `index ${wanted.join(', ')}` })
    }),
  )
  out(`To be rebuilt by every server on this database, while they go on searching: ${wanted.join(', ')}.`)
}
