/** Counts of this process for /metrics: files checked, read and found infected or damaged since its start. */
export interface CareCounts {
  scanned: number
  infected: number
  scrubbed: number
  faults: number
}
export const createCounts = (): CareCounts => ({ scanned: 0, infected: 0, scrubbed: 0, faults: 0 })

type Reading = readonly [name: string, help: string, read: () => number]
export const careReadings = (counts: CareCounts): Reading[] => [
  ['kontor_files_scanned', 'Files that this process has had checked for viruses.', () => counts.scanned],
  ['kontor_files_infected', 'Files in which the virus scanner found something.', () => counts.infected],
  [
    'kontor_files_scrubbed',
    'Stored files that this process has read and compared with their hashes.',
    () => counts.scrubbed,
  ],
  ['kontor_file_faults', 'Of these, files that are missing, damaged or unreadable.', () => counts.faults],
]
