/** The system area: the state of the running installation. A Kontor extension, JSON only. */
import { child, children, leaf, leaves, type } from './describe.ts'

export const SystemProcess = type('systemProcess', 'The server process that answered.', {
  version: leaf('string', 'Version of Kontor.'),
  runtime: leaf('string', 'Version of Node.js.'),
  roles: leaves('string', 'What this process does: api, worker, search.'),
  startedAt: leaf('date'),
  memory: leaf('long', 'Memory of the process in bytes.'),
  machineMemory: leaf('long', 'Memory of the machine in bytes.'),
  machineFree: leaf('long', 'Free memory of the machine in bytes.'),
})
export const SystemStorage = type('systemStorage', 'Where data is stored.', {
  disk: leaf('long', 'Size of the disk with the data folder in bytes.'),
  diskFree: leaf('long', 'Free space on that disk in bytes.'),
  database: leaf('string', 'Version of PostgreSQL.'),
  databaseSize: leaf('long', 'Size of the database in bytes.'),
  files: leaf('string', 'Where files are stored: folder or s3.'),
})
export const SystemQueues = type('systemQueues', 'Work that is waiting.', {
  waiting: leaf('integer', 'Jobs that are due and wait for a worker.'),
  scheduled: leaf('integer', 'Jobs that are due later.'),
  running: leaf('integer', 'Jobs that are running.'),
  failed: leaf('integer', 'Jobs that have failed for good.'),
  oldestAt: leaf('date', 'Since when the oldest waiting job is due.'),
  searchLag: leaf('integer', 'Milliseconds since the oldest change that searches do not find yet.'),
  changes: leaf('integer', 'Changes in the outbox, an estimate.'),
  deliveries: leaf('integer', 'Webhook deliveries that are waiting.'),
  failingWebhooks: leaf('integer', 'Webhooks whose receiver does not accept deliveries, or that were disabled.'),
})
export const SystemBackup = type('systemBackup', 'The last backup that `kontor backup` completed.', {
  takenAt: leaf('date'),
  folder: leaf('string', 'As it was named when the backup was taken.'),
  missing: leaf('integer', 'Number of files that could not be read.'),
})
export const FailedJob = type('failedJob', 'A job that has failed for good, and is not tried again by itself.', {
  id: leaf('string'),
  job: leaf('string', 'What it does, as the log names it.'),
  attempts: leaf('integer'),
  failedAt: leaf('date'),
  problem: leaf('string'),
})
export const SystemError = type('systemError', 'A failure of the server, not of a caller.', {
  at: leaf('date'),
  call: leaf('string', 'Method and path of the call; absent for a job.'),
  user: leaf('string'),
  status: leaf('string'),
  problem: leaf('string'),
  supportId: leaf('string', 'Under which the log has the details.'),
})

export const SystemState = type('systemState', 'The state of the installation.', {
  process: child(() => SystemProcess),
  storage: child(() => SystemStorage),
  queues: child(() => SystemQueues),
  backup: child(() => SystemBackup, 'Absent if none was taken.'),
  failedJobs: children(() => FailedJob, 'The last 50, newest first.'),
  errors: children(() => SystemError, 'The last 50 of this process since its start, newest first.'),
})
