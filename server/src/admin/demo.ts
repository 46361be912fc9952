/** `kontor demo install [--scale <number>]` and `kontor demo remove`: on the database of a server that runs, or of none. */
import { type Host, installDemo, removeDemo } from '@kontor/demo'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import { demoHost, readScale } from '../process/demo.ts'
import type { Commands, Out } from './command.ts'
import { withDatabase } from './database.ts'

export const demoCommands: Commands = [
  {
    name: 'demo install',
    usage: '[--scale <number>]',
    doc: 'Brings the catalogue of an invented company, with so many products; completes one that broke off',
    options: { scale: { type: 'string' } },
    work: (config, _args, out, { scale }) =>
      withHost(config, (host) => install(host, scale as string | undefined, out)),
  },
  {
    name: 'demo remove',
    usage: '',
    doc: 'Removes it again; its files go into the trash, its people are disabled',
    work: (config, _args, out) => withHost(config, (host) => removeDemo(host, out)),
  },
]

/** The application without an address: the demo goes through its interface. */
function withHost(config: Config, work: (host: Host) => Promise<void>): Promise<void> {
  if (config.oidcIssuer !== undefined)
    throw new Problem('invalid', 'the demo brings people of its own; it needs the bundled identity provider')
  return withDatabase(config, async (database) => {
    const app = await createApp(database, { ...config, logLevel: 'error' })
    try {
      await app.http.ready()
      await work(demoHost(app))
    } finally {
      await app.http.close()
    }
  })
}

async function install(host: Host, scale: string | undefined, out: Out): Promise<void> {
  const password = await installDemo(host, { scale: readScale(scale), report: out })
  out(`The demo is there. Sign in as ingrid (admin), greta, paul, chiara, amelie, jonas or otto: ${password}`)
}
