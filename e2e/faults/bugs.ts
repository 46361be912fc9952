/**
 * Bugs that the harness must find. Each replaces a text of a source file while the server loads it; the files themselves
 * stay as they are. `npm run test:faults -- --bugs` runs each in its scenario and prints the time to detection.
 */
import type { Patch } from './inject.ts'

interface Bug {
  readonly doc: string
  /** The scenario that finds it, within the budget of main.ts. */
  readonly scenario: string
  readonly patches: readonly Patch[]
  /** The fail points that lead to it. */
  readonly points?: readonly string[]
}
const patch = (file: string, find: string, replace: string): Patch => ({ file: `server/src/${file}`, find, replace })
const bug = (doc: string, scenario: string, ...patches: Patch[]): Bug => ({ doc, scenario, patches })
const atPoint = (doc: string, point: string, ...patches: Patch[]): Bug => ({
  ...bug(doc, 'kill-points', ...patches),
  points: [point],
})

const batch = 'core/batch/batch.ts'
const db = 'adapters/postgres/db.ts'
const disk = 'adapters/blobs/disk.ts'
const blobs = 'adapters/blobs/blobs.ts'
const storing = 'dam/storage/storing.ts'
const deliver = 'webhooks/deliver.ts'
const feed = 'search/feed/feed.ts'
const outbox = 'core/outbox/outbox.ts'
const keywords = 'common/keywords/keywords.tree.ts'
const run = 'workflow/jobs/run.ts'
const jobs = 'adapters/jobs/jobs.ts'
const sweeping = `  let sweeping = sweepSafely()\n`
const later = 'await new Promise((resolve) => setTimeout(resolve, 5))'

const closing = `        (db) => Promise.all([write(db, last), events.length > 0 ? auditBy(db, caller, ...events) : undefined]),
      )
`
const commit = `    const [{ command }] = await Promise.all([traced('commit', () => client.query('commit')), last])
`
const keepFirst = `    for (const one of staged) if (await blobs.keep(one)) replaced.add(one.sha256)
    try {
      return await transact(registerBlobs)
`
const whileOpen = `  if (process?.state === 'running' && job?.state === 'waiting') await work(process, job)
`

// prettier-ignore
export const bugs: Readonly<Record<string, Bug>> = {
  'outbox-outside-transaction': bug('history and outbox are written after the commit', 'kill-server',
    patch(batch, closing, `        (db) => Promise.all([events.length > 0 ? auditBy(db, caller, ...events) : undefined]),
      )
      ${later}
      await database.transaction((db) => write(db, last))
`)),
  'commit-not-durable': bug('commits do not wait for the log of the database', 'kill-postgres',
    patch(db, '-c timezone=UTC -c jit=off', '-c timezone=UTC -c jit=off -c synchronous_commit=off')),
  'lost-commit-is-success': bug('a connection that breaks during the commit counts as committed', 'cut-database',
    patch(db, commit, `    const [{ command }] = await Promise.all([traced('commit', () => client.query('commit')), last]).catch((error) => { if (error.severity) throw error; return [{ command: 'COMMIT' }] })
`)),
  'retry-without-key': bug('a batch is repeated after a broken connection, although it may be committed', 'cut-database',
    patch(batch, `      if (attempt === 5 || !isRace(error)) throw error`, `      if (attempt === 5 || !(isRace(error) || /terminated|ECONN|reset/.test(String(error)))) throw error`)),
  'idempotent-reply-not-stored': bug('the reply of an idempotent request is not stored', 'calm',
    patch('core/http/idempotency.ts', `  await insertReply(db, caller.userName, key, request, reply)\n`, '')),
  'tree-without-lock': bug('moves do not lock the tree', 'calm',
    patch(keywords, `  await rows.lockTree(ctx.db)\n`, '')),
  'tree-checked-before-lock': bug('the tree is read before it is locked', 'calm',
    patch(keywords, `  await rows.lockTree(ctx.db)
  return settleEdits(ctx, edits)`, `  await loadView(ctx, edits)
  const outcomes = await settleEdits(ctx, edits)
  await rows.lockTree(ctx.db)
  return outcomes`)),
  'dirs-not-locked': bug('directories are moved without locking their storage', 'calm',
    patch('dam/dirs/dirs.view.ts', `    await lockStorages(ctx.db, missing)\n`, '')),
  'checkout-without-lock': bug('check-out reads the asset without locking its row', 'calm',
    patch('dam/assets/assets.locks.ts', `findNamed(ctx, 'asset', addresses, 'update')`, `findNamed(ctx, 'asset', addresses, 'none')`)),
  'if-match-ignored': bug('If-Match is not compared', 'calm',
    patch('core/http/etag.ts', `  if (ifMatch === undefined) return\n`, `  return\n`)),
  'product-read-without-lock': bug('a product is read without locking its row', 'calm',
    patch('pim/products/products.sql.ts', "    where p.level = 0 and p.tid = any(${tids}::text[]) order by p.id for update`)", "    where p.level = 0 and p.tid = any(${tids}::text[]) order by p.id`)")),
  'session-cache-kept': bug('signing out leaves the session in the cache', 'calm',
    patch('identity/sessions/sessions.ts', `    end: async (ids) => states.forget(await sql.endSessions(db, ids)),`, `    end: async (ids) => void (await sql.endSessions(db, ids)),`),
    patch('identity/changes.ts', `    received: (message) => changed(...message.split(' ')),`, `    received: () => {},`)),
  'lost-grants-kept': bug('grants that a role has lost stay in the cache', 'calm',
    patch('identity/roles/roles.ts', `  const table = createTtlCache(load, maxAge)\n`, `  const kept = new Map<string, Permissions>()
  const table = createTtlCache(async () => {
    for (const [name, grants] of await load()) if (grants.length > 0 || !kept.has(name)) kept.set(name, grants)
    return kept
  }, maxAge)\n`)),
  'lost-roles-kept': bug('a token keeps the roles that its user has lost', 'calm',
    patch('identity/tokens/verify.ts', `    if (session.epoch !== pe) throw refused('the roles of its user have changed')\n`, '')),
  'sign-out-not-awaited': bug('signing out is answered before the session has ended', 'calm',
    patch('identity/sessions/logout.ts', `  await sessions.end([claims.sid, ...(current ? [current] : [])])
  await audit(`, `  setTimeout(() => void sessions.end([claims.sid, ...(current ? [current] : [])]).catch(() => {}), 50)
  await audit(`)),

  'file-not-synced': bug('a file is not synced before it is renamed', 'power-loss',
    patch(blobs, `    await handle.datasync()
    return digest.result()`, `    return digest.result()`)),
  'folder-not-synced': bug('the folder is not synced after the rename', 'power-loss',
    patch(disk, `      await syncFolder(dirname(target))\n    },`, `    },`)),
  'new-folder-not-synced': bug('a new folder of files is not synced into its parent', 'power-loss',
    patch(disk, `      await makeFolder(root, dirname(target))`, `      await mkdir(dirname(target), { recursive: true })`)),
  'root-not-synced': bug('the folder of all files is not synced into the data folder', 'power-loss',
    patch(disk, `at.length >= root.length`, `at.length > root.length`)),
  'chunk-not-synced': bug('a chunk is acknowledged before it is synced', 'power-loss',
    patch('adapters/blobs/disk-chunks.ts', `      await handle.datasync()
      const stored`, `      const stored`)),
  'row-before-bytes': atPoint('the row is committed before the bytes are in their place', 'after blob is stored',
    patch(storing, keepFirst, `    try {
      const done = await transact(registerBlobs)
      globalThis.failPoint('after blob is stored')
      for (const one of staged) await blobs.keep(one)
      return done
`), patch(storing, `      if (!(await blobs.has(sha256, size))) throw new Collected(sha256)\n`, '')),
  'collector-without-lock': bug('the collector does not exclude transactions that store files', 'collector',
    patch('dam/storage/blobs.sql.ts', "db.lock(sql`select pg_advisory_xact_lock_shared(${collector})`)", "db.lock(sql`select 1`)"),
    patch(storing, `      if (!(await blobs.has(sha256, size))) throw new Collected(sha256)\n`, '')),
  'short-write-accepted': bug('a partial write counts as a whole one', 'disk-full',
    patch('adapters/blobs/writing.ts', `  if (bytesWritten !== bytes.length) throw`, `  if (bytesWritten > bytes.length) throw`)),
  'sync-fault-ignored': bug('a failed sync of a file is ignored', 'disk-full',
    patch(blobs, `    await handle.datasync()
    return digest.result()`, `    await handle.datasync().catch(() => {})
    return digest.result()`)),
  'damaged-file-served': bug('a file is sent without comparing it with its hash', 'damage',
    patch(blobs, `    if (hash.digest('hex') !== sha256) throw new Corrupt(sha256)`, `    hash.digest('hex')`)),
  'chunks-dropped-early': atPoint('the chunks of an upload are removed before the file is committed', 'before chunks are dropped',
    patch('dam/assets/bin/chunked/chunked.ts', `    const done = await withStored(services, call.caller(), staged, (ctx) =>`, `    await blobs.dropChunks(upload.id)
    globalThis.failPoint('before chunks are dropped')
    const done = await withStored(services, call.caller(), staged, (ctx) =>`)),

  'bulk-job-after-commit': atPoint('the job of a bulk run is added after the commit', 'before bulk job is added',
    patch('core/batch/bulk.ts', `        await addJob(ctx.db, bulkJob, { runId })\n        return runId\n      }),\n    )\n`, `        return runId\n      }),\n    )\n    globalThis.failPoint('before bulk job is added')\n    if (first === runId) await addJob(services.database, bulkJob, { runId })\n`)),
  'bulk-progress-outside-transaction': atPoint('the progress of a bulk run is noted in a transaction of its own', 'before bulk chunk is noted',
    patch('core/batch/bulk.ts', `    await rows.settleChunk(ctx.db, runId, chunk.number, toExactJson(records), chunk.items.length)\n    return true\n  })`, `    return [chunk, records] as const\n  }).then(async (settled) => {\n    if (!settled) return false\n    globalThis.failPoint('before bulk chunk is noted')\n    await rows.settleChunk(services.database, runId, settled[0].number, toExactJson(settled[1]), settled[0].items.length)\n    return true\n  })`)),
  'import-progress-not-locked': atPoint('an import goes on where it was when the job began, without looking again', 'before import rows are noted',
    patch('transfers/imports.ts', `    const isOurs = now && (now.state === 'running' || now.state === 'validating') && now.processed === done\n`, `    const isOurs = now\n`),
    patch('transfers/imports.ts', `    if (one.number <= row.processed) continue\n`, '')),
  'dead-worker-keeps-jobs': bug('jobs of a killed worker are not released', 'kill-server',
    patch(jobs, `    await releaseDead(pool)\n`, '')),
  'queue-not-restarted': bug('the job queue is not started again after the database was away', 'kill-postgres',
    patch(jobs, `      await Promise.race([queue.ended, aborted(signal)])\n`, `      await aborted(signal)\n`)),
  'workflow-effect-outside-transaction': atPoint('the effect of a workflow job is committed before the job ends', 'before workflow job ends',
    patch(run, `type.run ? await type.run(ctx, runtime, running) : prepared`, `type.run ? await inBatch(services, ctx.caller, (own) => type.run(own, runtime, running)) : prepared`)),
  'workflow-process-not-locked': bug('parallel branches do not lock their process', 'calm',
    patch('workflow/processes/processes.sql.ts', "    from workflow_process where id = ${id} for update`)", "    from workflow_process where id = ${id}`)")),
  'workflow-job-not-looked-at-again': atPoint('a job runs without looking whether it is still open', 'after workflow job',
    patch(run, whileOpen, `  if (process && job) await work(process, job)\n`),
    patch('workflow/jobs/jobs.sql.ts', `    where j.id = \${id} and j.state = 'waiting' and p.state = 'running'\`)`, `    where j.id = \${id}\`)`)),

  'webhook-position-early': atPoint('the position of a webhook is stored before its deliveries', 'before webhook position moves',
    patch(deliver, `  const view = { db: database, source`, `  await rows.takeOver(database, hook.id, position, [])\n  const view = { db: database, source`)),
  'webhook-noted-before-sending': bug('a delivery counts as delivered before it is sent', 'cut-webhook',
    patch(deliver, `  const outcome = await postEvent(config, url, secrets, eventId, body)\n  if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) {`, `  const outcome = { ...(await postEvent(config, url, secrets, eventId, body)), status: 200 }\n  if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) {`)),
  'webhook-any-answer-is-success': bug('every answer of a receiver counts as success', 'cut-webhook',
    patch(deliver, `outcome.status >= 200 && outcome.status < 300`, `outcome.status >= 200`)),
  'webhook-order-lost': bug('later events of an object do not wait for an earlier one', 'cut-webhook',
    patch(deliver, 'Map.groupBy(due, ({ objectId }) => objectId)', 'Map.groupBy(due, ({ id }) => id)')),
  'outbox-without-horizon': bug('readers of the outbox pass transactions that still run', 'slow-database',
    patch('core/outbox/outbox.sql.ts', '${after(xid, seq)} and b.xid < h.xmin ${', '${after(xid, seq)} ${')),
  'events-in-order-of-begin': bug('events are listed in the order in which transactions began', 'slow-database',
    patch('core/outbox/history.sql.ts', `insert into outbox (object_id, data_type, event, action, user_name, fields, gone)
      select id,`, `insert into outbox (xid, object_id, data_type, event, action, user_name, fields, gone)
      select pg_current_xact_id(), id,`)),
  'search-rows-seen-early': bug('changes count as seen before the search index has taken them', 'cut-database',
    patch(outbox, `    if (fresh.length > 0 || reached !== horizon) await accept(fresh, toPosition(reached))
    for (const { seq, xid } of fresh) {
      seen.set(seq, xid)
      newest = Math.max(newest, seq)
    }
`, `    for (const { seq, xid } of fresh) {
      seen.set(seq, xid)
      newest = Math.max(newest, seq)
    }
    if (fresh.length > 0 || reached !== horizon) await accept(fresh, toPosition(reached))
`), patch(feed, `        note(waiting, changes)
        reached = position
        await takeWaiting()`, `        waiting.clear()
        note(waiting, changes)
        reached = position
        await takeWaiting()`)),
  'search-position-early': bug('the position of an index is stored before its documents', 'kill-server',
    patch(feed, `    if (ids.length > 0) await refresh(needs, ids, index, backlog.before() ?? position)
    else if (performance.now() - movedAt > moveEvery) {`, `    if (ids.length > 0) setTimeout(() => void refresh(needs, ids, index, index.appliedPosition()).catch(() => {}), 1500)
    {`), patch(feed, `    backlog.start()\n`, `    await index.seal()\n    backlog.start()\n`)),
  'backup-without-snapshot': bug('a backup reads each table at another moment', 'backup',
    patch('backup/tables.sql.ts', `isolation level repeatable read, read only`, `isolation level read committed, read only`)),
  'search-keeps-deleted': bug('deleted products stay in the search index', 'calm',
    patch(feed, `remove: some.filter((id) => !there.has(id))`, `remove: []`)),
  'mail-failure-is-success': bug('a mail that could not be sent counts as sent', 'cut-mail',
    patch('adapters/mail/mail.ts', `pool: false })\n`, `pool: false })
  const sendMail = transport.sendMail.bind(transport)
  transport.sendMail = (mail) => sendMail(mail).catch(() => {})
`)),
  'checkouts-released-at-start': bug('the start of a server releases what is checked out', 'kill-server',
    patch(jobs, sweeping, `  await pool.query('update dam_entry set locked_by = null, locked_at = null').catch(() => {})\n${sweeping}`)),
  'uploads-forgotten-at-start': bug('the start of a server forgets uploads that are not finished', 'kill-server',
    patch(jobs, sweeping, `  await pool.query('delete from upload').catch(() => {})\n${sweeping}`)),
  'chunks-kept': bug('the chunks of a finished upload stay, and the collector does not know them', 'calm',
    patch('dam/assets/bin/chunked/chunked.ts', `    await blobs.dropChunks(upload.id)\n    if (previewsNow`, `    if (previewsNow`),
    patch('dam/storage/collect.ts', `    uploads: await collectUploads(database, blobs, before),`, `    uploads: 0,`),
    patch('dam/storage/collect.ts', `async function collectUploads(`, `export async function collectUploads(`)),
  'search-without-rights': bug('searches find what the caller may not see, in the index and among its documents', 'calm',
    patch('search/query/rights.ts', `  return both([...source.kinds.map((kind) => where(kind, filterOf(permissions, kind).any)), audience])`, `  return source.kinds.length === 0 ? nothing : both([audience, permissions ? everything : nothing])`),
    patch('search/query/rights.ts', `  return (scopes) =>\n    tops.every(`, `  return (scopes) =>\n    tops.length > 0 || tops.every(`)),
  's3-failure-ignored': bug('a file that S3 has not taken counts as stored', 'cut-files',
    patch('adapters/blobs/s3.ts', `Body, ContentLength: size }))\n        } finally`, `Body, ContentLength: size })).catch(() => {})\n        } finally`)),
  'spawn-failure-unhandled': bug('a preview process that cannot be started ends the server', 'descriptors',
    patch('dam/assets/previews/pool.ts', `    child.on('error', () => {}).once('exit',`, `    child.once('exit',`)),
  'broken-queue-kept': bug('a job queue that is broken is not replaced', 'kill-postgres',
    patch(jobs, `    ended: Promise.race([runner.promise, ranOut()]),`, `    ended: new Promise(() => {}),`)),
  'full-disk-is-an-error': bug('a full disk of PostgreSQL is answered with 500', 'postgres-full',
    patch('adapters/postgres/lost.ts', `    ['08', '53'].includes(`, `    ['08'].includes(`)),
  'version-compared-before-lock': bug('two clients that send one version both succeed', 'races',
    patch('pim/products/products.sql.ts', "    where p.level = 0 and p.tid = any(${tids}::text[]) order by p.id for update`)", "    where p.level = 0 and p.tid = any(${tids}::text[]) order by p.id`)")),
  'keys-fetched-each-time': bug('tokens are refused while the identity provider is away', 'cut-identity',
    patch('identity/provider/external-keys.ts', `cacheMaxAge: Infinity`, `cacheMaxAge: 0`)),
}

/** The areas in which clients work to find a bug: one busy area finds it sooner than all of them. */
const areas: readonly (readonly [RegExp, ...string[]])[] = [
  [/^(file|folder|new-folder|root|chunk|row|collector|short|sync|damaged|uploads|s3)/, 'files'],
  [/^(lost-(grants|roles)|search-without)/, 'rights'],
  [/^outbox-without/, 'products', 'files'],
  [/^(if-match|product|webhook|search|events|version|full)/, 'products'],
  [/^(outbox-outside|retry|idempotent)/, 'batches'],
  [/^tree/, 'trees'],
  [/^dirs/, 'folders'],
  [/^mail/, 'mails'],
  [/^keys/, 'tokens'],
  [/^checkout/, 'checkout'],
  [/^s(ession|ign-out)/, 'sessions'],
  [/^bulk/, 'bulk'],
  [/^import/, 'imports'],
  [/^(workflow|queue|dead|broken)/, 'workflow'],
  [/^spawn/, 'pictures'],
]

/** All areas (undefined) without a bug. */
export const areasOf = (bug: string | undefined) =>
  bug === undefined
    ? undefined
    : areas
        .find(([pattern]) => pattern.test(bug))
        ?.slice(1)
        .map(String)
