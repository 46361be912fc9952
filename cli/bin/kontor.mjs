#!/usr/bin/env node
/** The `kontor` command. Needs Node 24, which comes with the installation; an older one is told so instead of failing oddly. */
import module from 'node:module'
import { fileURLToPath } from 'node:url'

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error('kontor runs on Node 24: call it as `npx kontor` inside the installation, or install Node 24.')
  process.exit(1)
}
// what Node makes of our sources is kept, like the server does: the next command begins in half the time
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/kontor', import.meta.url))
module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
await import('../src/main.ts')
