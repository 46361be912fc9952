import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../../test/database.ts'
import { columns, type Row } from './columns.ts'
import { connect, type Database } from './db.ts'
import { sql } from './sql.ts'

const keyword = columns('keyword', 'id', 'parent_id', 'name', 'meta')

interface KeywordRow extends Row<typeof keyword> {
  meta: string[]
}

describe('the columns of a table', () => {
  test('become the lists of its statements', () => {
    expect(keyword.names.text).toBe('id, parent_id, name, meta')
    expect(keyword.of('k').text).toBe('k.id, k.parent_id, k.name, k.meta')
    expect(keyword.select('k').text).toBe('k.id, k.parent_id as "parentId", k.name, k.meta')
    expect(keyword.select().text).toBe('id, parent_id as "parentId", name, meta')
    expect(keyword.fields('n').text).toBe('n.id, n."parentId", n.name, n.meta')
    expect(keyword.without('id', 'meta').set('n').text).toBe('parent_id = n."parentId", name = n.name')
  })

  test('must exist in the schema', () => {
    // @ts-expect-error keyword has no such column: a renamed column does not compile
    expect(() => columns('keyword', 'id', 'renamed')).toThrow()
    // @ts-expect-error a number is not narrowed to a text: a changed type does not compile
    interface Wrong extends Row<typeof keyword> {
      id: string
    }
    expect<Wrong | undefined>(undefined).toBeUndefined()
  })
})

describe('rows', () => {
  let source: TestDatabase
  let database: Database
  beforeAll(async () => {
    source = await createDatabase()
    database = connect(source.poolConfig)
  })
  afterAll(async () => {
    await database.close()
    await source.drop()
  })

  const rows: KeywordRow[] = [
    { id: 1, parentId: null, name: 'Sea', meta: [] },
    { id: 2, parentId: 1, name: 'Ship, "fast" \\ ä', meta: ['a\nb', "'"] },
  ]

  test.each(['recordset', 'lines'] as const)('arrive as they are: %s', async (way) => {
    const found = await database.rows(sql`select ${keyword.fields('n')} from ${keyword[way](rows, 'n')} order by id`)
    expect(found).toEqual(rows)
  })

  test('may have fields that are not columns', async () => {
    const moved = rows.map((row) => ({ ...row, oldName: 'Old' }))
    const found = await database.rows(sql`
      select n."oldName" from ${keyword.recordset(moved, 'n', sql`"oldName" text`)}`)
    expect(found).toEqual([{ oldName: 'Old' }, { oldName: 'Old' }])
  })
})
