/** The PostgreSQL servers that scenarios need. */
import { openPair } from './failover.ts'
import { openOnSmallDisk } from './small-disk.ts'
import { openPostgres, type Postgres } from './postgres.ts'

export type DatabaseName = 'plain' | 'replicated' | 'small'

/** undefined: it cannot run here. */
export const databases: Readonly<Record<DatabaseName, () => Promise<Postgres | undefined>>> = {
  plain: () => openPostgres(),
  replicated: openPair,
  small: openOnSmallDisk,
}
export const reasons: Readonly<Partial<Record<DatabaseName, string>>> = {
  replicated: 'no PostgreSQL with initdb and pg_basebackup is installed',
  small: 'a file system cannot be mounted here',
}
