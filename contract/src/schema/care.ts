/** The care of stored files: viruses, damage, the archive and statistics. A Kontor extension, JSON only. */
import { child, children, expects, leaf, leaves, required, type } from './describe.ts'

/** Why nobody gets the bytes of a file. */
export const heldStates = ['unchecked', 'infected', 'tooLarge', 'missing', 'damaged', 'unreadable'] as const
/** `contentStatus` of assets, in their meta (where `available` is left out) and in search. */
export const contentStatuses = ['available', ...heldStates, 'archived'] as const

export const ScannerState = type('scannerState', 'The virus scanner and its files.', {
  isConfigured: leaf('boolean', 'Whether KONTOR_CLAMAV names a scanner.'),
  isReachable: leaf('boolean', 'Whether it answers now.'),
  waiting: leaf('integer', 'Files that wait for their check.'),
  infected: leaf('integer', 'Files in quarantine.'),
  tooLarge: leaf('integer', 'Files that are too large to be checked and wait for an administrator.'),
})
/** Faults of stored bytes. */
export const fileFaults = ['missing', 'damaged', 'unreadable'] as const
export const ScrubRun = type(
  'scrubRun',
  'A pass over all stored files, each of which is read and compared with its hash.',
  {
    id: leaf('long'),
    startedAt: leaf('date'),
    startedBy: leaf('string', 'A user, or system.'),
    endedAt: leaf('date', 'Absent while it is running.'),
    files: leaf('long', 'How many files were read.'),
    bytes: leaf('long'),
    missing: leaf('long'),
    damaged: leaf('long'),
    unreadable: leaf('long'),
    repaired: leaf('long', 'How many of these were replaced by a whole copy of the archive.'),
    unreferenced: leaf('long', 'Files that no object has, at the end of the run. They are removed after a while.'),
    findings: children(
      () => ScrubFinding,
      'Only for a single run: files that are not whole, in the order of their hashes.',
    ),
  },
)
export const ScrubFinding = type('scrubFinding', 'A file that is not whole.', {
  sha256: leaf('string'),
  size: leaf('long'),
  fault: leaf(fileFaults),
  isRepaired: leaf('boolean'),
  foundAt: leaf('date'),
  uses: children(() => FileUse, 'At most 10.'),
})
export const ScrubRuns = type('scrubRuns', 'Runs, newest first.', { runs: children(() => ScrubRun) })
export const ScrubState = type('scrubState', 'The regular read of all stored files.', {
  days: leaf('integer', 'KONTOR_SCRUB_DAYS; 0 if it is off.'),
  faults: leaf('integer', 'Files that are missing, damaged or unreadable now.'),
  last: child(() => ScrubRun, 'The newest run.'),
})
export const ArchiveState = type('archiveState', 'The archive.', {
  isConfigured: leaf('boolean', 'Whether KONTOR_ARCHIVE names a place.'),
  months: leaf('integer', 'KONTOR_ARCHIVE_MONTHS; 0 if files do not move by themselves.'),
  files: leaf('long', 'Files in the archive.'),
  bytes: leaf('long'),
  leaving: leaf('long', 'Files that wait to be moved to the archive.'),
  returning: leaf('long', 'Files that wait to be brought back.'),
})
export const ArchiveRequest = type('archiveRequest', 'Which files move to the archive or back.', {
  folder: required(leaf('string', 'The path of a folder; folders below it are included.')),
  restore: leaf('boolean', 'Brings them back instead. Default false.'),
  months: expects(
    leaf('integer', 'Only files that nobody has uploaded, changed or downloaded for so many months. Default 0.'),
    0,
    1200,
  ),
  onlyUnlinked: leaf('boolean', 'Only files that no product or channel has. Default false.'),
})
export const ArchiveOrder = type('archiveOrder', 'What was ordered.', {
  files: leaf('long', 'How many different contents will move.'),
  bytes: leaf('long'),
})
export const CareState = type('careState', 'The care of stored files.', {
  scanner: child(() => ScannerState),
  scrub: child(() => ScrubState),
  archive: child(() => ArchiveState),
})

export const FileUse = type('fileUse', 'An asset that has the content, as its current file or as a version.', {
  tid: leaf('string'),
  path: leaf('string'),
  isCurrent: leaf('boolean', 'False if only a version has it.'),
})
export const HeldFile = type('heldFile', 'Content that nobody gets.', {
  sha256: leaf('string'),
  size: leaf('long'),
  state: leaf(heldStates),
  threat: leaf('string', 'What the virus scanner found.'),
  since: leaf('date', 'When it was checked or found.'),
  uses: children(() => FileUse, 'At most 10.'),
  deliveries: leaf('integer', 'How many delivered files of upload requests have it.'),
})
export const HeldFiles = type('heldFiles', 'Held files in the order of their hashes.', {
  files: children(() => HeldFile),
})

const hashes = (doc: string) => expects(leaves('string', doc), 0, 100)
export const QuarantineDecision = type('quarantineDecision', 'What an administrator decides about held files.', {
  release: hashes(
    'Hashes of files that everybody gets again, whatever the scanner found. Not possible for damaged files.',
  ),
  remove: hashes(
    'Hashes of files to delete: assets with this content go to the trash, versions and delivered files with it are deleted.',
  ),
  reason: leaf('string', 'Why, for the audit log: 1 to 1000 characters. Needed to release a file.'),
})
export const CareOutcome = type('careOutcome', 'What happened to one of the files.', {
  sha256: leaf('string'),
  outcome: leaf(['released', 'removed', 'refused']),
  problem: leaf('string', 'Why it was refused.'),
})
export const CareOutcomes = type('careOutcomes', 'What happened to each of the files.', {
  outcomes: children(() => CareOutcome),
})

export const FileAmount = type('fileAmount', 'How many files, and how many bytes.', {
  files: leaf('long'),
  bytes: leaf('long'),
})
export const FolderAmount = type('folderAmount', 'A folder with the folders below it.', {
  path: leaf('string', 'The folder itself: files directly in it.'),
  files: leaf('long'),
  bytes: leaf('long'),
})
export const TypeAmount = type('typeAmount', 'Files of a media type.', {
  name: leaf('string'),
  files: leaf('long'),
  bytes: leaf('long'),
})
export const AgeAmount = type('ageAmount', 'Files that were added so long ago.', {
  fromMonths: leaf('integer', 'At least so many months ago, up to the next line.'),
  files: leaf('long'),
  bytes: leaf('long'),
})
export const LargeFile = type('largeFile', 'One of the largest files.', {
  tid: leaf('string'),
  path: leaf('string'),
  bytes: leaf('long'),
})
export const FileStatistics = type('fileStatistics', 'How much is stored, where, of which kind and how old.', {
  folder: leaf('string', 'Absent for all folders.'),
  total: child(() => FileAmount, 'Assets, each with its current file.'),
  versions: child(() => FileAmount, 'Earlier files of the assets.'),
  previews: child(() => FileAmount),
  renditions: child(() => FileAmount),
  trash: child(() => FileAmount, 'Assets in the trash.'),
  archived: child(() => FileAmount, 'Assets whose file is in the archive.'),
  unlinked: child(() => FileAmount, 'Assets that no product or channel has.'),
  duplicates: child(
    () => FileAmount,
    'The second and further assets with equal content. Equal content is stored once.',
  ),
  stored: child(() => FileAmount, 'Everything that is stored, equal content once. Only for all folders.'),
  folders: children(() => FolderAmount, 'At most 200, largest first.'),
  types: children(() => TypeAmount, 'At most 200, largest first.'),
  ages: children(() => AgeAmount),
  largest: children(() => LargeFile, 'At most 20.'),
})
