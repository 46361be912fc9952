#!/usr/bin/env node
/** `kontor <noun> <verb>`: works with a server's data from any machine, and administers the server on its own. */
import { spawnSync } from 'node:child_process'
import { run } from './run.ts'
import { localNode } from './local.ts'

// `kontor … | head` closes the pipe when it has enough, which is not a failure.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1))

// The commands of the server need its Node; all others run on Node 20, too.
const node = await localNode()
process.exitCode =
  node === process.execPath
    ? await run(process.argv.slice(2), process.env)
    : (spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)
