#!/usr/bin/env node
/** The `kontor` command. Needs Node 24, which comes with the installation; an older one is told so instead of failing oddly. */
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error('kontor runs on Node 24: call it as `npx kontor` inside the installation, or install Node 24.')
  process.exit(1)
}
await import('../src/main.ts')
