/** Feeds: exports and imports that run by a schedule. A Kontor extension, JSON only. */
import { atMost, child, children, leaf, leaves, required, safe, type } from './describe.ts'
import { ExportRequest, transferEncodings } from './transfer.ts'

export const feedDirections = ['export', 'import'] as const
export const feedPlaceKinds = ['download', 'folder', 's3', 'sftp', 'https', 'mail'] as const
export const feedRunStates = ['running', 'held', 'finished', 'failed', 'discarded'] as const
const feedMethods = ['PUT', 'POST'] as const

export const FeedSchedule = type('feedSchedule', 'The times at which a feed runs.', {
  cron: required(
    leaf(
      'string',
      'Minute, hour, day of the month, month and day of the week: 0 6 * * 1-5 is 06:00 from Monday to Friday.',
    ),
  ),
  timeZone: leaf('string', 'An IANA time zone such as Europe/Berlin. Default UTC.'),
})

export const FeedImport = type('feedImport', 'How an import feed reads the files that it finds.', {
  profile: leaf('string', 'A mapping profile for tables.'),
  encoding: leaf(transferEncodings, 'For CSV: the encoding of the files. Default: that of the profile, or detected.'),
  pattern: leaf('string', 'Only files with such a name. * matches any part: prices-*.csv. Default: all known formats.'),
  quietSeconds: leaf(
    'integer',
    'A file is read when it has not changed for this long, from 0 to 3600, because it may still be arriving. Default 10.',
  ),
})

const secretDoc =
  'Stored encrypted, and never returned. If it is left out, the stored one is kept, for the same server.'
export const FeedPlace = type(
  'feedPlace',
  'Where an export feed delivers its file, or where an import feed looks for files. Each kind has its own fields.',
  {
    kind: required(
      leaf(
        feedPlaceKinds,
        'download: an address with a secret token. folder: on the server, for administrators. mail: for administrators. An import feed has folder, s3 or sftp.',
      ),
    ),
    path: leaf('string', 'folder: an absolute path below one of KONTOR_FEED_FOLDERS. s3, sftp: the folder there.'),
    url: leaf('string', 'https: the address. A redirect is not followed.'),
    method: leaf(feedMethods, 'https: default PUT.'),
    authorization: leaf('string', `https: the Authorization header, such as Bearer and a token. ${secretDoc}`),
    bucket: leaf('string', 's3: the bucket.'),
    endpoint: leaf('string', 's3: the address of a server that is not AWS.'),
    region: leaf('string', 's3: default us-east-1.'),
    accessKey: leaf('string', 's3: the id of the access key.'),
    secretKey: leaf('string', `s3: the secret access key. ${secretDoc}`),
    host: leaf('string', 'sftp: the name of the server.'),
    port: leaf('integer', 'sftp: default 22.'),
    user: leaf('string', 'sftp: the user name.'),
    password: leaf('string', `sftp: the password. ${secretDoc}`),
    privateKey: leaf('string', `sftp: a private key in OpenSSH or PEM format, instead of a password. ${secretDoc}`),
    hostKey: leaf(
      'string',
      'sftp: the fingerprint of the key of the server, as ssh-keygen -l shows it: SHA256:…. Default: that of the first connection. Another one is refused afterwards.',
    ),
    to: atMost(50, leaves('string', 'mail: the addresses of the recipients.')),
    subject: leaf('string', 'mail: default the name of the feed.'),
    secrets: leaves('string', 'In replies: the names of the secrets that are stored.'),
  },
)

export const FeedRun = type('feedRun', 'A run of a feed. A run of an import feed is about one file.', {
  id: safe(leaf('long')),
  state: leaf(
    feedRunStates,
    'running: also while a failed attempt waits for the next one. held: it waits for a person, who releases or discards it.',
  ),
  dueAt: leaf('date', 'For a run by the schedule: its time.'),
  startedBy: leaf('string', 'For a run by hand: the user.'),
  transfer: leaf('string', 'The id of the export or import.'),
  file: leaf('string', 'File name.'),
  items: leaf('long', 'For exports: all products of the feed. For imports: rows.'),
  previousItems: leaf('long', 'For exports: the products at the last finished run.'),
  changed: leaf('long', 'For an export of a series: the products and deletions in the file.'),
  refused: leaf('long', 'For imports: refused rows.'),
  size: leaf('long', 'Size of the file in bytes.'),
  attempts: leaf('integer', 'Failed attempts so far.'),
  nextAttemptAt: leaf('date'),
  problem: leaf('string', 'The reason why it failed, waits or is held.'),
  decidedBy: leaf('string', 'The user who released or discarded it.'),
  createdAt: leaf('date'),
  endedAt: leaf('date'),
})
export const FeedRunList = type('feedRunList', 'Runs, newest first.', { runs: children(() => FeedRun) })

export const Feed = type('feed', 'An export or import that runs by a schedule, with the rights of its owner.', {
  name: leaf('string'),
  description: leaf('string'),
  direction: required(leaf(feedDirections)),
  enabled: leaf('boolean', 'Whether it runs by its schedule. Default true.'),
  schedule: child(() => FeedSchedule, 'Default: it runs by hand only.'),
  export: child(() => ExportRequest, 'For an export feed: the products, and the format.'),
  import: child(() => FeedImport, 'For an import feed.'),
  fileName: leaf(
    'string',
    'For an export feed: the name of the file. {date}, {time} and {run} are replaced, such as products-{date}.csv. Default: the name of the feed, with {run} for a series.',
  ),
  place: required(child(() => FeedPlace)),
  maxShrink: leaf(
    'integer',
    'A run with this percentage fewer products than the last one is held, from 1 to 100; for an import feed, a file with fewer rows. Default: none is held.',
  ),
  owner: leaf('string', 'In replies: the user with whose rights it runs.'),
  problem: leaf('string', 'In replies: why it was paused.'),
  hasAddress: leaf('boolean', 'In replies: whether a download address exists.'),
  nextRunAt: leaf('date', 'In replies.'),
  lastRun: child(() => FeedRun, 'In replies.'),
  modifiedAt: leaf('date', 'In replies.'),
  modifiedBy: leaf('string', 'In replies.'),
})
export const FeedList = type('feedList', 'Feeds by name.', { feeds: children(() => Feed) })

export const FeedAddress = type('feedAddress', 'A download address, shown only in this reply.', { url: leaf('string') })
