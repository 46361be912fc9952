/** /system: what an administrator needs to know about the running installation, in one call. */
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'
import { system as contract } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import type { Config } from '../config.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { Problem } from '../errors.ts'
import type { LastErrors } from './errors.ts'
import * as rows from './system.sql.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const mostJobs = 50

interface SystemNeeds {
  readonly config: Config
  readonly errors: LastErrors
  /** Milliseconds since the oldest change that searches do not find yet. */
  searchLag(): number
}

export function system({ config, errors, searchLag }: SystemNeeds) {
  const routes: RouteHandlers<typeof contract.routes> = {
    async getSystem({ db }) {
      const [database, disk] = await Promise.all([rows.findDatabase(db), statfs(config.data)])
      const backup = await findBackup(db)
      return {
        process: processState(config),
        storage: {
          disk: disk.blocks * disk.bsize,
          diskFree: disk.bavail * disk.bsize,
          database: database.version,
          databaseSize: database.size,
          files: config.blobs ? 's3' : 'folder',
        },
        queues: { ...(await findQueues(db)), searchLag: Math.round(searchLag()), changes: database.changes },
        ...(backup && { backup }),
        failedJobs: (await rows.findDeadJobs(db, mostJobs)).map(({ failedAt, problem, ...job }) => ({
          ...job,
          failedAt: failedAt.toISOString(),
          ...(problem && { problem: problem.split('\n', 1)[0]! }),
        })),
        errors: errors.list(),
      }
    },
    async retryJob({ db }, { params: { id = '' } }) {
      await demandJob(id, (known) => rows.retryDeadJob(db, known))
    },
    async deleteJob({ db }, { params: { id = '' } }) {
      await demandJob(id, (known) => rows.deleteDeadJob(db, known))
    },
  }
  return { contract, resources: {}, routes }
}

const processState = ({ roles }: Config) => ({
  version,
  runtime: process.version,
  roles: [...roles],
  startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
  memory: process.memoryUsage.rss(),
  machineMemory: totalmem(),
  machineFree: freemem(),
})

async function findQueues(db: Db) {
  const [{ oldest, ...jobs }, { waiting, failing }] = await Promise.all([rows.countJobs(db), rows.countDeliveries(db)])
  return {
    ...jobs,
    ...(oldest && { oldestAt: oldest.toISOString() }),
    deliveries: waiting,
    failingWebhooks: failing,
  }
}

async function findBackup(db: Db) {
  const found = await rows.findLastBackup(db)
  if (!found) return undefined
  const { missing = 0 } = JSON.parse(found.detail || '{}') as { missing?: number }
  return { takenAt: found.at.toISOString(), folder: found.object.replace(/^backup /, ''), missing }
}

async function demandJob(id: string, change: (id: string) => Promise<number>): Promise<void> {
  const count = /^\d{1,18}$/.test(id) ? await change(id) : 0
  if (count === 0) throw new Problem('notFound', `no job that has failed for good has the id ${id.slice(0, 50)}`)
}
