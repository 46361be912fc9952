/**
 * Old and new versions run side by side during an upgrade, so a migration must not break the statements of the version
 * before it. docs/scaling.md explains how to change the schema in two steps.
 */
import { describe, expect, test } from 'vitest'
import { contractedBy, readMigrations } from './migrate.ts'

/** Migrations up to this one are older than the rule. */
const lastBeforeTheRule = 28
const migrations = readMigrations(new URL('../../../migrations', import.meta.url))

// prettier-ignore
const forbidden: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\bdrop\s+(table|column|view|materialized\s+view|type|domain|schema|sequence)\b/, 'drops what the old version may use'],
  [/\balter\s+table\s[^;]*\bdrop\s+(?!constraint\b|not\s+null\b|default\b|identity\b|expression\b)/, 'drops a column that the old version may use'],
  [/\bdrop\s+default\b/, 'the old version may insert rows without this column'],
  [/\brename\b/, 'the old version uses the old name'],
  [/\bset\s+not\s+null\b/, 'the old version may write null'],
  [/\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/, 'the old version reads and writes the old type'],
  [/\badd\s+(column\s+)?(if\s+not\s+exists\s+)?(?!constraint\b)\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\b(default|generated)\b)(?<!\b(default|generated)\b[^,;]*)/, 'the old version inserts rows without this column; give it a default'],
  [/\badd\s+(constraint\s+\w+\s+)?(check|unique|primary\s+key|foreign\s+key|exclude)\b/, 'the old version may write rows that break it'],
  [/\btruncate\b/, 'removes rows that the old version may use'],
]

/** A list of words that grows: the constraint is replaced by one of the same name. Reviewers see whether it is wider. */
const replacedCheck = /\bdrop\s+constraint\s+(\w+)\s*,\s*add\s+constraint\s+\1\s+check\b/g

/** Comments and texts are left out; bodies of functions are not, because `do` blocks could hide a statement in them. */
const bare = (text: string) => text.replace(/--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'/g, ' ').toLowerCase()

/** The faults of a migration that is not a contract step. Tables of its own it may treat as it likes. */
function faultsOf(text: string): string[] {
  const code = bare(text).replace(replacedCheck, ' ')
  const own = [...code.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/g)].map(
    ([, name]) => name!,
  )
  const added = [...code.matchAll(/\badd\s+column\s+(?:if\s+not\s+exists\s+)?(\w+)/g)].map(([, name]) => name!)
  /** An index of rows with a value in a column that is new: the old version does not write one. */
  const isOfNewColumn = (statement: string) =>
    added.some((name) => new RegExp(`\\bwhere\\s+${name}\\s*$`).test(statement))
  const isOwn = (statement: string) =>
    own.some((name) => new RegExp(`\\b(table|on)\\s+(only\\s+)?${name}\\b`).test(statement))
  return code
    .split(';')
    .filter((statement) => !/^\s*create\s+(unlogged\s+)?table\b/.test(statement) && !isOwn(statement))
    .flatMap((statement) => [
      ...forbidden.filter(([pattern]) => pattern.test(statement)).map(([, why]) => `${shorten(statement)}: ${why}`),
      ...(/\bcreate\s+unique\s+index\b/.test(statement) && !isOfNewColumn(statement)
        ? [`${shorten(statement)}: the old version may write rows that break it`]
        : []),
    ])
}
const shorten = (statement: string) => statement.trim().replace(/\s+/g, ' ').slice(0, 80)

const remedy =
  'During an upgrade the old version runs on the new schema. Only add here. Remove in a later release, in a file named ' +
  'NNNN-contract-MMMM-what.sql, where MMMM is the number of the migration that replaced it. See docs/scaling.md.'

describe('a migration leaves the schema usable for the version before it', () => {
  const later = migrations.filter(({ number }) => number > lastBeforeTheRule)
  const expanding = later.filter(({ name }) => contractedBy(name) === undefined)
  test('every migration since the rule, unless it is a contract step', () => {
    for (const { name, text } of expanding) expect(faultsOf(text), `${name}: ${remedy}`).toEqual([])
  })
  test('a contract step names an earlier migration that added something', () => {
    for (const { name, number } of later) {
      const contracted = contractedBy(name)
      if (contracted === undefined) continue
      expect(contracted, `${name} must name an earlier migration`).toBeLessThan(number)
      const named = migrations.find((one) => one.number === contracted)
      expect(contractedBy(named!.name), `${name} names a contract step`).toBeUndefined()
    }
  })
})

describe('the check', () => {
  test.each([
    'drop table product',
    'DROP   TABLE if exists product',
    'alter table product drop column name',
    'alter table product drop name',
    'alter table product add a int, drop name',
    'alter table product rename to article',
    'alter table product rename column name to title',
    'alter table product alter column name set not null',
    'alter table product alter name drop default',
    'alter table product alter column name type varchar(10)',
    'alter table product alter name set data type varchar(10)',
    'alter table product add column weight int not null',
    'alter table product add weight int not null, add height int not null default 0',
    'alter table product add constraint small check (weight < 10)',
    'alter table product drop constraint small, add constraint other check (weight < 10)',
    'alter table product add unique (name)',
    'create unique index on product (name)',
    'alter table product add column main boolean default false; create unique index on product (name)',
    'create unique index on product (name) where main',
    'do $$ begin alter table product drop column name; end $$',
    'truncate product',
    "select 'a -- b'; drop view products",
    'create table mine (id int); drop table product',
  ])('refuses: %s', (statement) => {
    expect(faultsOf(statement)).not.toEqual([])
  })

  test.each([
    'alter table product add column weight int',
    'alter table product add column weight int not null default 0',
    'alter table product add weight int default 0 not null, add height int',
    'alter table product alter column name drop not null',
    'alter table product drop constraint small',
    "alter table product drop constraint kind, add constraint kind check (kind in ('a', 'b'))",
    'create index on product (name)',
    'alter table product add column main boolean not null default false; create unique index on product (name) where main',
    'create table mine (id int primary key, name text not null); create unique index on mine (name)',
    'create table mine (id int); alter table mine add constraint small check (id < 10)',
    'drop index product_name; drop trigger on_change on product',
    '-- drop table product\nselect 1',
    "insert into locale values ('drop table product')",
    'create or replace function f() returns int language sql as $$ select 1 $$',
  ])('accepts: %s', (statement) => {
    expect(faultsOf(statement)).toEqual([])
  })
})
