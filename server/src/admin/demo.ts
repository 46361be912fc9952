/** `kontor demo install [--scale <number>]` and `kontor demo remove`: on the database of a server that runs, or of none. */
import { parseArgs } from 'node:util'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Host } from '../demo/door.ts'
import { installDemo, readScale, removeDemo } from '../demo/demo.ts'
import { Problem } from '../errors.ts'
import type { Commands, Out } from './command.ts'
import { withDatabase } from './database.ts'

export const demoCommands: Commands = [
  ['demo install', (config, args, out) => withHost(config, (host) => install(host, args, out))],
  ['demo remove', (config, _args, out) => withHost(config, (host) => removeDemo(host, out))],
]

/** The application without an address: the demo goes through its interface. */
function withHost(config: Config, work: (host: Host) => Promise<void>): Promise<void> {
  if (config.oidcIssuer !== undefined)
    throw new Problem('invalid', 'the demo brings people of its own; it needs the bundled identity provider')
  return withDatabase(config, async (database) => {
    const { http, identity } = await createApp(database, { ...config, logLevel: 'error' })
    try {
      await http.ready()
      await work({ http, identity })
    } finally {
      await http.close()
    }
  })
}

async function install(host: Host, args: readonly string[], out: Out): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { scale: { type: 'string' } } })
  const password = await installDemo(host, { scale: readScale(values.scale), tell: out })
  out(`The demo is there. Sign in as ingrid (admin), greta, paul, chiara, amelie, jonas or otto: ${password}`)
}
