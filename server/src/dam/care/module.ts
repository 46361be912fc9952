/** The area /care: the care of stored files, and its jobs. */
import { care as contract } from '@kontor/contract'
import type { JobTable, TimeTable } from '../../adapters/jobs/jobs.ts'
import { createScanner } from '../../adapters/clamav/clamav.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Db } from '../../adapters/postgres/db.ts'
import type { Services } from '../../core/batch/batch.ts'
import type { RouteHandlers } from '../../core/http/routes.ts'
import type { Config } from '../../config.ts'
import { scanJob } from '../storage/storing.ts'
import { applyPolicy, archiveJob, archiveRoutes, archiveTimes, moveWanted, policyJob, policyTimes } from './archive.ts' // prettier-ignore
import { countArchive } from './archive.sql.ts'
import type { CareCounts } from './counts.ts'
import type { GuardedBlobs } from './hold.ts'
import { quarantineRoutes } from './quarantine.ts'
import { scanTimes, scanWaiting } from './scan.ts'
import { countScans } from './scan.sql.ts'
import { scrubJob, scrubSome, scrubTimes } from './scrub.ts'
import { countFaults, listRuns } from './scrub.sql.ts'
import { statisticsRoutes } from './statistics.ts'
import { scrubRoutes, toRun } from './scrubs.ts'

/** The virus scanner of the settings. */
const openScanner = ({ scanner: address, scannerSeconds: seconds }: Config) =>
  address === undefined ? undefined : createScanner({ address, seconds })

/** For /readyz: without the scanner, new files wait. */
export function scannerCheck(config: Config): { scanner?: () => Promise<void> } {
  const scanner = openScanner(config)
  return scanner ? { scanner: scanner.check } : {}
}

export function care(services: Services) {
  const { archive, archiveMonths: months } = services.config
  const scanner = openScanner(services.config)
  const isReachable = async () => (scanner ? scanner.check().then(() => true, () => false) : false) // prettier-ignore
  const routes: RouteHandlers<typeof contract.routes> = {
    async getCare({ db }) {
      return {
        scanner: { isConfigured: scanner !== undefined, isReachable: await isReachable(), ...(await countScans(db)) },
        scrub: await scrubState(db, services.config),
        archive: { ...(await countArchive(db)), isConfigured: archive !== undefined, months },
      }
    },
    ...quarantineRoutes(services),
    ...scrubRoutes(services),
    ...archiveRoutes(services),
    ...statisticsRoutes,
  }
  return { contract, resources: {}, routes, audits: true as const }
}

async function scrubState(db: Db, { scrubDays: days }: Config) {
  const [last] = await listRuns(db, undefined, 1)
  return { days, faults: await countFaults(db), ...(last && { last: toRun(last) }) }
}

export const careJobs = (
  services: Services,
  blobs: Pick<GuardedBlobs, 'raw'>,
  counts: CareCounts,
  archive: Blobs | undefined,
): JobTable => {
  const scanner = openScanner(services.config)
  const stores = { main: blobs.raw, archive }
  return {
    [scanJob]: (_: never, stop) => scanWaiting({ services, blobs, scanner, counts }, stop),
    [scrubJob]: (_: never, stop) => scrubSome({ services, stores, counts }, stop),
    [archiveJob]: (_: never, stop) => moveWanted({ services, stores }, stop),
    [policyJob]: () => applyPolicy(services),
  }
}
export const careTimes: TimeTable = { [scanJob]: scanTimes, [scrubJob]: scrubTimes, [archiveJob]: archiveTimes, [policyJob]: policyTimes } // prettier-ignore
