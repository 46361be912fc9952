/** `kontor demo install [--scale <number>]` and `kontor demo remove`, with or without a running server. */
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
    doc: 'Installs the catalogue of an invented company with the given number of products, or completes an interrupted installation',
    options: { scale: { type: 'string' } },
    work: (config, _args, out, { scale }) =>
      withHost(config, (host) => install(host, scale as string | undefined, out)),
  },
  {
    name: 'demo remove',
    usage: '',
    doc: 'Removes the demo; its files go to the trash, its users are disabled',
    work: (config, _args, out) => withHost(config, (host) => removeDemo(host, out)),
  },
]

/** Runs the application without listening: the demo calls its interface in-process. */
function withHost(config: Config, work: (host: Host) => Promise<void>): Promise<void> {
  if (config.oidcIssuer !== undefined)
    throw new Problem('invalid', 'the demo creates users, so it needs the bundled identity provider')
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
  out(`The demo is installed. Sign in as ingrid (admin), greta, paul, chiara, amelie, jonas or otto: ${password}`)
}
