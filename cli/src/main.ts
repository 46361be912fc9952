#!/usr/bin/env node
/** `kontor <noun> <verb>`: works with a server's data from any machine, and administers the server on its own. */
import { spawnSync } from 'node:child_process'
import { run } from './run.ts'
import { localNode } from './local.ts'

// The commands of the server need its Node; all others run on Node 20, too.
const node = await localNode()
process.exitCode =
  node === process.execPath
    ? await run(process.argv.slice(2), process.env)
    : (spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)
