/** Fail points: named lines of the server at which the process can be killed. inject.ts adds them. */
export interface Point {
  readonly file: string
  /** Occurs exactly once in the file; the point is before it, or after it. */
  readonly find: string
  readonly after?: boolean
  /** The area whose clients reach it soonest. */
  readonly area?: string
  /** A command of `kontor` that reaches it. */
  readonly command?: readonly string[]
  /** Reached only with files in a folder, with files in S3, or by a start on an old schema (migrations.test.ts). */
  readonly only?: 'disk' | 's3' | 'start'
}

const db = 'server/src/adapters/postgres/db.ts'
const batch = 'server/src/core/batch/batch.ts'
const storing = 'server/src/dam/storage/storing.ts'
const disk = 'server/src/adapters/blobs/disk.ts'
const chunked = 'server/src/dam/assets/bin/chunked/chunked.ts'
const deliver = 'server/src/webhooks/deliver.ts'
const bulk = 'server/src/core/batch/bulk.ts'
const imports = 'server/src/transfers/imports.ts'
const jobs = 'server/src/workflow/jobs/run.ts'
const feed = 'server/src/search/feed/feed.ts'
const idempotency = 'server/src/core/http/idempotency.ts'
const previews = 'server/src/dam/assets/previews/previews.ts'
const grants = 'server/src/identity/provider/grants.ts'
const sessions = 'server/src/identity/sessions'
const exports = 'server/src/transfers/exports.ts'
const indexFiles = 'search-engine/src/store/atomic-file.ts'
const collector = 'server/src/dam/storage/collect.ts'
const migrations = 'server/src/adapters/postgres/migrate.ts'
const s3 = 'server/src/adapters/blobs/s3.ts'
const manifest = 'server/src/backup/manifest.ts'
const feeds = 'server/src/feeds/export-steps.ts'
const archive = 'server/src/dam/care/archive.ts'

export const points: Readonly<Record<string, Point>> = {
  'before commit': { area: 'products', file: db, find: `    const last = closing?.(db)\n` },
  'after commit': { area: 'batches', file: batch, find: `      if (rows.length > 0) committed?.(rows)\n` },
  'before blob rename': { area: 'files', only: 'disk', file: disk, find: `      await rename(file, target)\n` },
  'after blob rename': {
    area: 'files',
    only: 'disk',
    file: disk,
    find: `      await rename(file, target)\n`,
    after: true,
  },
  'before blob is registered': { area: 'files', file: storing, find: `    await blockCollector(db)\n` },
  'after blob is stored': {
    area: 'files',
    file: storing,
    find: `    for (const one of staged) if (await blobs.keep(one)) replaced.add(one.sha256)\n`,
    after: true,
  },
  'before chunk is registered': { area: 'files', file: chunked, find: `  const done = await rows.insertChunk(` },
  'before chunks are dropped': {
    area: 'files',
    file: chunked,
    find: `    await blobs.dropChunks(upload.id)\n    if (previewsNow`,
  },
  'before bulk run is released': {
    area: 'bulk',
    file: bulk,
    find: `        await rows.releaseRun(ctx.db, runId, verb, total)\n`,
  },
  'before bulk job is added': { area: 'bulk', file: bulk, find: `        await addJob(ctx.db, bulkJob, { runId })\n` },
  'before bulk chunk is noted': { area: 'bulk', file: bulk, find: `    await rows.settleChunk(ctx.db, runId,` },
  'before import rows are noted': { area: 'imports', file: imports, find: `    await rows.noteOutcomes(ctx.db, id, {` },
  'before workflow job ends': {
    area: 'workflow',
    file: jobs,
    find: `        await rows.endJob(ctx.db, jobId, 'done')\n`,
  },
  'after workflow job': {
    area: 'workflow',
    file: jobs,
    find: `  } catch (error) {\n    if (isOurs(error)) throw error\n`,
  },
  'before webhook position moves': {
    area: 'products',
    file: deliver,
    find: `  await rows.takeOver(database, hook.id, position, deliveries)\n`,
  },
  'before webhook is sent': {
    area: 'products',
    file: deliver,
    find: `  const secrets = hook.secrets.map((secret) => parts.open(secret))\n`,
  },
  'before webhook outcome is noted': { area: 'products', file: deliver, find: `  await rows.noteAttempts(\n` },
  'before documents are applied': {
    area: 'products',
    file: feed,
    find: `    const isLast = at + portion >= ids.length\n`,
  },
  'after documents are applied': { area: 'products', file: feed, find: `    backlog.start()\n` },
  'before idempotent reply is stored': { area: 'batches', file: idempotency, find: `  await insertReply(db, caller` },
  'before previews are stored': {
    area: 'pictures',
    file: previews,
    find: `  await insertPreviews(db, id, source, staged)\n  const {`,
  },
  'after previews are stored': {
    area: 'pictures',
    file: previews,
    find: `  const changes = { importStatus: { to: status }, ...valueChanges(vals, mapped) }\n`,
  },
  'before tokens are issued': { area: 'sessions', file: grants, find: `        ctx.body = await (type === 'client` },
  'before tokens are audited': {
    area: 'sessions',
    file: grants,
    find: `        await services.writeAudit({\n          ...from(ctx),\n          ...about(issue),\n`,
  },
  'after token is exchanged': {
    area: 'sessions',
    file: `${sessions}/sessions.ts`,
    find: `      if (session) return { session, scope, chain,`,
  },
  'before session ends': { area: 'sessions', file: `${sessions}/logout.ts`, find: `  await sessions.end([claims.sid,` },
  'before export ends': { area: 'exports', file: exports, find: `    await rows.setState(db, id, 'finished')\n` },
  'before change outcomes are noted': {
    area: 'changes',
    file: 'server/src/changes/run.ts',
    find: `      await rows.noteOutcomes(ctx.db, id, outcomes,`,
  },
  'before rule run commits': {
    area: 'rules',
    file: 'server/src/rules/runs.ts',
    find: `  const { schedule } = rule.definition\n`,
  },
  'before feed is delivered': { area: 'feeds', file: feeds, find: `    if (target)\n      await withCopy(` },
  'after feed is delivered': { area: 'feeds', file: feeds, find: `  if (place.kind === 'download') await feeds` },
  'before file is archived': {
    area: 'archive',
    file: archive,
    find: `    if (await rows.markArchived(db, sha256)) await`,
  },
  'before file leaves the main store': {
    area: 'archive',
    file: archive,
    find: `    if ((await tryCollecting(db)) && (await rows.isArchived(`,
  },
  'before file is back from the archive': {
    area: 'archive',
    file: archive,
    find: `        await makeAvailable(db, sha256)\n`,
  },
  'before index file is renamed': {
    area: 'products',
    file: indexFiles,
    find: `  await rename(temporary, join(folder, name))\n`,
  },
  'after index file is renamed': {
    area: 'products',
    file: indexFiles,
    find: `  await rename(temporary, join(folder, name))\n`,
    after: true,
  },
  'before chunks are collected': {
    file: collector,
    find: `  const found = await blobs.uploads()\n`,
    command: ['files', 'collect'],
  },
  'before backup is complete': {
    file: manifest,
    find: `  await rename(fresh, nameOf(folder))\n`,
    command: ['backup'],
  },
  'before object is put': {
    area: 'files',
    only: 's3',
    file: s3,
    find: `          const Body = await handle.readFile()\n`,
  },
  'after object is put': { area: 'files', only: 's3', file: s3, find: `      await rm(file, { force: true })\n` },
  'before migration commits': { only: 'start', file: migrations, find: `  await client.query('commit')\n` },
  'after migration commits': { only: 'start', file: migrations, find: `  await client.query('commit')\n`, after: true },
}

/** The points that a server reaches while clients work. With files in S3, those of files. */
export const pointsOf = (isS3: boolean): string[] =>
  Object.keys(points).filter((name) => {
    const { only, area } = points[name]!
    return isS3 ? area === 'files' && (only ?? 's3') === 's3' : (only ?? 'disk') === 'disk'
  })
