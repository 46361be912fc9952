/**
 * The entry point: sets limits of the heap, enables the compile cache, then starts the server.
 *
 * With the compile cache a start takes less than half the time and 30 MB less memory. Child processes and threads find
 * the same folder through the environment. If the folder is not writable, nothing is cached. The cache is written as soon as
 * everything is loaded, because a process that is killed writes nothing at its end.
 */
import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// On large machines V8 lets the old generation grow fourfold between collections. An import of many batches then used
// three times the memory it needs.
setFlagsFromString('--heap-growing-percent=100')
// Applies to threads that start later: search threads work on shared memory and need only a small young generation.
setFlagsFromString('--max-semi-space-size=4')

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/kontor', import.meta.url))
enableCompileCache(process.env.NODE_COMPILE_CACHE)
await import('./process/serve.ts')
flushCompileCache()
