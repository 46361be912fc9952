import { once } from 'node:events'
import { connect as dial, createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { batchingSocket } from './batching-socket.ts'
import { connect, type Database, type Db } from './db.ts'
import { join, sql } from './sql.ts'

let source: TestDatabase
let database: Database
const sent: string[] = []
beforeAll(async () => {
  source = await createDatabase()
  database = connect(source.poolConfig, (text, effect) => sent.push(`${effect}: ${text}`))
  await database.run(sql`create table note (id int primary key, body text)`)
})
afterAll(async () => {
  await database.close()
  await source.drop()
})
beforeEach(async () => {
  await database.run(sql`truncate note`)
})

const add = (db: Db, id: number) => db.run(sql`insert into note (id) values (${id})`)
const ids = async () => (await database.rows<{ id: number }>(sql`select id from note order by id`)).map(({ id }) => id)
const fail = async () => {
  throw new Error('no')
}

describe('a statement', () => {
  test('returns rows, one row or none, and the number of affected rows', async () => {
    expect(await add(database, 1)).toBe(1)
    expect(await database.rows(sql`select id, body from note`)).toEqual([{ id: 1, body: null }])
    expect(await database.row(sql`select id from note where id = ${2}`)).toBeUndefined()
    expect(await database.run(sql`update note set body = ${'x'}`)).toBe(1)
  })

  test('reads numbers, dates and JSON as they are', async () => {
    const row = await database.row(sql`
      select count(*) as count, 9007199254740993 as large, array[1, 9007199254740993, null]::int8[] as several,
        date '2024-02-29' as day, timestamptz '2024-02-29T12:00:00+02' as moment, '{"a": [1]}'::jsonb as json from note`)
    expect(row).toEqual({
      count: 0,
      large: 9007199254740993n,
      several: [1, 9007199254740993n, null],
      day: '2024-02-29',
      moment: new Date('2024-02-29T10:00:00Z'),
      json: { a: [1] },
    })
  })

  test('is prepared once and then used again, but not a batch', async () => {
    const single = connect({ ...source.poolConfig, max: 1 })
    await add(single, 1)
    await add(single, 2)
    await single.run(sql`insert into note (id) values ${join(Array.from({ length: 40 }, (_, i) => sql`(${i + 3})`))}`)
    const prepared = sql`
      select generic_plans + custom_plans as uses from pg_prepared_statements where statement like 'insert into note%'`
    expect(await single.rows(prepared)).toEqual([{ uses: 2 }])
    await single.close()
  })

  test('is reported to onStatement with its effect', async () => {
    sent.length = 0
    await database.transaction((db) => add(db, 1))
    expect(sent).toEqual(['write: insert into note (id) values ($1)'])
  })

  test('has the same limits and time zone on every server', async () => {
    const settings = await database.rows(sql`
      select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone', 'jit')
      order by name collate "C"`)
    expect(settings).toEqual([
      { name: 'TimeZone', setting: 'UTC' },
      { name: 'idle_in_transaction_session_timeout', setting: '30000' },
      { name: 'jit', setting: 'off' },
      { name: 'lock_timeout', setting: '5000' },
      { name: 'statement_timeout', setting: '30000' },
    ])
  })

  test('is planned for its parameters each time; in a separate pool, once', async () => {
    const uses = async (db: Database) => {
      for (let i = 0; i < 3; i++) await db.run(sql`select body from note where id = ${i}`)
      return db.row(sql`
        select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
        where statement like 'select body from note%'`)
    }
    const each = connect({ ...source.poolConfig, max: 1 })
    const separate = each.separatePool(1)
    expect(await uses(each)).toEqual({ generic: 0, custom: 3 })
    expect(await uses(separate)).toEqual({ generic: 3, custom: 0 })
    const plan = await separate.rows<{ 'QUERY PLAN': string }>(sql`explain select body from note where id = ${1}`)
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('note_pkey')
    await separate.close()
    await each.close()
  })

  test('that takes too long is cancelled', async () => {
    const hasty = connect({ ...source.poolConfig, statement_timeout: 50 })
    await expect(hasty.run(sql`select pg_sleep(5)`)).rejects.toThrow('statement timeout')
    await hasty.close()
  })

  test('waits for a free connection, up to a timeout', async () => {
    const narrow = connect({ ...source.poolConfig, max: 1, connectionTimeoutMillis: 100 })
    await narrow.transaction(async () => {
      await expect(narrow.rows(sql`select 1`)).rejects.toThrow('timeout')
    })
    expect(await narrow.rows(sql`select 1 as one`)).toEqual([{ one: 1 }])
    await narrow.close()
  })
})

describe('a transaction', () => {
  test('keeps everything, or nothing after an error', async () => {
    expect(await database.transaction(async (db) => [await add(db, 1), await add(db, 2)])).toEqual([1, 1])
    await expect(
      database.transaction(async (db) => {
        await add(db, 3)
        await fail()
      }),
    ).rejects.toThrow('no')
    expect(await ids()).toEqual([1, 2])
  })

  test('inside another is rolled back alone', async () => {
    await database.transaction(async (db) => {
      await add(db, 1)
      await expect(db.transaction((inner) => add(inner, 1))).rejects.toThrow('duplicate key')
      await db.transaction(async (inner) => {
        await add(inner, 2)
        await expect(inner.transaction((innermost) => add(innermost, 3).then(fail))).rejects.toThrow('no')
        await inner.transaction((innermost) => add(innermost, 4))
      })
      await add(db, 5)
    })
    expect(await ids()).toEqual([1, 2, 4, 5])
  })

  test('inside another is rolled back with it', async () => {
    const work = async (db: Db) => {
      await db.transaction((inner) => add(inner, 1))
      await fail()
    }
    await expect(database.transaction(work)).rejects.toThrow('no')
    expect(await ids()).toEqual([])
  })

  test('that ignored a failed statement does not appear to succeed', async () => {
    await add(database, 1)
    const careless = async (db: Db) => {
      await add(db, 2)
      await add(db, 1).catch(() => {})
    }
    await expect(database.transaction(careless)).rejects.toThrow('nothing was kept')
    await database.transaction(async (db) => {
      await expect(db.transaction(careless)).rejects.toThrow('nothing was kept')
      await add(db, 3)
    })
    expect(await ids()).toEqual([1, 3])
  })

  test('names the cause also for statements that were sent after the failed one', async () => {
    await add(database, 1)
    const codes: unknown[] = []
    const note = ({ code }: { code?: string }) => void codes.push(code)
    const work = (db: Db) => Promise.all([add(db, 1).catch(note), add(db, 2).catch(note)])
    await expect(database.transaction(work)).rejects.toThrow('nothing was kept')
    await expect(database.transaction((db) => db.transaction(work))).rejects.toThrow('nothing was kept')
    expect(codes).toEqual(['23505', '23505', '23505', '23505'])
  })

  test('sends its last statements together with the commit, and fails with them', async () => {
    const closing = (db: Db) => Promise.all([add(db, 2), add(db, 3)])
    await database.transaction((db) => add(db, 1), closing)
    expect(await ids()).toEqual([1, 2, 3])
    await expect(database.transaction((db) => add(db, 4), closing)).rejects.toThrow('duplicate key')
    expect(await ids()).toEqual([1, 2, 3])
  })

  test('runs statements in the order in which they were sent', async () => {
    const countNotes = sql`select count(*)::int as n from note`
    const counts = await database.transaction((db) =>
      Promise.all([db.row(countNotes), add(db, 1), db.row(countNotes), add(db, 2)]),
    )
    expect(counts).toEqual([{ n: 0 }, 1, { n: 1 }, 1])
  })

  test('is sent with few writes, however many statements it has', async () => {
    let writes = 0
    const countWrites = () => {
      const socket = batchingSocket()
      const { _writev, _write } = socket
      socket._writev = (...args) => (writes++, _writev!.apply(socket, args))
      socket._write = (...args) => (writes++, _write.apply(socket, args))
      return socket
    }
    const single = connect({ ...source.poolConfig, max: 1, stream: countWrites })
    await single.transaction(async (db) => void (await add(db, 1)))
    writes = 0
    const reading = (db: Db) => Promise.all([db.row(sql`select 1`), db.row(sql`select 2`)])
    await single.transaction(
      async (db) => {
        await reading(db)
        await db.transaction((inner) => add(inner, 2))
      },
      (db) => add(db, 3),
    )
    expect(writes).toBe(3)
    await single.close()
  })

  test('that has ended rejects further statements', async () => {
    let leaked: Db | undefined
    await database.transaction(async (db) => void (leaked = db))
    await expect(leaked!.rows(sql`select 1`)).rejects.toThrow('the transaction has ended')
    await expect(leaked!.transaction(async () => {})).rejects.toThrow('the transaction has ended')
  })

  test('leaves nothing of a statement that was not awaited when it failed', async () => {
    const careless = async (db: Db) => {
      late.push(expect(add(db, late.length)).rejects.toThrow('the transaction has ended'))
      await fail()
    }
    const late: Promise<void>[] = []
    await expect(database.transaction(careless)).rejects.toThrow('no')
    await database.transaction((db) => expect(db.transaction(careless)).rejects.toThrow('no'))
    await Promise.all(late)
    expect(late).toHaveLength(2)
    expect(await ids()).toEqual([])
  })

  test('that has ended also ends inner ones that were not awaited', async () => {
    const single = connect({ ...source.poolConfig, max: 1 })
    const goOn = Promise.withResolvers<void>()
    let inner: Promise<unknown> | undefined
    await expect(
      single.transaction((db) => {
        inner = db.transaction((inside) => goOn.promise.then(() => add(inside, 1)))
        return fail()
      }),
    ).rejects.toThrow('no')
    await single.transaction(async (db) => {
      await add(db, 2)
      goOn.resolve()
      await expect(inner).rejects.toThrow('the transaction has ended')
      await add(db, 3)
    })
    expect(await ids()).toEqual([2, 3])
    await single.close()
  })

  test('keeps a statement that was sent before an inner one, although that is rolled back', async () => {
    await database.transaction((db) => {
      const first = add(db, 1)
      const inner = db.transaction((inside) => add(inside, 2).then(fail))
      return Promise.all([first, expect(inner).rejects.toThrow('no')])
    })
    expect(await ids()).toEqual([1])
  })

  test('holds no locks of inner ones that were rolled back', async () => {
    const { locks } = await database.transaction(async (db) => {
      for (let i = 0; i < 50; i++) await expect(db.transaction((inner) => add(inner, i).then(fail))).rejects.toThrow()
      await add(db, 1)
      return (await db.row<{ locks: number }>(sql`
        select count(*)::int as locks from pg_locks where pid = pg_backend_pid() and locktype = 'transactionid'`))!
    })
    expect(locks).toBe(1)
  })

  test('allows one inner transaction at a time', async () => {
    await database.transaction(async (db) => {
      const both = await Promise.allSettled([db.transaction((a) => add(a, 1)), db.transaction((b) => add(b, 2))])
      expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
      await db.transaction((c) => add(c, 3))
    })
    expect(await ids()).toEqual([1, 3])
  })

  test('whose constraint fails at the commit throws, and the connection stays usable', async () => {
    const single = connect({ ...source.poolConfig, max: 1 })
    await single.run(sql`create table strict (id int unique deferrable initially deferred)`)
    await expect(single.transaction((db) => db.run(sql`insert into strict values (1), (1)`))).rejects.toThrow(
      'duplicate',
    )
    expect(await single.rows(sql`select id from strict`)).toEqual([])
    await single.close()
  })

  test('on a connection that breaks fails; the pool stays usable', async () => {
    const broken = database.transaction(async (db) => {
      const { pid } = (await db.row<{ pid: number }>(sql`select pg_backend_pid() as pid`))!
      await database.run(sql`select pg_terminate_backend(${pid})`)
      await pause(50)
      await db.transaction((inner) => add(inner, 1))
    })
    await expect(broken).rejects.toThrow()
    await database.transaction((db) => add(db, 2))
    expect(await ids()).toEqual([2])
  })

  test('whose commit gets no reply throws, although it was committed', async () => {
    const { host, port, user, password, database: name } = new Client(source.poolConfig)
    const cutter = createServer((client) => {
      const server = dial(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
      client.on('data', (bytes) => {
        server.write(bytes)
        if (bytes.includes('commit')) server.off('data', reply).once('data', () => client.destroy())
      })
      const reply = (bytes: Buffer) => client.write(bytes)
      server.on('data', reply)
      client.on('close', () => server.destroy())
    }).listen(0, '127.0.0.1')
    await once(cutter, 'listening')
    const unlucky = connect({
      host: '127.0.0.1',
      port: (cutter.address() as AddressInfo).port,
      user,
      password: password ?? undefined,
      database: name,
    })
    await expect(unlucky.transaction((db) => add(db, 1))).rejects.toThrow('Connection terminated')
    await unlucky.close()
    cutter.close()
    expect(await ids()).toEqual([1])
  })
})

test('lists arrive unchanged, whatever characters they contain', async () => {
  const texts = ['', 'NULL', 'a,b', '{}', '"', '\\', '\\"', "'", ' ', 'ä😀', '\n', null]
  const longs = [1, -2, 2 ** 53 - 1, 2n ** 62n, null]
  const row = await database.row<{ texts: unknown; longs: unknown; none: unknown }>(
    sql`select ${texts}::text[] as texts, ${longs}::bigint[] as longs, ${[]}::text[] as none`,
  )
  expect(row).toEqual({ texts, longs, none: [] })
  expect(
    await database.row(sql`select ${[new Date(0)]}::timestamptz[] as dates, ${[true]}::boolean[] as flags`),
  ).toEqual({
    dates: [new Date(0)],
    flags: [true],
  })
})

test('the settings for another process are plain data, with everything that the driver found out', async () => {
  const { host, port, database: name, user } = await database.connection()
  expect(Object.values({ host, port, name, user })).not.toContain(undefined)
  const other = connect(structuredClone({ ...(await database.connection()), max: 1 }))
  const whose = sql`select current_database() || ' ' || current_user as place`
  expect(await other.row(whose)).toEqual(await database.row(whose))
  await other.close()
})
