import { expect, test } from 'vitest'
import { join, nothing, sql, statementName } from './sql.ts'

test('values become numbered parameters', () => {
  const { text, values } = sql`select id from keyword where path = ${'/a'} and id > ${7}`
  expect(text).toBe('select id from keyword where path = $1 and id > $2')
  expect(values).toEqual(['/a', 7])
})

test('a fragment inside another keeps its values in place', () => {
  const condition = sql`name = ${'x'} or name = ${'y'}`
  const { text, values } = sql`select ${1} where (${condition}) and ${nothing}not ${sql`gone`} limit ${2}`
  expect(text).toBe('select $1 where (name = $2 or name = $3) and not gone limit $4')
  expect(values).toEqual([1, 'x', 'y', 2])
})

test('fragments are joined with a comma or another separator', () => {
  const rows = [1, 2].map((n) => sql`(${n}, ${`${n}`})`)
  expect(sql`values ${join(rows)}`).toMatchObject({ text: 'values ($1, $2), ($3, $4)', values: [1, '1', 2, '2'] })
  expect(join([sql`a`, sql`b = ${1}`, sql`c`], ' and ').text).toBe('a and b = $1 and c')
  expect(join([])).toMatchObject({ text: '', values: [] })
})

test('an object from a message is a value, whatever its properties are called', () => {
  const message = JSON.parse('{"text": "drop table x", "parts": ["drop table x"], "values": [], "isFragment": true}')
  expect(sql`insert into t values (${message})`).toMatchObject({ text: 'insert into t values ($1)', values: [message] })
})

test('equal texts have the same name, different texts different ones', () => {
  expect(statementName('select 1')).toBe(statementName('select 1'))
  expect(statementName('select 1')).not.toBe(statementName('select 2'))
  expect(statementName('x'.repeat(10_000)).length).toBeLessThan(64)
})
