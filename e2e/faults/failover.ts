/** A PostgreSQL with a synchronous replica that can take its place; both are those of Debian (tools/replica.sh). */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { administer } from '../../server/test/database.ts'
import { freePort } from '../../server/src/process/free-port.ts'
import { createTemplate, type Postgres } from './postgres.ts'

const script = new URL('../../tools/replica.sh', import.meta.url).pathname
/** The exit code of the script if PostgreSQL is not installed. */
const notInstalled = 69

/** undefined: PostgreSQL is not installed. */
export async function openPair(): Promise<Postgres | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-pair-'))
  const port = await freePort('127.0.0.1')
  const env = { ...process.env, KONTOR_REPLICA_DIR: join(folder, 'pair'), KONTOR_REPLICA_PORT: String(port) }
  const run = (command: string) => promisify(execFile)('sh', [script, command], { env })
  const close = async () => {
    await run('stop')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    chmodSync(folder, 0o755)
    await run('start')
  } catch (error) {
    if ((error as { code?: number }).code === notInstalled) return undefined
    throw error
  }
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  // A commit is acknowledged when the replica has it too; otherwise the last ones may be lost with the first server.
  await administer(url, `alter system set synchronous_standby_names = '*'`)
  await administer(url, 'select pg_reload_conf()')
  await createTemplate(url)
  return {
    pid: () => {
      throw new Error('killed by failOver only')
    },
    url,
    async failOver() {
      await run('fail-over')
      return port + 1
    },
    close,
  }
}
