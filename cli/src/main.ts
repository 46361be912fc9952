/** `kontor <noun> <verb>`: works with a server's data from any machine, and administers the server on its own. */
import { run } from './run.ts'

process.exitCode = await run(process.argv.slice(2), process.env)
