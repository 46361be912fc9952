#!/usr/bin/env node
/**
 * `kontor-server`, the command of the installed package. It runs on Node 20 or newer and starts the server as `npm start`
 * does: on Node 24, and with a young generation that Node can only set at its start.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nodeProgram } from './node.ts'

const node = nodeProgram()
const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const args = ['--max-semi-space-size=16', main, ...process.argv.slice(2)]

// This process becomes the server, so signals and its id are those of the server. Node 20 and Windows cannot do that.
if (process.platform !== 'win32') process.execve?.(node, [node, ...args])

// Detached, so that Ctrl-C in a terminal reaches the server once, by way of this process: a second signal ends it at once.
const child = spawn(node, args, { stdio: 'inherit', detached: process.platform !== 'win32' })
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
