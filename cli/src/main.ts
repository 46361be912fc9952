/** `kontor <noun> <verb>`: a server's data from anywhere, and its operation from its own machine. */
import { run } from './run.ts'

process.exitCode = await run(process.argv.slice(2), process.env)
