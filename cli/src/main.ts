/** `kontor <noun> <verb>`: what an operator does on the machine that Kontor runs on. */
import { commands } from '@kontor/server/admin'

const [noun = '', verb = '', ...args] = process.argv.slice(2)
const run = commands.get(`${noun} ${verb}`.trim())
if (run) process.exitCode = await run(args, process.env)
else {
  console.error(`usage: kontor <noun> <verb>\n\n${[...commands.keys()].map((name) => `  kontor ${name}`).join('\n')}`)
  process.exitCode = 2
}
